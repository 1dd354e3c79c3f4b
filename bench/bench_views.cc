/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of views: every view function of the library, under the names of docs/views.md, at 1, 4
 * and 8 dims as far as it allows them. aten/bench_views_aten.cc has the same rows in PyTorch's
 * library, and compare_views.py puts both beside NumPy. Functions that make several views tell how
 * many.
 */
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "support.h"

namespace
{

/* The arrays that a row works on, all dense in C order. */
enum class kind {
    fours,   /* An f32 array with sizes of 4. */
    complex, /* A c64 array with sizes of 4. */
    ones,    /* An f32 array with sizes of 1 and 4 in turns, the first one 1. */
    pairs,   /* An f32 array with sizes of 4, the last one 2. */
    records, /* Items of three f32, sizes of 4. */
    bytes    /* A u8 array with sizes of 4, the last one 12. */
};

struct inputs {
    stria_view a, b; /* The array b is f32, with sizes of 4 and as many dims. */
    stria_dtype u8, i32, record;
    /* The shape of a with the first dim split in two, and with the last two merged. */
    int64_t halved[9], merged[8];
};

struct row {
    const char *name;
    kind of;
    int least, most; /* Least and most dims. */
    int pieces;
    stria_status (*run)(stria_view *out, const inputs &in);
};

const int64_t fours[] = {4, 4, 4, 4, 4, 4, 4, 4, 4};
const int64_t twos[] = {2, 2, 2, 2, 2, 2, 2, 2, 2};
const int64_t item_strides[] = {4, 4, 4, 4, 4, 4, 4, 4, 4};
const int64_t middle[] = {2};
const int64_t flat[] = {-1};
const int ascending[] = {0, 1, 2, 3, 4, 5, 6, 7};
/* Permutations that reverse all dims, whatever the ndim. */
const int descending[] = {-1, -2, -3, -4, -5, -6, -7, -8};
int64_t count;

const std::vector<stria_index_item> every_second = [] {
    stria_index_item item = {};
    item.kind = STRIA_INDEX_SLICE;
    item.start = 0;
    item.stop = STRIA_NONE;
    item.step = 2;
    return std::vector<stria_index_item>(8, item);
}();

stria_status same_shape_as(stria_view *out, const inputs &in)
{
    return stria_view_as(out, &in.a, &in.b);
}

/* Makes an owner of the same memory: counted references, no new memory. */
stria_status reshape(stria_view *, const inputs &in)
{
    static stria_array made;
    const stria_status status =
        stria_reshape(&made, &in.a, 1, flat, STRIA_COPY_NEVER, nullptr, NULL);
    stria_array_release(&made);
    return status;
}

stria_status contiguous(stria_view *, const inputs &in)
{
    static stria_array made;
    const stria_status status = stria_contiguous(&made, &in.a, STRIA_ORDER_C, nullptr, NULL);
    stria_array_release(&made);
    return status;
}

const row rows[] = {
    /* ---- order of dims */
    {"permute", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_permute(o, &in.a, in.a.ndim, descending); }},
    {"transpose", kind::fours, 2, 8, 1, [](stria_view *o, const inputs &in) { return stria_transpose(o, &in.a, 0, -1); }},
    {"T", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_reverse_dims(o, &in.a); }},
    {"mT", kind::fours, 2, 8, 1, [](stria_view *o, const inputs &in) { return stria_matrix_transpose(o, &in.a); }},
    {"t", kind::fours, 1, 2, 1, [](stria_view *o, const inputs &in) { return stria_transpose_2d(o, &in.a); }},
    {"movedim", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_movedim(o, &in.a, 1, ascending, descending); }},
    {"rollaxis", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_rollaxis(o, &in.a, -1, 0); }},
    {"H", kind::complex, 2, 2, 1, [](stria_view *o, const inputs &in) { return stria_adjoint(o, &in.a); }},
    {"mH", kind::complex, 2, 8, 1, [](stria_view *o, const inputs &in) { return stria_matrix_adjoint(o, &in.a); }},

    /* ---- shape */
    {"view, split", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_view_shape(o, &in.a, in.a.ndim + 1, in.halved); }},
    {"view, merge", kind::fours, 2, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_view_shape(o, &in.a, in.a.ndim - 1, in.merged); }},
    {"view_as", kind::fours, 1, 8, 1, same_shape_as},
    {"reshape", kind::fours, 1, 8, 1, reshape},
    {"flatten", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_flatten(o, &in.a, 0, -1); }},
    {"ravel", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_ravel(o, &in.a, STRIA_ORDER_C); }},
    {"unflatten", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_unflatten(o, &in.a, 0, 2, twos); }},
    {"squeeze", kind::ones, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_squeeze(o, &in.a); }},
    {"squeeze, dims", kind::ones, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_squeeze_dims(o, &in.a, 1, ascending, true); }},
    {"unsqueeze", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_unsqueeze(o, &in.a, 0); }},
    {"expand_dims", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_expand_dims(o, &in.a, 2, ascending); }},
    {"atleast_1d", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_atleast_1d(o, &in.a); }},
    {"atleast_2d", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_atleast_2d(o, &in.a); }},
    {"atleast_3d", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_atleast_3d(o, &in.a); }},

    /* ---- indexing */
    {"index", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_index(o, &in.a, in.a.ndim, every_second.data()); }},
    {"select", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_select(o, &in.a, 0, 1); }},
    {"narrow", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_narrow(o, &in.a, -1, 1, 2); }},
    {"slice", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_slice(o, &in.a, 0, 0, STRIA_NONE, 2); }},

    /* ---- splitting */
    {"split", kind::fours, 1, 8, 4, [](stria_view *o, const inputs &in) { return stria_split(o, 4, &count, &in.a, 1, 0); }},
    {"split_with_sizes", kind::fours, 1, 8, 2,
     [](stria_view *o, const inputs &in) { return stria_split_sizes(o, 2, &count, &in.a, 2, twos, 0); }},
    {"split, equal", kind::fours, 1, 8, 2,
     [](stria_view *o, const inputs &in) { return stria_split_equal(o, 2, &count, &in.a, 2, 0); }},
    {"chunk", kind::fours, 1, 8, 2, [](stria_view *o, const inputs &in) { return stria_chunk(o, 2, &count, &in.a, 2, 0); }},
    {"tensor_split", kind::fours, 1, 8, 3,
     [](stria_view *o, const inputs &in) { return stria_tensor_split(o, 3, &count, &in.a, 3, 0); }},
    {"tensor_split, indices", kind::fours, 1, 8, 2,
     [](stria_view *o, const inputs &in) { return stria_tensor_split_at(o, 2, &count, &in.a, 1, middle, 0); }},
    {"hsplit", kind::fours, 1, 8, 2, [](stria_view *o, const inputs &in) { return stria_hsplit(o, 2, &count, &in.a, 2); }},
    {"hsplit, indices", kind::fours, 1, 8, 2,
     [](stria_view *o, const inputs &in) { return stria_hsplit_at(o, 2, &count, &in.a, 1, middle); }},
    {"vsplit", kind::fours, 2, 8, 2, [](stria_view *o, const inputs &in) { return stria_vsplit(o, 2, &count, &in.a, 2); }},
    {"vsplit, indices", kind::fours, 2, 8, 2,
     [](stria_view *o, const inputs &in) { return stria_vsplit_at(o, 2, &count, &in.a, 1, middle); }},
    {"dsplit", kind::fours, 3, 8, 2, [](stria_view *o, const inputs &in) { return stria_dsplit(o, 2, &count, &in.a, 2); }},
    {"dsplit, indices", kind::fours, 3, 8, 2,
     [](stria_view *o, const inputs &in) { return stria_dsplit_at(o, 2, &count, &in.a, 1, middle); }},
    {"unbind", kind::fours, 1, 8, 4, [](stria_view *o, const inputs &in) { return stria_unbind(o, 4, &count, &in.a, 0); }},

    /* ---- broadcasting */
    {"expand", kind::ones, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_expand(o, &in.a, in.a.ndim, fours); }},
    {"expand, new dim", kind::ones, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_expand(o, &in.a, in.a.ndim + 1, fours); }},
    {"expand_as", kind::ones, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_expand_as(o, &in.a, &in.b); }},
    {"broadcast_to", kind::ones, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_broadcast_to(o, &in.a, in.a.ndim, fours); }},
    {"broadcast_to, new dim", kind::ones, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_broadcast_to(o, &in.a, in.a.ndim + 1, fours); }},
    {"broadcast_tensors", kind::ones, 1, 8, 2,
     [](stria_view *o, const inputs &in) {
         const stria_view *const both[] = {&in.a, &in.b};
         return stria_broadcast_tensors(o, 2, both);
     }},
    {"meshgrid", kind::fours, 1, 1, 4,
     [](stria_view *o, const inputs &in) {
         const stria_view *const axes[] = {&in.a, &in.b, &in.a, &in.b};
         return stria_meshgrid(o, 4, axes, 0);
     }},

    /* ---- windows, diagonals, flips */
    {"flip", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_flip(o, &in.a, in.a.ndim, ascending); }},
    {"fliplr", kind::fours, 2, 8, 1, [](stria_view *o, const inputs &in) { return stria_fliplr(o, &in.a); }},
    {"flipud", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_flipud(o, &in.a); }},
    {"rot90", kind::fours, 2, 8, 1, [](stria_view *o, const inputs &in) { return stria_rot90(o, &in.a, 1, 0, 1); }},
    {"diagonal", kind::fours, 2, 8, 1, [](stria_view *o, const inputs &in) { return stria_diagonal(o, &in.a, 0, 0, 1); }},
    {"linalg_diagonal", kind::fours, 2, 8, 1, [](stria_view *o, const inputs &in) { return stria_diagonal(o, &in.a, 0, -2, -1); }},
    {"unfold", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_unfold(o, &in.a, 0, 2, 1); }},
    {"sliding_window_view", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_sliding_window_view(o, &in.a, 1, twos, ascending, false); }},
    {"as_strided", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_as_strided(o, &in.a, in.a.ndim, twos, item_strides, 0); }},
    {"as_strided, from element 0", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_as_strided_from(o, &in.a, in.a.ndim, twos, item_strides, 0); }},

    /* ---- dtypes, records, complex numbers */
    {"view dtype, same size", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_view_dtype(o, &in.a, in.i32); }},
    {"view dtype, bytes", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_view_dtype(o, &in.a, in.u8); }},
    {"view dtype, axis", kind::fours, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_view_dtype_dim(o, &in.a, in.u8, -1); }},
    {"view dtype, record", kind::bytes, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_view_dtype(o, &in.a, in.record); }},
    {"newbyteorder", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_newbyteorder(o, &in.a); }},
    {"getfield", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_getfield(o, &in.a, in.u8, 1); }},
    {"asmatrix", kind::fours, 1, 2, 1,
     [](stria_view *o, const inputs &in) { return stria_view_as_class(o, &in.a, STRIA_CLASS_MATRIX); }},
    {"view_field", kind::records, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_view_field(o, &in.a, "z"); }},
    {"structured_to_unstructured", kind::records, 1, 8, 1,
     [](stria_view *o, const inputs &in) { return stria_view_fields(o, &in.a); }},
    {"real", kind::complex, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_real(o, &in.a); }},
    {"imag", kind::complex, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_imag(o, &in.a); }},
    {"view_as_real", kind::complex, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_view_as_real(o, &in.a); }},
    {"view_as_complex", kind::pairs, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_view_as_complex(o, &in.a); }},
    {"conj", kind::complex, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_conj(o, &in.a); }},
    {"_neg_view", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_neg_view(o, &in.a); }},

    /* ---- memory */
    {"contiguous", kind::fours, 1, 8, 1, contiguous},
    {"storage", kind::fours, 1, 8, 1, [](stria_view *o, const inputs &in) { return stria_storage(o, &in.a); }},
};

