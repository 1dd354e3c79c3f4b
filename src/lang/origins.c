/* SPDX-License-Identifier: BSD-3-Clause */
#include "origins.h"

#include <stdio.h>
#include <string.h>

struct origin {
    unsigned origins;
    const char *names; /* each with a space in front */
};

/* Names of rows, each in one of the texts; NAME_ is PyTorch's if NAME is. */
static const struct origin known[] = {
    {STRIA_IN_TORCH | STRIA_IN_NUMPY | STRIA_IN_ARRAY_API,
     " T __getitem__ __setitem__ abs acos acosh add all any arange argmax argmin argsort asarray"
     " asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift"
     " bitwise_xor bool broadcast_to ceil clip concat conj copysign cos cosh count_nonzero diff"
     " divide dtype empty empty_like equal exp expm1 eye flip floor floor_divide full full_like"
     " greater greater_equal hypot imag isfinite isinf isin isnan less less_equal linalg.diagonal"
     " linalg.vecdot linalg.vector_norm linspace log log10 log1p log2 logaddexp logical_and"
     " logical_not logical_or logical_xor mT max maximum mean meshgrid min minimum moveaxis"
     " multiply ndim negative nextafter nonzero not_equal ones ones_like positive pow prod real"
     " reciprocal remainder repeat reshape roll round searchsorted shape sign signbit sin sinh size"
     " sort sqrt square squeeze stack std subtract sum take tan tanh tile tril triu trunc var"
     " vecdot where zeros zeros_like linalg.matmul matmul tensordot broadcast_shapes result_type"},
    {STRIA_IN_TORCH | STRIA_IN_NUMPY,
     " H absolute allclose amax amin angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh"
     " argwhere as_strided atleast_1d atleast_2d atleast_3d bincount bitwise_not column_stack"
     " concatenate cumprod cumsum deg2rad diag diagonal dsplit dstack exp2 fill fix flatten fliplr"
     " flipud float_power fmax fmin fmod frexp gcd heaviside histogram hsplit hstack i0 isclose"
     " isneginf isposinf itemsize lcm ldexp linalg.norm logaddexp2 median nan_to_num nanmean"
     " nanmedian nanquantile nansum nbytes normal put quantile rad2deg rand randint randn ravel"
     " rot90 row_stack sinc split swapaxes trace transpose true_divide unique view vsplit vstack"
     " dot einsum inner outer promote_types"},
    {STRIA_IN_TORCH,
     " _indices _is_view _neg_view _nnz _values bmm ger mm mv addcdiv addcmul adjoint alias aminmax"
     " as_tensor bfloat16 block_diag broadcast_tensors byte cat ccol_indices celu char chunk clamp"
     " clone coalesce col_indices contiguous copy_ cpu crow_indices cummax cummin data data_ptr"
     " dense_dim detach diag_embed digamma dim div double element_size elu empty_permuted"
     " empty_strided entr eq erf erfc erfcx erfinv expand expand_as expit float frac gammaln gather"
     " ge gelu gt half hardshrink hardsigmoid hardswish histc i0e i1 i1e index_add index_copy"
     " index_fill index_put index_reduce index_select indices int is_coalesced is_conj"
     " is_contiguous is_neg le leaky_relu lerp lgamma lift lift_fresh linalg_diagonal log_ndtr"
     " logcumsumexp logit kthvalue logsigmoid logsumexp long lt mH masked_fill masked_scatter"
     " masked_select mish movedim msort mul narrow ndimension ndtri ne neg nelement new_empty"
     " new_empty_strided new_full new_ones new_zeros norm numel permute pin_memory psi relu relu6"
     " repeat_interleave reshape_as resize_ resolve_conj resolve_neg row_indices rsqrt scatter"
     " scatter_add scatter_reduce select selu set_ sgn short sigmoid silu slice softplus softshrink"
     " sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor sparse_dim split_with_sizes std_mean"
     " storage storage_offset stride sub swapdims t take_along_dim tensor tensor_split threshold to"
     " topk to_dense to_sparse to_sparse_csr type type_as unbind unflatten unfold unsafe_chunk"
     " unsafe_split unsafe_split_with_sizes unsqueeze untyped_storage values var_mean vector_norm"
     " view_as view_as_complex view_as_real xlog1py xlogy alias_copy as_strided_copy detach_copy"
     " diagonal_copy expand_copy narrow_copy permute_copy select_copy slice_copy split_copy"
     " split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy"
     " unsqueeze_copy view_as_complex_copy view_as_real_copy view_copy"},
    {STRIA_IN_NUMPY | STRIA_IN_ARRAY_API,
     " linalg.outer linalg.tensordot astype bitwise_invert broadcast_arrays cumulative_prod"
     " cumulative_sum expand_dims matrix_transpose permute_dims take_along_axis unique_all"
     " unique_counts unique_inverse unique_values unstack"},
    {STRIA_IN_NUMPY,
     " argpartition around array array_equal array_split asanyarray ascontiguousarray"
     " asfortranarray can_cast asmatrix average bitwise_count byteswap cbrt conjugate copy"
     " correlate copyto degrees divmod fabs getfield invert left_shift matvec lexsort"
     " may_share_memory mod modf nanmax nanmin nanpercentile nanprod nanstd nanvar newbyteorder pad"
     " partition percentile power ptp radians random right_shift rint rollaxis shares_memory"
     " sliding_window_view spacing strides structured_to_unstructured tri uniform"},
    {STRIA_IN_ARRAY_API, " top_k"},
    {0, " equal_ rankdata"},
};

