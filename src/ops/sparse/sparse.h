/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that several sparse functions use: checks, keys of entries, and sums of entries at
 * their places.
 */
#pragma once

#include "view/array.h"
#include "stria/sparse.h"

static inline int64_t coo_count(const stria_coo *a)
{
    return a->values.view.shape[0];
}

/* Returns the elements of a dense i64 array. */
static inline int64_t *items_i64(const stria_view *a)
{
    return (int64_t *)(void *)a->data;
}

/*
 * Checks the arguments of a function that takes a sparse array. ARGUMENT for NULL, for cleared and
 * released arrays, and for those whose parts have other numbers of dims than they must have.
 */
stria_status stria__coo_check(const void *out, const stria_coo *a, const char *op);
stria_status stria__csr_check(const void *out, const stria_csr *a, const char *op);

/*
 * Returns DTYPE unless the indices are native i32 or i64, as stored; name and op are for messages.
 */
stria_status stria__sparse_check_index_dtype(const stria_view *indices, const char *name,
                                             const char *op);
/* Returns UNSUPPORTED for indices in a meta buffer. */
stria_status stria__sparse_check_readable(const stria_view *indices, const char *op);

static inline void coo_drop(const stria_coo *a)
{
    array_drop(&a->indices);
    array_drop(&a->values);
}

/* Declares a sparse array that owns nothing; what it owns at the end of the block is released. */
#define OWNED_COO(name)                                                                            \
    __attribute__((cleanup(coo_drop))) stria_coo name;                                             \
    array_none(&(name).indices);                                                                   \
    array_none(&(name).values)

/* The first copies shape and kind without the arrays; the second shares the arrays as well. */
void stria__coo_describe(stria_coo *out, const stria_coo *a);
void stria__coo_share(stria_coo *out, const stria_coo *a);
/* Moves the arrays of `made` to out. */
void stria__coo_deliver(stria_coo *out, stria_coo *made);

/* Makes an i64 array of the place of each entry in the C order of the sparse dims. */
STRIA_FILLS stria_status stria__coo_keys(stria_array *out, const stria_coo *a, const char *op);

/*
 * The entries of a dense array: the first `lead` dims are addressed by keys (places in their C
 * order), with the values at those places, and zeros elsewhere. With sum, several values may have
 * one key.
 */
struct entries {
    int lead;
    const stria_view *keys, *values;
    bool sum;
};
/* Writes a view of that shape, or makes an array. */
stria_status stria__sparse_scatter(const stria_view *out, stria_array *made, int ndim,
                                   const int64_t *shape, struct entries *e, const stria_exec *exec);

/* Makes a view of a local list of n indices, for functions that take index arrays. */
stria_status stria__sparse_list(stria_view *out, int64_t *list, int64_t n);
