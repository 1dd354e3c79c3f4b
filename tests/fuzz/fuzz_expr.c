/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text as expressions: any bytes, and words of the language in any order. What is refused is told
 * with a message and leaves nothing; what is read evaluates, or is refused for its dtypes, and
 * gives the same bits read again with spaces around each word.
 */
#include <string.h>

#include "input.h"
#include "stria/stria.h"

enum { WORDS = 60, MOST = WORDS * 24 /* bytes of so many words with gaps */, INPUTS = 3 };

static const char *const names[INPUTS] = {"x", "y", "n"};

static const char *const words[] = {"x",
                                    "y",
                                    "n",
                                    "x",
                                    "y",
                                    "+",
                                    "-",
                                    "*",
                                    "/",
                                    "//",
                                    "%",
                                    "**",
                                    "<",
                                    "<=",
                                    "==",
                                    "!=",
                                    ">",
                                    "&",
                                    "|",
                                    "^",
                                    "~",
                                    "<<",
                                    ">>",
                                    "(",
                                    ")",
                                    "(",
                                    ")",
                                    ",",
                                    ".abs",
                                    "where",
                                    "exp",
                                    "maximum",
                                    ".to(f32)",
                                    ".astype('i8')",
                                    "1",
                                    "0.5",
                                    "2j",
                                    "0x7F",
                                    "True",
                                    "1e400",
                                    "18446744073709551615",
                                    "floor",
                                    "pow",
                                    "pi",
                                    "erf",
                                    "bitwise_not",
                                    "isnan",
                                    "-1",
                                    "2.",
                                    "sqrt"};

/* Makes a text of bytes, or of words of the language with `gap` between them. */
static void take_text(struct input in, char *out, const char *gap)
{
    const bool raw = take_once(&in, 8);
    /* few long texts mean anything */
    const int most = take_once(&in, 8) ? WORDS : 1 + take_below(&in, 9);
    size_t length = 0;
    for (int i = 0; i < most && in.left > 0; i++) {
        const int byte = take_below(&in, 256);
        if (raw) {
            out[length++] = (char)(byte ? byte : 1);
            continue;
        }
        const char *const word = words[(size_t)byte % (sizeof words / sizeof *words)];
        length += (size_t)snprintf(out + length, MOST - length, "%s%s", word, gap);
    }
    out[length] = 0;
}

static bool evaluate(stria_array *out, const char *text, struct input *in)
{
    static double memory[INPUTS][16];
    stria_view views[INPUTS];
    const stria_view *inputs[INPUTS];
    stria_expr *expr = NULL;
    const stria_status parsed = stria_expr_parse(&expr, text, INPUTS, names);
    MUST((parsed == STRIA_OK) == (expr != NULL), text);
    if (!expr) {
        MUST(parsed == STRIA_ERR_FORMAT || parsed == STRIA_ERR_ARGUMENT ||
                 parsed == STRIA_ERR_DTYPE,
             text);
        MUST(stria_last_error()[0] != 0, text);
        return false;
    }
    for (int i = 0; i < INPUTS; i++) {
        const stria_kind kind = (stria_kind)take_below(in, STRIA_C128 + 1);
        views[i] =
            (stria_view){.data = (char *)memory[i], .dtype = stria_dtype_of(kind), .ndim = 1};
        views[i].shape[0] = 4;
        views[i].strides[0] = views[i].dtype.itemsize;
        inputs[i] = &views[i];
    }
    const stria_exec exec = {.hints = take_once(in, 2) ? STRIA_PROMOTE_AS_NUMPY : 0};
    const stria_status done = stria_expr_evaluate_new(out, expr, INPUTS, inputs, &exec);
    MUST(done == STRIA_OK || stria_last_error()[0] != 0, text);
    stria_expr_release(expr);
    return done == STRIA_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char tight[MOST], wide[MOST];
    struct input in = {data, size}, again;
    stria_array a = {0}, b = {0};
    take_text(in, tight, "");
    again = in;
    (void)evaluate(&a, tight, &again);
    stria_array_release(&a);
    take_text(in, wide, " ");
    again = in;
    const bool first = evaluate(&a, wide, &again);
    take_text(in, wide, "\n\t");
    MUST(evaluate(&b, wide, &in) == first, wide);
    if (first) {
        MUST(a.view.dtype.kind == b.view.dtype.kind && stria_numel(&a.view) == stria_numel(&b.view),
             wide);
        const size_t bytes = (size_t)(stria_numel(&a.view) * a.view.dtype.itemsize);
        MUST(memcmp(a.view.data, b.view.data, bytes) == 0, wide);
    }
    stria_array_release(&a);
    stria_array_release(&b);
    return 0;
}
