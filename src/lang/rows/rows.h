/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that do what an entry of functions.def tells where that takes more than one call of
 * the library: each reads the arguments of the form, which are in the order of its parameters, and
 * sets the result of the call.
 */
#pragma once

#include "lang/registry.h"
#include "stria/creation.h"
#include "stria/random.h"

/* The results and parameters of a call c, as functions.def and the functions here write them. */
#define VIEW       (&c->out.view)
#define NEW        (&c->out)
#define SAME       stria__call_wrote(c, A, STRIA_OK)
#define SAME_VIEW  (c->out.view = *A, STRIA_OK)
#define A          c->args[0].view
#define GIVEN(i)   c->args[i].given
#define ARRAY(i)   c->args[i].view
#define LIST(i)    (int)c->args[i].count, c->args[i].views
#define DIM(i)     c->args[i].dim
#define DIMS(i)    (int)c->args[i].count, c->args[i].dims
#define REDUCED(i) stria__call_dims(c, &c->args[i]), c->args[i].dims
#define INT(i)     c->args[i].integer
#define INTS(i)    (int)c->args[i].count, c->args[i].ints
#define TRUTH(i)   c->args[i].truth
#define ORDER(i)   c->args[i].format
#define DTYPE(i)   c->args[i].dtype
#define TYPE(i)    (c->args[i].given ? &c->args[i].dtype : NULL)
#define CLASS(i)   c->args[i].class_bits
#define REDUCES(i) (stria_reduce) c->args[i].integer
/* The correction of a variance that is not given is 1 for PyTorch, the ddof 0 for NumPy. */
#define DDOF(i) (GIVEN(i) ? (double)INT(i) : c->numpy ? 0 : 1)
#define MAX_WORK(i)                                                                                \
    (c->args[i].given ? c->args[i].integer : 4000000) /* The default takes a tenth of a second. */
#define ITEM     (A->dtype.itemsize ? A->dtype.itemsize : 1) /* Strides are multiples of it. */
#define SPARSE_A c->args[0].value->sparse
#define COO      (&SPARSE_A->coo)
#define CSR      (&SPARSE_A->csr)
#define MADE_COO (&c->sparse->coo)
#define MADE_CSR (&c->sparse->csr)
/* NAME is the function's name for "%.*s" of a message; REFUSE refuses the call with a message. */
#define NAME                (int)c->name.length, c->name.text
#define REFUSE(status, ...) stria__call_refuse(c, STRIA_ERR_##status, __VA_ARGS__)

/* Tells the library how to run the call. */
#define EXEC ((const stria_exec[]){stria__call_exec(c)})
/* Writes the result into argument `out` if that is given, else makes a new array. */
#define INTO_OR_NEW(out, into, made, ...)                                                          \
    (GIVEN(out) ? stria__call_wrote(c, ARRAY(out), into(ARRAY(out), __VA_ARGS__))                  \
                : made(NEW, __VA_ARGS__))

typedef stria_status two_of_one(const stria_view *out, const stria_view *more, const stria_view *a,
                                const stria_exec *exec);
typedef stria_status two_new_of_one(stria_array *out, stria_array *more, const stria_view *a,
                                    const stria_exec *exec);
typedef stria_status joiner(stria_array *out, int n, const stria_view *const *views,
                            const stria_exec *exec);
typedef stria_status ones_by_diagonal(stria_array *out, stria_dtype dtype, int64_t rows,
                                      int64_t columns, int64_t k, const stria_exec *exec);
typedef stria_status fill_floats(const stria_view *out, const stria_random *r, double a, double b,
                                 const stria_exec *exec);

/*
 * How the target of a write is made: it is the array itself or, without an underscore in the name,
 * a copy in the array's order, in C order, or in the common shape of the array and a mask. The
 * source must have the array's dtype (ALIKE), the sizes of its slices (SLICES), or be one number
 * (POINT).
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

/* Returns how many dims coordinates, or compressed rows and columns, have. */
static inline int stria__sparse_dims(const struct sparse *s)
{
    return s->compressed ? 2 : s->coo.sparse_dim;
}

/* The values that fill a new array. */
enum filling { NOTHING, ZEROS, ONES, VALUE };
/* A set of these tells which results of unique are wanted. */
enum {
    VALUES = 1,
    INDICES = 2,
    INVERSE = 4,
    COUNTS = 8,
    AS_SEEN = 16 /* in order of appearance */
};