/*
 * The same of parameters that have several names, of which functions of one origin know some;
 * "name:parameter" where it is otherwise in the row that begins with that name.
 */
static const struct origin parameters[] = {
    {STRIA_IN_TORCH | STRIA_IN_NUMPY | STRIA_IN_ARRAY_API, " correction max min ord reshape:shape"},
    {STRIA_IN_NUMPY | STRIA_IN_ARRAY_API, " arrays axes axis k keepdims x x1 x2 take:indices"},
    {STRIA_IN_TORCH | STRIA_IN_NUMPY, " element test_elements tensordot:a tensordot:b"},
    {STRIA_IN_TORCH,
     " diagonal dim dim1 dim2 dimension dims elements end equation index indices input"
     " interpolation keepdim length mat2 mean memory_format other p repeats sections shifts"
     " size sorted_sequence source sparse_dim split_size split_size_or_sections src std"
     " tensor tensor_indices_or_sections tensors value vec vec2 vecdot:x vecdot:y"},
    {STRIA_IN_NUMPY,
     " a a1 a2 a_max a_min ar args array arys axis1 axis2 b data ddof dst ind"
     " indices_or_sections loc method prototype reps scale tup v xi y dot:other random:size"
     " where:x"},
    {STRIA_IN_ARRAY_API,
     " argsort:x diff:x isin:x1 isin:x2 searchsorted:x1 searchsorted:x2 sort:x"},
    {0, " bmm:other copy_:other count_nonzero:keepdim cumprod:x cumsum:x cumulative_prod:a"
        " cumulative_sum:a float_power:other heaviside:other mm:other mv:other"
        " norm:a outer:other pow:other top_k:x unfold:dim vecdot:other view:axis view:dim"},
};

/* What is written for names that no row has, joined by | where it is the same. */
static const struct {
    const char *names, *write;
} elsewhere[] = {
    {"append", "cat((x, y))"},
    {"delete", "cat((x[:i], x[i + 1:]))"},
    {"insert", "cat((x[:i], y, x[i:]))"},
    {"softmax", "(x - x.logsumexp(-1, keepdim=True)).exp()"},
    {"log_softmax", "x - x.logsumexp(-1, keepdim=True)"},
    {"cov",
     "((x - x.mean(1, keepdim=True))[:, None] * (x - x.mean(1, keepdim=True))).sum(-1) / (n - 1)"},
    {"normalize", "x / x.norm(dim=-1, keepdim=True)"},
    {"layer_norm",
     "(x - x.mean(-1, keepdim=True)) * (x.var(-1, keepdim=True, correction=0) + 1e-5).rsqrt()"},
    {"mse_loss", "(x - y).square().mean()"},
    {"l1_loss", "(x - y).abs().mean()"},
    {"dist", "(x - y).norm()"},
    {"cdist", "(x[:, None] - y).norm(dim=-1)"},
    {"interp", "lerp(fp[i - 1], fp[i], (x - xp[i - 1]) / (xp[i] - xp[i - 1])), where i is "
               "searchsorted(xp, x).clip(1, xp.shape[0] - 1)"},
    {"digitize", "searchsorted(bins, x, right=True)"},
    {"bucketize", "searchsorted(bins, x)"},
    {"trapezoid|trapz", "((y[1:] + y[:-1]) * diff(x)).sum() / 2"},
    {"ediff1d", "diff(x.ravel())"},
    {"gradient", "(x[2:] - x[:-2]) / 2, between the ends"},
    {"convolve", "(x.unfold(0, y.shape[0], 1) * y[::-1]).sum(-1), where y lies inside of x"},
    {"avg_pool1d", "x.unfold(-1, n, n).mean(-1)"},
    {"max_pool1d", "x.unfold(-1, n, n).max(-1)"},
    {"clamp_min", "maximum(x, y)"},
    {"clamp_max", "minimum(x, y)"},
    {"rsub", "y - x"},
    {"one_hot", "x[..., None] == arange(n)"},
    {"flatnonzero", "nonzero(x.ravel())"},
    {"compress|extract", "x[y], where y is a mask"},
    {"embedding", "x[y], where y is an array of indices"},
    {"identity", "eye(n)"},
    {"logspace", "10.0 ** np.linspace(a, b, n)"},
    {"bernoulli", "rand(n, seed=1) < p"},
    {"choice|multinomial", "x[randint(0, x.shape[0], (n,), seed=1)], which draws with repetition"},
    {"permutation|randperm|shuffle",
     "x[i] with an array i of indices in the order wanted: nothing here shuffles"},
    {"intersect1d", "unique(x[isin(x, y)])"},
    {"setdiff1d", "unique(x[~isin(x, y)])"},
    {"union1d", "unique(cat((x.ravel(), y.ravel())))"},
    {"choose|piecewise", "x.where(a, y.where(b, z))"},
    {"geomspace", "exp(np.linspace(log(a), log(b), n))"},
    {"kron", "(x[:, None, :, None] * y[:, None, :]).reshape(m, n), which is of two matrices"},
    {"nanargmax", "where(isnan(x), -inf, x).argmax()"},
    {"nanargmin", "where(isnan(x), inf, x).argmin()"},
    {"nancumsum", "where(isnan(x), 0, x).cumsum(0)"},
    {"nancumprod", "where(isnan(x), 1, x).cumprod(0)"},
    {"vander", "x[:, None] ** arange(n - 1, -1, -1)"},
    {"tril_indices", "np.nonzero(tri(n))"},
    {"triu_indices", "np.nonzero(tri(n).T)"},
    {"unravel_index", "np.divmod(i, n), which is between the last dim and those before"},
    {"ravel_multi_index", "i * n + y"},
    {"apply_along_axis", "x.sum(axis=0), where the op takes an axis"},
    {"unique_consecutive", "x[1:][x[1:] != x[:-1]], and the first element"},
};

