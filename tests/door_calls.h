/* SPDX-License-Identifier: BSD-3-Clause */
/* For test_door.c and test_exec.c: the rows of the table as functions, and good calls of them. */
#pragma once

#include <string.h>

#include "door_operands.h"

/* ---- the table ------------------------------------------------------------------------------ */

struct row {
    const char *function;
    int flags;
    const char *operands;
    stria_status (*call)(const struct call *c);
};

#define ROW(function, flags, operands, arguments)                                                  \
    static stria_status call_##function(const struct call *c)                                      \
    {                                                                                              \
        return function arguments;                                                                 \
    }
ROWS
#undef ROW

#define ROW(function, flags, operands, arguments) {#function, flags, operands, call_##function},
    static const struct row rows[] = {ROWS};
#undef ROW

/* Room for the result of any of the functions. */
static union result {
    stria_view views[8];
    stria_array array;
    stria_coo coo;
    stria_csr csr;
    stria_plan plan;
    stria_copy_plan copy_plan;
    stria_dtype dtype;
    int64_t shape[STRIA_MAX_NDIM];
} result, untouched;
static int64_t count;

/* The operands of a row as words: letters, and what messages call them. */
struct operand {
    bool optional;
    char letter;
    char name[40];
};

static int operands_of(struct operand *out, const char *text)
{
    int n = 0;
    while (*text) {
        out[n].optional = *text == '?';
        text += out[n].optional;
        const size_t length = strcspn(text, ";");
        out[n].letter = *text;
        out[n].name[0] = 0;
        if (length > 2)
            (void)snprintf(out[n].name, sizeof out[n].name, "%.*s", (int)length - 2, text + 2);
        n++;
        text += length + (text[length] == ';');
    }
    return n;
}

static stria_view operand_view[MOST];

static bool makes(const struct row *row, int owner)
{
    return (row->flags & ~(EXEC | DTYPE | SHARES | OPTIONS)) == owner;
}

/* An owner has to own something or nothing; all else in it may be anything. */
static void fill_result(union result *to, const struct row *row)
{
    memset(to, 0x5a, sizeof *to);
    if (makes(row, ARRAY)) to->array.owned = NULL;
    if (makes(row, COO)) to->coo.indices.owned = to->coo.values.owned = NULL;
    if (makes(row, CSR))
        to->csr.pointers.owned = to->csr.indices.owned = to->csr.values.owned = NULL;
}

/* Makes good arguments, and sets results and memory to what they are before each call. */
static struct call good_call(const struct row *row)
{
    struct operand operands[MOST];
    struct call c = {.dtype = stria_dtype_of(STRIA_F32), .to = &result, .count = &count};
    const int n = operands_of(operands, row->operands);
    fill_memory();
    fill_result(&result, row);
    fill_result(&untouched, row);
    count = 77;
    for (int k = 0; k < n; k++) {
        const char letter = operands[k].letter;
        if (letter == 'A') {
            assert_int_equal(stria_zeros(&owned, c.dtype, 2, shape), STRIA_OK);
            c.array = &owned;
        } else if (letter == 'M') {
            assert_int_equal(stria_npy_read(&owned, path, STRIA_NPY_MAP_RW, NULL), STRIA_OK);
            c.array = &owned;
        } else if (letter == 'S') {
            c.coo = &coo;
        } else if (letter == 'R' || letter == 'C') {
            c.csr = letter == 'R' ? &csr : &csc;
        } else {
            operand_view[k] = good(letter);
            c.v[k] = &operand_view[k];
        }
    }
    return c;
}

static void release_owners(const struct row *row, const struct call *c)
{
    if (makes(row, ARRAY)) stria_array_release(&result.array);
    if (makes(row, COO)) stria_coo_release(&result.coo);
    if (makes(row, CSR)) stria_csr_release(&result.csr);
    if (c->array) stria_array_release(&owned);
}
