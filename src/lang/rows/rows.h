/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that do what an entry of functions.def tells where that takes more than one call of
 * the library: each reads the arguments of the form, which are in the order of its parameters, and
 * sets the result of the call.
 */
#ifndef STRIA_LANG_ROWS_H
#define STRIA_LANG_ROWS_H

#include "lang/registry.h"
#include "stria/creation.h"
#include "stria/random.h"

/* How the library runs the call c. */
#define EXEC ((const stria_exec[]){stria__call_exec(c)})
/* The result where it is an array that is given as argument out; else a new one. */
#define INTO_OR_NEW(out, into, made)                                                               \
    (c->args[out].given ? stria__call_wrote(c, c->args[out].view, into) : made)

typedef stria_status two_of_one(const stria_view *out, const stria_view *more, const stria_view *a,
                                const stria_exec *exec);
typedef stria_status joiner(stria_array *out, int n, const stria_view *const *views);
typedef stria_status ones_by_diagonal(stria_array *out, stria_dtype dtype, int64_t rows,
                                      int64_t columns, int64_t k);
typedef stria_status fill_floats(const stria_view *out, const stria_random *r, double a, double b,
                                 const stria_exec *exec);

/*
 * How an array is written into: that itself or, without an underscore in the name, a copy of it in
 * its order, in C order, or in the shape of it and of a mask. The source must have the dtype of the
 * array (ALIKE), and the sizes of its slices (SLICES), or be one number (POINT).
 */
enum { IN_ORDER = 0, IN_C_ORDER = 1, MASKED = 2, ALIKE = 4, SLICES = 8, POINT = 16 };

static inline const stria_view *stria__sparse_values(const struct sparse *s)
{
    return s->compressed ? &s->csr.values.view : &s->coo.values.view;
}

static inline int stria__sparse_ndim(const struct sparse *s)
{
    return s->compressed ? s->csr.ndim : s->coo.ndim;
}

/* How many dims coordinates, or compressed rows and columns, have. */
static inline int stria__sparse_dims(const struct sparse *s)
{
    return s->compressed ? 2 : s->coo.sparse_dim;
}

/* The values that are written into a new array. */
enum filling { NOTHING, ZEROS, ONES, VALUE };
/* The results of unique, which are a set of these. */
enum { VALUES = 1, INDICES = 2, INVERSE = 4, COUNTS = 8 };

/*
 * Functions that take more than the call. Those that check or convert arguments (line, pad_mode,
 * check_out, writes, check_form, of_coo, ...) come first in an entry, and leave what they made
 * where the argument was.
 */
stria_status stria__row_operation(struct invocation *c);
stria_status stria__row_where(struct invocation *c);
stria_status stria__row_where_method(struct invocation *c);
stria_status stria__row_copy_into(struct invocation *c);
stria_status stria__row_two_results(struct invocation *c, stria_op like, two_of_one *of);
stria_status stria__row_reduce(struct invocation *c, stria_reduction op);
stria_status stria__row_spread(struct invocation *c, stria_reduction op);
stria_status stria__row_norm(struct invocation *c, stria_reduction op);
stria_status stria__row_two_reductions(struct invocation *c, stria_reduction first,
                                       stria_reduction second);
stria_status stria__row_einsum(struct invocation *c, const char *subscripts, int n,
                               const stria_view *const *operands, int out, int reproducible);
stria_status stria__row_product(struct invocation *c, int ndim_a, int ndim_b,
                                const char *subscripts);
stria_status stria__row_inner(struct invocation *c, int dim_b);
stria_status stria__row_exact_reduce(struct invocation *c, stria_reduction op);
stria_status stria__row_pad_mode(struct invocation *c);
stria_status stria__row_window_reduce(struct invocation *c, stria_reduction op);
stria_status stria__row_scan(struct invocation *c, stria_scan op, bool flattens, int out,
                             const stria_dtype *dtype, bool include_initial);
stria_status stria__row_quantile(struct invocation *c, double parts, bool skips_nan);
stria_status stria__row_median(struct invocation *c, bool skips_nan);
stria_status stria__row_line(struct invocation *c, int i);
stria_status stria__row_sort(struct invocation *c, bool values);
stria_status stria__row_first_of(struct invocation *c, int64_t k, int dim, bool largest);
stria_status stria__row_unique(struct invocation *c, int wanted, bool equal_nan,
                               const struct arg *dim);
stria_status stria__row_check_out(struct invocation *c, int i);
stria_status stria__row_writes(struct invocation *c, unsigned how, int source, int reduction);
stria_status stria__row_flat_copy(struct invocation *c, stria_order order);
stria_status stria__row_count_pieces(struct invocation *c);
stria_status stria__row_flip_all(struct invocation *c);
stria_status stria__row_check_sign(struct invocation *c);
stria_status stria__row_convert(struct invocation *c, stria_dtype dtype, stria_order order,
                                stria_cast_policy policy, bool copies);
stria_status stria__row_from_data(struct invocation *c, stria_copy_policy policy);
stria_status stria__row_by_shape(struct invocation *c, enum filling with);
stria_status stria__row_of_this(struct invocation *c, enum filling with);
stria_status stria__row_make_strided(struct invocation *c, int at);
stria_status stria__row_like(struct invocation *c, enum filling with);
stria_status stria__row_arange(struct invocation *c, int start, int stop, int step, int dtype);
stria_status stria__row_by_diagonal(struct invocation *c, ones_by_diagonal *by,
                                    const struct arg *dtype, stria_kind kind, int64_t k);
stria_status stria__row_draw(struct invocation *c, fill_floats *by, int shape, stria_kind fallback);
stria_status stria__row_join(struct invocation *c, joiner *by, int as);
stria_status stria__row_join_along(struct invocation *c, bool stacks);
stria_status stria__row_repeat_interleave(struct invocation *c, const stria_view *each);
stria_status stria__row_repeat_to_size(struct invocation *c, const stria_view *each);
stria_status stria__row_made_sparse(struct invocation *c, stria_status status);
stria_status stria__row_check_form(struct invocation *c, bool compressed);
stria_status stria__row_of_coo(struct invocation *c, bool compressed);
stria_status stria__row_from_compressed(struct invocation *c, stria_compression form);
stria_status stria__row_sparse_transpose(struct invocation *c, int i, int j);
stria_status stria__row_check_matrix(struct invocation *c);
stria_status stria__row_of_dim(struct invocation *c, const int64_t *values, int64_t unit);
stria_status stria__row_overlap(struct invocation *c, stria_overlap overlap, int max_work);
stria_status stria__row_dtype(struct invocation *c, stria_dtype found);

/* Functions that take the call alone. */
#define FORM_BY(world, names, whose, parameters, name, by, sentence)                               \
    stria_status stria__row_##by(struct invocation *c);
#include "lang/functions.def"

#endif
