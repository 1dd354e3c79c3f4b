/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#include <stdio.h>
#include <string.h>

bool name_is_module(const char *name, enum world *world)
{
    static const struct {
        const char *name;
        enum world world;
    } modules[] = {
        {"torch", WORLD_TORCH}, {"np", WORLD_NUMPY}, {"numpy", WORLD_NUMPY}, {"stria", WORLD_ANY}};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (strcmp(name, modules[i].name)) continue;
        *world = modules[i].world;
        return true;
    }
    return false;
}

bool name_is_folder(const char *name)
{
    static const char *const folders[] = {"Tensor", "ndarray", "lib",        "stride_tricks",
                                          "ops",    "aten",    "array_utils"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strcmp(name, folders[i])) return true;
    return false;
}

/*
 * Dtype names that are not the library's, or mean something else in one of the worlds. Python's
 * own types (float, int) are 64 bits wide for PyTorch and NumPy alike; torch.float is not.
 */
static const struct {
    enum world world;
    const char *name;
    stria_kind kind;
} dtype_names[] = {{WORLD_ANY, "float", STRIA_F64},      {WORLD_ANY, "int", STRIA_I64},
                   {WORLD_ANY, "complex", STRIA_C128},   {WORLD_ANY, "bool", STRIA_BOOL},
                   {WORLD_NUMPY, "bool", STRIA_BOOL},    {WORLD_NUMPY, "bool_", STRIA_BOOL},
                   {WORLD_NUMPY, "byte", STRIA_I8},      {WORLD_NUMPY, "ubyte", STRIA_U8},
                   {WORLD_NUMPY, "short", STRIA_I16},    {WORLD_NUMPY, "ushort", STRIA_U16},
                   {WORLD_NUMPY, "intc", STRIA_I32},     {WORLD_NUMPY, "uintc", STRIA_U32},
                   {WORLD_NUMPY, "int_", STRIA_I64},     {WORLD_NUMPY, "uint", STRIA_U64},
                   {WORLD_NUMPY, "long", STRIA_I64},     {WORLD_NUMPY, "ulong", STRIA_U64},
                   {WORLD_NUMPY, "longlong", STRIA_I64}, {WORLD_NUMPY, "ulonglong", STRIA_U64},
                   {WORLD_NUMPY, "intp", STRIA_I64},     {WORLD_NUMPY, "uintp", STRIA_U64},
                   {WORLD_NUMPY, "half", STRIA_F16},     {WORLD_NUMPY, "single", STRIA_F32},
                   {WORLD_NUMPY, "double", STRIA_F64},   {WORLD_NUMPY, "float_", STRIA_F64},
                   {WORLD_NUMPY, "csingle", STRIA_C64},  {WORLD_NUMPY, "cdouble", STRIA_C128},
                   {WORLD_NUMPY, "complex_", STRIA_C128}};

/* NumPy's one-letter codes, for strings only. */
static const struct {
    char letter;
    stria_kind kind;
} letters[] = {{'?', STRIA_BOOL}, {'b', STRIA_I8},  {'h', STRIA_I16}, {'i', STRIA_I32},
               {'l', STRIA_I64},  {'q', STRIA_I64}, {'p', STRIA_I64}, {'B', STRIA_U8},
               {'H', STRIA_U16},  {'I', STRIA_U32}, {'L', STRIA_U64}, {'Q', STRIA_U64},
               {'P', STRIA_U64},  {'e', STRIA_F16}, {'f', STRIA_F32}, {'d', STRIA_F64},
               {'F', STRIA_C64},  {'D', STRIA_C128}};

static bool listed_dtype(stria_dtype *out, const char *name, enum world world)
{
    for (size_t i = 0; i < sizeof dtype_names / sizeof *dtype_names; i++) {
        if (dtype_names[i].world != world || strcmp(name, dtype_names[i].name)) continue;
        *out = stria_dtype_of(dtype_names[i].kind);
        return true;
    }
    return false;
}

static bool named_format(struct value *out, const char *name)
{
    static const struct {
        const char *name;
        stria_order order;
    } formats[] = {{"contiguous_format", STRIA_ORDER_C},
                   {"preserve_format", STRIA_ORDER_PRESERVE},
                   {"channels_last", STRIA_ORDER_CHANNELS_LAST},
                   {"channels_last_3d", STRIA_ORDER_CHANNELS_LAST_3D}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(name, formats[i].name)) continue;
        out->kind = VALUE_FORMAT;
        out->order = formats[i].order;
        return true;
    }
    return false;
}

/* Classes that a view may have, as NumPy has them. */
static bool named_class(struct value *out, const char *name, enum world world)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } classes[] = {
        {"matrix", STRIA_CLASS_MATRIX}, {"recarray", STRIA_CLASS_RECARRAY}, {"ndarray", 0}};
    for (size_t i = 0; world == WORLD_NUMPY && i < sizeof classes / sizeof *classes; i++) {
        if (strcmp(name, classes[i].name)) continue;
        out->kind = VALUE_CLASS;
        out->class_bits = classes[i].bits;
        return true;
    }
    return false;
}

bool name_value(struct value *out, const char *name, enum world world)
{
    if (!strcmp(name, "None") || !strcmp(name, "newaxis")) {
        out->kind = VALUE_NONE;
    } else if (!strcmp(name, "True") || !strcmp(name, "False")) {
        out->kind = VALUE_BOOL;
        out->truth = *name == 'T';
    } else if (!strcmp(name, "Ellipsis")) {
        out->kind = VALUE_ELLIPSIS;
    } else if (!strcmp(name, "strided")) {
        out->kind = VALUE_OTHER;
    } else if (!named_format(out, name) && !named_class(out, name, world)) {
        stria_dtype dtype;
        if (!listed_dtype(&dtype, name, world) && stria_dtype_parse(&dtype, name) != STRIA_OK)
            return false;
        out->kind = VALUE_DTYPE;
        out->dtype = dtype;
    }
    return true;
}

static bool letter_dtype(stria_dtype *out, const char *text)
{
    const char mark = strchr("<>=|", *text) ? *text : 0;
    const char *letter = mark ? text + 1 : text;
    if (!*letter || letter[1]) return false;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].letter != *letter) continue;
        *out = stria_dtype_of(letters[i].kind);
        const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
        if (mark == (big ? '<' : '>')) *out = stria_dtype_swap(*out);
        return true;
    }
    return false;
}

stria_status name_dtype(stria_dtype *out, const struct value *string, struct failure *failure)
{
    const char *text = string->string.text;
    char marked[32];
    (void)snprintf(marked, sizeof marked, "=%s", text);
    if (*text && strlen(text) == string->string.length &&
        (letter_dtype(out, text) || stria_dtype_parse(out, marked) == STRIA_OK ||
         listed_dtype(out, text, WORLD_ANY) || listed_dtype(out, text, WORLD_NUMPY) ||
         stria_dtype_parse(out, text) == STRIA_OK))
        return STRIA_OK;
    return fail_at(failure, STRIA_ERR_FORMAT, string->at,
                   "'%.60s' is not a dtype; write '<f4', 'float32', f32, torch.float32, ...", text);
}