stria_dtype record_of_floats()
{
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    const stria_field fields[] = {{"x", nullptr, f32, STRIA_OFFSET_NEXT, 0, nullptr},
                                  {"y", nullptr, f32, STRIA_OFFSET_NEXT, 0, nullptr},
                                  {"z", nullptr, f32, STRIA_OFFSET_NEXT, 0, nullptr}};
    stria_dtype made;
    bench::check(stria_record_make(&made, 3, fields, 0, false));
    return made;
}

void make(stria_view *out, kind of, int ndim, stria_buffer *buffer, stria_dtype record)
{
    int64_t shape[8];
    for (int d = 0; d < ndim; d++)
        shape[d] = of == kind::ones && d % 2 == 0 ? 1 : 4;
    if (of == kind::pairs) shape[ndim - 1] = 2;
    if (of == kind::bytes) shape[ndim - 1] = 12;
    const stria_dtype dtype = of == kind::records   ? record
                              : of == kind::bytes   ? stria_dtype_of(STRIA_U8)
                              : of == kind::complex ? stria_dtype_of(STRIA_C64)
                                                    : stria_dtype_of(STRIA_F32);
    bench::check(stria_view_make(out, buffer, dtype, ndim, shape, nullptr, 0));
}

void view(benchmark::State &state, const row &r)
{
    const int ndim = static_cast<int>(state.range(0));
    stria_buffer *buffer;
    stria_view out[4];
    inputs in = {};
    std::fill(std::begin(in.halved), std::end(in.halved), 4);
    std::fill(std::begin(in.merged), std::end(in.merged), 4);
    in.halved[0] = in.halved[1] = 2;
    if (ndim > 1) in.merged[ndim - 2] = 16;
    in.u8 = stria_dtype_of(STRIA_U8);
    in.i32 = stria_dtype_of(STRIA_I32);
    in.record = record_of_floats();
    bench::check(stria_buffer_meta(&buffer, int64_t{12} << 2 * ndim));
    make(&in.a, r.of, ndim, buffer, in.record);
    make(&in.b, kind::fours, ndim, buffer, in.record);
    bench::check(r.run(out, in));
    for (auto _ : state) {
        benchmark::DoNotOptimize(r.run(out, in));
        benchmark::DoNotOptimize(out);
    }
    state.counters["views"] = r.pieces;
    stria_buffer_release(buffer);
    stria_dtype_release(in.record);
}

const bool registered = [] {
    for (const row &r : rows) {
        auto *made = benchmark::RegisterBenchmark((std::string("view/") + r.name).c_str(), view, r);
        for (const int ndim : {1, 2, 4, 8})
            if (ndim >= r.least && ndim <= r.most && (ndim != 2 || r.least == 2 || r.most == 2))
                made->Arg(ndim);
    }
    return true;
}();

} // namespace