enum { KNOWN = sizeof known / sizeof *known, PARAMETERS = sizeof parameters / sizeof *parameters };
enum { ELSEWHERE = sizeof elsewhere / sizeof *elsewhere };

/* Tells whether the name is one of the words, each of which has a space in front. */
static bool has_word(const char *words, struct text_span name)
{
    for (const char *at = words; (at = strchr(at, ' '));)
        if (!strncmp(++at, name.text, name.length) && strchr(" ", at[name.length])) return true;
    return false;
}

/* Who has the name by a table; -1 where it stands in none of the texts. */
static int find(const struct origin *table, size_t count, struct text_span name)
{
    for (size_t i = 0; i < count; i++)
        if (has_word(table[i].names, name)) return (int)table[i].origins;
    return -1;
}

static unsigned origins_of(struct text_span name)
{
    const int found = find(known, KNOWN, name);
    if (found >= 0) return (unsigned)found;
    if (name.length < 2 || name.text[name.length - 1] != '_') return 0;
    name.length--;
    return origins_of(name) & STRIA_IN_TORCH;
}

unsigned stria__origins(const struct function *row, struct text_span name)
{
    static const unsigned meant[] = {[WORLD_ANY] =
                                         STRIA_IN_TORCH | STRIA_IN_NUMPY | STRIA_IN_ARRAY_API,
                                     [WORLD_TORCH] = STRIA_IN_TORCH,
                                     [WORLD_NUMPY] = STRIA_IN_NUMPY | STRIA_IN_ARRAY_API};
    return origins_of(name) & meant[row->world];
}

unsigned stria__parameter_origins(const struct function *row, const struct param *parameter,
                                  struct text_span name)
{
    struct text_span names = stria__signature_names(row->signature);
    const struct text_span first = stria__span_first(names);
    char text[80];
    if (stria__span_first(parameter->names).length == parameter->names.length) return 0;
    const int n = snprintf(text, sizeof text, "%.*s:%.*s", (int)first.length, first.text,
                           (int)name.length, name.text);
    int found = find(parameters, PARAMETERS, (struct text_span){text, (size_t)n});
    unsigned of_row = 0;
    if (found < 0) found = find(parameters, PARAMETERS, name);
    while (names.length)
        of_row |= stria__origins(row, stria__span_take(&names));
    return found < 0 ? 0 : (unsigned)found & of_row;
}

const char *stria_function_elsewhere(const char *name)
{
    if (!name) return NULL;
    for (size_t i = 0; i < ELSEWHERE; i++)
        if (stria__span_has((struct text_span){elsewhere[i].names, strlen(elsewhere[i].names)},
                            name))
            return elsewhere[i].write;
    return NULL;
}
