/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Subscripts of einsum: any bytes, and pieces of subscripts in any order, for operands of any few
 * dims. What is refused is told with a message and leaves nothing; what is not gives the same of
 * i64 and of f64, which hold the sums exactly, and into a given array.
 */
#include <string.h>

#include "input.h"
#include "stria/stria.h"

enum { MOST = 80, OPERANDS = 4, NUMBERS = 81 };

static void take_text(struct input *in, char *out)
{
    static const char *const pieces[] = {"i", "j", "k",  "l",   "i",  "j",  ",", ",",
                                         ",", " ", "->", "...", "ii", "ij", "k", "Z"};
    const bool raw = take_once(in, 8);
    size_t length = 0;
    for (int i = take_below(in, 16); i > 0 && length < MOST - 4; i--) {
        const int byte = take_below(in, 256);
        if (raw)
            out[length++] = (char)(byte ? byte : 1);
        else
            length += (size_t)snprintf(out + length, MOST - length, "%s", pieces[byte % 16]);
    }
    out[length] = 0;
}

/* Sizes are small and often alike, so that letters find their equals. */
static void take_view(struct input *in, stria_view *out, stria_kind kind, void *numbers)
{
    *out = (stria_view){.data = numbers, .dtype = stria_dtype_of(kind), .ndim = take_below(in, 4)};
    int64_t step = out->dtype.itemsize;
    for (int d = out->ndim - 1; d >= 0; d--) {
        out->shape[d] = take_once(in, 4) ? take_below(in, 4) : 2;
        out->strides[d] = step;
        step *= out->shape[d] > 1 ? out->shape[d] : 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int64_t whole[OPERANDS][NUMBERS];
    static double real[OPERANDS][NUMBERS];
    struct input in = {data, size};
    char text[MOST];
    stria_view views[OPERANDS], doubles[OPERANDS];
    const stria_view *first[OPERANDS], *second[OPERANDS];
    stria_array a = {0}, b = {0};
    bool equal;
    take_text(&in, text);
    const int n = 1 + take_below(&in, OPERANDS);
    for (int i = 0; i < n; i++) {
        take_view(&in, &views[i], STRIA_I64, whole[i]);
        doubles[i] = views[i];
        doubles[i].data = (char *)real[i];
        doubles[i].dtype = stria_dtype_of(STRIA_F64);
        for (int k = 0; k < NUMBERS; k++)
            real[i][k] = (double)(whole[i][k] = (k + i) % 7 - 3);
        first[i] = &views[i];
        second[i] = &doubles[i];
    }
    const stria_status status = stria_einsum_new(&a, text, n, first, NULL);
    MUST(status == STRIA_OK || (stria_last_error()[0] && !a.owned), text);
    MUST(stria_einsum_new(&b, text, n, second, NULL) == status, text);
    if (status == STRIA_OK) {
        MUST(stria_array_equal(&equal, &a.view, &b.view, false, NULL) == STRIA_OK && equal, text);
        MUST(stria_einsum(&b.view, text, n, first, NULL) == STRIA_OK, text);
        MUST(stria_array_equal(&equal, &a.view, &b.view, false, NULL) == STRIA_OK && equal, text);
    }
    stria_array_release(&a);
    stria_array_release(&b);
    return 0;
}