/*
 * Functions that take more than the call. Those that check or convert arguments (line, pad_mode,
 * check_out, writes, check_form, of_coo, ...) come first in an entry, and leave what they made
 * where the argument was.
 */
typedef stria_status row_alone(struct invocation *c);
row_alone stria__row_operation, stria__row_where, stria__row_where_method, stria__row_copy_into,
    stria__row_count_pieces, stria__row_flip_all, stria__row_check_sign, stria__row_check_matrix;
typedef stria_status row_with_truth(struct invocation *c, bool truth);
row_with_truth stria__row_fft_shift, stria__row_fft_frequencies, stria__row_median, stria__row_sort,
    stria__row_join_along, stria__row_check_form, stria__row_of_coo;
typedef stria_status row_with_reduction(struct invocation *c, stria_reduction op);
row_with_reduction stria__row_reduce, stria__row_spread, stria__row_norm, stria__row_window_reduce,
    stria__row_window_steps, stria__row_nan_extreme;
typedef stria_status row_with_number(struct invocation *c, int number);
row_with_number stria__row_conv, stria__row_inner, stria__row_line, stria__row_check_out,
    stria__row_make_strided;
stria_status stria__row_fft(struct invocation *c, int function, int ndim);
stria_status stria__row_linalg(struct invocation *c, int function);
stria_status stria__row_factors(struct invocation *c, int function);
stria_status stria__row_matrix_norm(struct invocation *c, bool stacks, bool named);
stria_status stria__row_by_shape(struct invocation *c, enum filling with, int shape);
stria_status stria__row_like(struct invocation *c, enum filling with);
stria_status stria__row_two_results(struct invocation *c, two_of_one *into, two_new_of_one *made);
stria_status stria__row_two_reductions(struct invocation *c, stria_reduction first,
                                       stria_reduction second);
stria_status stria__row_einsum(struct invocation *c, const char *subscripts, int n,
                               const stria_view *const *operands, int out, int reproducible);
stria_status stria__row_product(struct invocation *c, int ndim_a, int ndim_b,
                                const char *subscripts);
stria_status stria__row_scan(struct invocation *c, stria_scan op, bool flattens, int out,
                             const stria_dtype *dtype, bool include_initial);
stria_status stria__row_nan_scan(struct invocation *c, stria_scan op);
stria_status stria__row_segment_of(struct invocation *c, stria_op op);
stria_status stria__row_quantile(struct invocation *c, double parts, bool skips_nan);
stria_status stria__row_first_of(struct invocation *c, int64_t k, int dim, bool largest);
stria_status stria__row_unique(struct invocation *c, int wanted, bool equal_nan,
                               const struct arg *dim);
stria_status stria__row_writes(struct invocation *c, unsigned how, int source, int reduction);
stria_status stria__row_flat_copy(struct invocation *c, stria_order order);
stria_status stria__row_convert(struct invocation *c, stria_dtype dtype, stria_order order,
                                stria_cast_policy policy, bool copies);
stria_status stria__row_from_data(struct invocation *c, stria_copy_policy policy);
stria_status stria__row_arange(struct invocation *c, int start, int stop, int step, int dtype);
stria_status stria__row_by_diagonal(struct invocation *c, ones_by_diagonal *by,
                                    const struct arg *dtype, stria_kind kind, int64_t k);
stria_status stria__row_draw(struct invocation *c, fill_floats *by, int shape, stria_kind fallback);
stria_status stria__row_join(struct invocation *c, joiner *by, int as);
stria_status stria__row_repeat_interleave(struct invocation *c, const stria_view *each);
stria_status stria__row_repeat_to_size(struct invocation *c, const stria_view *each);
stria_status stria__row_made_sparse(struct invocation *c, stria_status status);
stria_status stria__row_from_compressed(struct invocation *c, stria_compression form);
stria_status stria__row_sparse_transpose(struct invocation *c, int i, int j);
stria_status stria__row_of_dim(struct invocation *c, const int64_t *values, int64_t unit);
stria_status stria__row_overlap(struct invocation *c, stria_overlap overlap, int max_work);
stria_status stria__row_dtype(struct invocation *c, stria_dtype found);

/* Functions that take the call alone. */
#define FORM_BY(world, names, whose, parameters, name, by, sentence)                               \
    stria_status stria__row_##by(struct invocation *c);
#include "lang/functions.def"
