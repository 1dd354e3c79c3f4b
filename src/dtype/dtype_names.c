/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of dtypes, in one place for C, the tool and its expressions. Four languages name them:
 *   Stria           f32, u8, bf16, S5             bits
 *   PyTorch         torch.float32, torch.float    as str(dtype) prints them
 *   NumPy           np.float32, np.int_, float32
 *   NumPy's codes   f4, <i8, |S5, d               bytes, or a letter of the struct module
 * Names without a module are looked up in that order. Python's own float, int and complex come
 * before PyTorch's names: PyTorch and NumPy both take them for 64 and 128 bits where they stand
 * alone. Only i8 and u8 have two meanings left, which NOTE [Two meanings of i8] settles.
 */
#include <string.h>

#include "date.h"
#include "dtype.h"
#include "record.h"
#include "base/status.h"

/* Names end with a space. NumPy's are those of 64-bit Linux, where a long has 8 bytes. */
static const struct names {
    const char *common; /* Names of both libraries, which text without a module means, too. */
    const char *numpy;  /* Names of NumPy and Python, which text without a module means, too. */
    const char
        *torch; /* Names of PyTorch, which text without a module means if NumPy has no such name. */
    const char *letters;
} names[STRIA_BYTES] = {
    [STRIA_BOOL] = {"bool ", "bool_ ", "", "?"},
    [STRIA_I8] = {"int8 ", "byte ", "char ", "b"},
    [STRIA_I16] = {"int16 short ", "", "", "h"},
    [STRIA_I32] = {"int32 ", "intc ", "int ", "i"},
    [STRIA_I64] = {"int64 long ", "int int_ intp longlong ", "", "lqnp"},
    [STRIA_U8] = {"uint8 ", "ubyte ", "byte ", "B"},
    [STRIA_U16] = {"uint16 ", "ushort ", "", "H"},
    [STRIA_U32] = {"uint32 ", "uintc ", "", "I"},
    [STRIA_U64] = {"uint64 ", "uint uintp ulong ulonglong ", "", "LQNP"},
    [STRIA_F8E4M3] = {"float8_e4m3fn ", "float8_e4m3 ", "", ""},
    [STRIA_F8E5M2] = {"float8_e5m2 ", "", "", ""},
    [STRIA_F16] = {"float16 half ", "", "", "e"},
    [STRIA_BF16] = {"bfloat16 ", "", "", ""},
    [STRIA_F32] = {"float32 ", "single ", "float ", "f"},
    [STRIA_F64] = {"float64 double ", "float float_ ", "", "d"},
    [STRIA_C64] = {"complex64 ", "csingle ", "cfloat ", "F"},
    [STRIA_C128] = {"complex128 cdouble ", "complex complex_ ", "", "D"},
};

/* Tells whether a list of names has this one; a space follows each name. */
static bool among(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(list, name); length && at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && at[length] == ' ') return true;
    return false;
}

/* The languages in which a text may name a dtype. */
enum language { STRIA_NAME, NUMPY_NAME, TORCH_NAME, NUMPY_CODE };

/* Tells whether text names the kind in one of the languages. If NumPy has no code for it, the name
 * after a mark of byte order is that of stria_dtype_format (">bf16"). */
static bool is_name(int kind, const char *text, enum language language)
{
    const struct builtin *const b = &stria__builtins[kind];
    const struct names *const n = &names[kind];
    switch (language) {
    case STRIA_NAME: return !strcmp(text, b->name);
    case NUMPY_NAME: return among(n->common, text) || among(n->numpy, text);
    case TORCH_NAME: return among(n->common, text) || among(n->torch, text);
    default:
        return !strcmp(text, b->array ? b->array : b->name) ||
               (text[0] && !text[1] && strchr(n->letters, *text));
    }
}

static bool find_name(stria_dtype *out, const char *text, enum language language)
{
    int kind = 0;
    while (kind < STRIA_BYTES && !is_name(kind, text, language))
        kind++;
    if (kind < STRIA_BYTES) *out = stria_dtype_of((stria_kind)kind);
    return kind < STRIA_BYTES;
}

/* Parses a whole text of digits without sign, leading zero or overflow. */
static bool parse_count(const char *text, int64_t *count)
{
    int64_t n = 0;
    if (!*text || (text[0] == '0' && text[1])) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || n > INT32_MAX) return false;
        n = n * 10 + (*text - '0');
    }
    *count = n;
    return true;
}

static stria_status no_dtype(const char *text)
{
    return stria__fail(STRIA_ERR_FORMAT,
                       "dtype: '%.60s' is not a dtype name; write f32, float32, torch.float32, "
                       "np.float32, '<f4', S5, U3, V12, M8[ns], ...",
                       text);
}

static stria_status parse_sized(stria_dtype *out, const char *name, const char *text)
{
    stria_status status = STRIA_OK;
    if (stria__time_parse(out, name, &status)) return status;
    static const char letters[] = "SUV";
    static const stria_kind kinds[] = {STRIA_BYTES, STRIA_UNICODE, STRIA_VOID};
    const char *letter = *name ? strchr(letters, *name) : NULL;
    int64_t count;
    if (!letter || !parse_count(name + 1, &count)) return no_dtype(text);
    return stria_dtype_sized(out, kinds[letter - letters], count);
}

/* Returns what follows the module's name and its dot; NULL when the text does not begin with them.
 */
static const char *after(const char *module, const char *text)
{
    const size_t length = strlen(module);
    return !strncmp(text, module, length) && text[length] == '.' ? text + length + 1 : NULL;
}

static stria_status parse_marked(stria_dtype *out, const char *text)
{
    const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    stria_dtype found;
    if (!find_name(&found, text + 1, NUMPY_CODE)) STRIA_TRY(parse_sized(&found, text + 1, text));
    *out = *text == (big_endian ? '<' : '>') ? stria_dtype_swap(found) : found;
    return STRIA_OK;
}

/* Reads one name, in any of the four languages. */
static stria_status parse_name(stria_dtype *out, const char *text)
{
    if (*text && strchr("<>|=", *text)) return parse_marked(out, text);
    const char *const torch = after("torch", text), *const stria = after("stria", text),
                      *const np = after("np", text), *const numpy = np ? np : after("numpy", text);
    stria_status status = STRIA_OK;
    if (numpy && stria__time_parse(out, numpy, &status)) return status;
    if (numpy) return find_name(out, numpy, NUMPY_NAME) ? STRIA_OK : no_dtype(text);
    if (torch) return find_name(out, torch, TORCH_NAME) ? STRIA_OK : no_dtype(text);
    if (stria) text = stria;
    for (int language = STRIA_NAME; language <= NUMPY_CODE; language++)
        if (find_name(out, text, (enum language)language)) return STRIA_OK;
    return parse_sized(out, text, text);
}

stria_status stria__dtype_parse_numpy(stria_dtype *out, const char *text)
{
    return find_name(out, text, NUMPY_CODE) ? STRIA_OK : parse_name(out, text);
}

/*
 * NOTE [Two meanings of i8]: alone "i8" and "u8" are eight bits, as everywhere in this library;
 * after a mark of byte order ("<i8", "=u8") and between quotes, as formats of records stand, the
 * text is NumPy's and counts bytes.
 */
stria_status stria_dtype_parse(stria_dtype *out, const char *text)
{
    if (!out || !text) return stria__fail(STRIA_ERR_ARGUMENT, "dtype: out or text is NULL");
    struct record_text record = {.r = reader_of("dtype", text)};
    const bool is_record = *text == '[' || *text == '{' || strpbrk(text, ",(");
    return is_record ? stria__record_parse(out, &record) : parse_name(out, text);
}
