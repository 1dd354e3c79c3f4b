# SPDX-License-Identifier: BSD-3-Clause
# Written by bindings/python/tools/page.py.
"""Strided arrays: every view of PyTorch and NumPy as an array that shares memory, and the functions of both,
with the same bits for every layout, instruction set and number of threads.

    >>> import stria as st
    >>> x = st.arange(6.0).reshape(2, 3)          # memory of NumPy and PyTorch: st.asarray(a), without a copy
    >>> x.T[:, ::-1] * 2 + 1                      # views move no byte
    >>> st.sum(x, axis=0), x.mean(), x[x > 2]
    >>> help(st.sum)                              # how a function is called, and an example

The namespace is that of the Array API 2025.12; the names of NumPy and PyTorch are beside it, and nearly all are methods of
st.Array, too. Whether a name means NumPy's or PyTorch's function follows the rule, NumPy's but within st.promotion("torch").
NAME_ writes into its first argument, NAME_copy gives new memory where NAME gives a view; both are left out below.

Settings: promotion, checked, threads, no_copies, copies (with-statements), set_threads,
get_threads, set_keep_limit; isa_name and machine_profile tell of the machine. Others' memory: asarray, from_dlpack.
Files: load, save, create, flush.   Text: eval.   In few passes: fused, lazy, compute, explain.   Random numbers: st.random.
Solvers and norms: st.linalg.   Dtypes: dtype, finfo, iinfo, can_cast, isdtype, and each by its name, as st.float32.
Functions by element are st.ufunc, with reduce, accumulate, reduceat, outer and at. Errors are derived of st.Error.

Math by element:
    abs, absolute, acos, acosh, add, add_checked, addcdiv, addcmul, angle, arccos, arccosh, arcsin, arcsinh, arctan,
    arctan2, arctanh, around, asin, asinh, atan, atan2, atanh, bitwise_and, bitwise_count, bitwise_invert,
    bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift, bitwise_xor, cbrt, ceil, celu, choose, clamp,
    clip, clz, copysign, cos, cosh, cospi, count_leading_zeros, cross, deg2rad, degrees, digamma, div, divide, elu,
    entr, eq, equal, erf, erfc, erfcx, erfinv, exp, exp10, exp2, expit, expm1, fabs, fix, float_power, floor,
    floor_divide, floor_divide_checked, fma, fmax, fmin, fmod, frac, gamma, gammaln, gcd, ge, gelu, gelu_tanh,
    greater, greater_equal, gt, hardshrink, hardsigmoid, hardswish, heaviside, hypot, i0, i0e, i1e, invert,
    isfinite, isinf, isnan, isneginf, isposinf, kron, lcm, ldexp, le, leaky_relu, left_shift, lerp, less,
    less_equal, lgamma, log, log10, log1p, log2, log_expit, log_ndtr, log_sigmoid, logaddexp, logaddexp2,
    logical_and, logical_not, logical_or, logical_xor, logit, logsigmoid, lt, maximum, minimum, mish, mod, mul,
    multiply, multiply_checked, ndtri, ne, neg, negative, negative_checked, nextafter, not_equal, positive, pow,
    power, psi, quotient, rad2deg, radians, reciprocal, relu, relu6, remainder, remainder_checked, right_shift,
    rint, round, round_decimals, rsqrt, selu, sgn, sigmoid, sign, signbit, silu, sin, sinc, sinh, sinpi, softplus,
    softshrink, spacing, sqrt, square, sub, subtract, subtract_checked, tan, tanh, tgamma, threshold, true_divide,
    trunc, where, xlog1py, xlogy

Scans, quantiles, comparisons:
    allclose, array_equal, bincount, bucketize, corrcoef, cov, cummax, cummin, cumprod, cumsum, cumulative_prod,
    cumulative_sum, diff, digitize, fold_op, gradient, histc, histogram, inner_op, interp, isclose, label_op,
    logcumsumexp, median, nan_to_num, nancumprod, nancumsum, nanmedian, nanpercentile, nanquantile, outer_op,
    percentile, quantile, scan_op, searchsorted, segment_max, segment_min, segment_op, segment_prod, segment_reduce,
    segment_sum

Reductions:
    all, amax, amin, aminmax, any, argmax, argmin, average, bits_and, bits_or, bits_xor, count_nonzero, logsumexp,
    max, mean, min, nanargmax, nanargmin, nanmax, nanmean, nanmin, nanprod, nanstd, nansum, nanvar, norm, prod, ptp,
    std, std_mean, sum, var, var_mean, vecdot, vector_norm

Questions:
    broadcast_shapes, data_ptr, dim, element_size, is_conj, is_contiguous, is_neg, is_view, itemsize, len,
    may_share_memory, nbytes, ndim, ndimension, nelement, numel, overlaps_itself, promote_types, result_type,
    retained_bytes, shape, shares_memory, size, storage_offset, stride, strides

Joining, repeating:
    block_diag, cat, column_stack, concat, concatenate, diag, diag_embed, dstack, hstack, repeat, repeat_interleave,
    resize, roll, row_stack, stack, tile, trace, tril, triu, vstack

Indexing by arrays:
    argwhere, compress, diagonal_scatter, extract, gather, index_select, masked_select, nonzero, packbits,
    ravel_multi_index, select_scatter, slice_scatter, take, take_along_axis, take_along_dim, unpackbits,
    unravel_index

Sorting:
    argpartition, argsort, index_of, isin, kthvalue, lexsort, msort, partition, rankdata, sort, top_k, topk, unique,
    unique_in_order, unique_values

Sparse arrays:
    ccol_indices, coalesce, col_indices, crow_indices, dense_dim, is_coalesced, row_indices, sparse_coo_tensor,
    sparse_csc_tensor, sparse_csr_tensor, sparse_dim, to_dense, to_sparse, to_sparse_csr, values

New arrays:
    empty, empty_like, empty_permuted, empty_strided, full, full_like, new_empty, new_empty_strided, new_full,
    new_ones, new_zeros, ones, ones_like, zeros, zeros_like

Order of dims:
    T, adjoint, mH, mT, matrix_transpose, moveaxis, movedim, permute, permute_dims, rollaxis, swapaxes, swapdims, t,
    transpose

Splitting:
    array_split, chunk, dsplit, hsplit, split, split_with_sizes, tensor_split, unbind, unsafe_chunk, unsafe_split,
    unsafe_split_with_sizes, unstack, vsplit

Writing by arrays:
    copyto, fill, index_add, index_fill, index_put, index_reduce, masked_fill, masked_scatter, op_at,
    put_along_axis, scatter, scatter_add, scatter_reduce

Shape:
    atleast_1d, atleast_2d, atleast_3d, expand_dims, flatten, ravel, reshape, reshape_as, squeeze, unflatten,
    unsqueeze, view_as

New arrays by a rule:
    arange, eye, linspace, normal, permutation, rand, randint, randn, randperm, tri, uniform

Matrix products:
    bmm, dot, einsum, ger, inner, matmul, matvec, mm, mv, outer, tensordot

Windows, padding:
    conv, conv1d, conv2d, conv3d, convolve, correlate, pad, window_max, window_mean, window_min, window_sum

Windows, diagonals, flips:
    as_strided, diagonal, flip, fliplr, flipud, linalg_diagonal, rot90, sliding_window_view, unfold

Copies, conversions:
    ascontiguousarray, asfortranarray, astype, clone, compact, contiguous, copy, to, type_as

Complex numbers:
    conj, conjugate, imag, real, resolve_conj, resolve_neg, view_as_complex, view_as_real

Exact sums:
    exact_dot, exact_kurtosis, exact_mean, exact_skew, exact_std, exact_sum, exact_var, fsum

Dtype:
    asmatrix, getfield, newbyteorder, storage, structured_to_unstructured, untyped_storage, view

The array itself:
    alias, cpu, detach, lift, lift_fresh, pin_memory

Broadcasting:
    broadcast_arrays, broadcast_tensors, broadcast_to, expand, expand_as, meshgrid

Arrays of data, conversions by name:
    array, as_tensor, asanyarray, asarray, tensor

Math with two results:
    divmod, frexp, modf, sincos

In place:
    byteswap, permute_in_place, transpose_in_place

Linear algebra:
    det, inverse, slogdet

Indexing:
    narrow, select, slice
"""

import sys


class Names(list):
    """The public names of the package. pydoc asks for each whether it is shown: it shows the page alone, where all that is
    said of them would be 19,000 lines."""

    def __contains__(self, name):
        return sys._getframe(1).f_globals.get("__name__") != "pydoc" and super().__contains__(name)
