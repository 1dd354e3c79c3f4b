/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases.h"

#include <numeric>

#include "support.h"

namespace bench
{

namespace
{

/* ---- views by name ----------------------------------------------------------------------------
 */

view_of permuted(std::vector<int> dims)
{
    return [dims](const stria_view &a) {
        stria_view out;
        check(stria_permute(&out, &a, static_cast<int>(dims.size()), dims.data()));
        return out;
    };
}

stria_view transposed(const stria_view &a)
{
    stria_view out;
    check(stria_reverse_dims(&out, &a));
    return out;
}

view_of sliced(int dim, int64_t start, int64_t stop, int64_t step)
{
    return [=](const stria_view &a) {
        stria_view out;
        check(stria_slice(&out, &a, dim, start, stop, step));
        return out;
    };
}

view_of flipped(std::vector<int> dims)
{
    return [dims](const stria_view &a) {
        stria_view out;
        check(stria_flip(&out, &a, static_cast<int>(dims.size()), dims.data()));
        return out;
    };
}

view_of expanded(shape to)
{
    return [to](const stria_view &a) {
        stria_view out;
        check(stria_expand(&out, &a, static_cast<int>(to.size()), to.data()));
        return out;
    };
}

/* ---- the table --------------------------------------------------------------------------------
 */

const char *name_of(stria_kind kind)
{
    static char text[16];
    (void)stria_dtype_format(text, sizeof text, NULL, stria_dtype_of(kind));
    return text;
}

std::string named(const std::string &family, stria_kind kind, const std::string &rest)
{
    return family + "/" + name_of(kind) + "/" + rest;
}

void add_flat(std::vector<copy_case> &cases)
{
    for (const int64_t kib : {4, 32, 256, 1024, 4096, 16384, 65536, 262144})
        cases.push_back({named("flat", STRIA_U8, std::to_string(kib) + "KiB"),
                         STRIA_U8,
                         {kib << 10},
                         nullptr,
                         {},
                         nullptr});
}

void add_transposes(std::vector<copy_case> &cases)
{
    for (const stria_kind kind : {STRIA_U8, STRIA_F16, STRIA_F32, STRIA_F64, STRIA_C128}) {
        for (const int64_t n : {64, 256, 1024, 4096})
            if (n < 4096 || kind != STRIA_C128) /* The array has 256 MiB. */
                cases.push_back(
                    {named("transpose", kind, std::to_string(n) + "x" + std::to_string(n)),
                     kind,
                     {n, n},
                     transposed,
                     {},
                     nullptr});
    }
    const shape odd[] = {{16, 16}, {4095, 4097}, {1000, 777}, {1000000, 3}, {3, 1000000}};
    for (const shape &s : odd)
        cases.push_back(
            {named("transpose", STRIA_F32, std::to_string(s[0]) + "x" + std::to_string(s[1])),
             STRIA_F32,
             s,
             transposed,
             {},
             nullptr});
}

void add_permutations(std::vector<copy_case> &cases)
{
    const stria_kind f32 = STRIA_F32;
    const shape cube = {256, 256, 256};
    cases.push_back({"permute/f32/256^3 (2,0,1)", f32, cube, permuted({2, 0, 1}), {}, nullptr});
    cases.push_back({"permute/f32/256^3 (1,2,0)", f32, cube, permuted({1, 2, 0}), {}, nullptr});
    cases.push_back({"permute/f32/256^3 (2,1,0)", f32, cube, permuted({2, 1, 0}), {}, nullptr});
    cases.push_back({"permute/f32/256^3 (1,0,2)", f32, cube, permuted({1, 0, 2}), {}, nullptr});
    cases.push_back({"permute/f32/256^3 (0,2,1)", f32, cube, permuted({0, 2, 1}), {}, nullptr});
    const shape heads = {32, 128, 12, 64};
    cases.push_back({"attention/f32/heads", f32, heads, permuted({0, 2, 1, 3}), {}, nullptr});
    cases.push_back({"attention/f16/heads", STRIA_F16, heads, permuted({0, 2, 1, 3}), {}, nullptr});
    cases.push_back({"attention/f32/keys", f32, heads, permuted({0, 2, 3, 1}), {}, nullptr});
    cases.push_back({"image/f32/NHWC to NCHW, 64 channels",
                     f32,
                     {32, 56, 56, 64},
                     permuted({0, 3, 1, 2}),
                     {},
                     nullptr});
    for (const stria_kind kind : {STRIA_U8, f32}) {
        cases.push_back({named("image", kind, "interleaved to planar, 3 channels"),
                         kind,
                         {32, 224, 224, 3},
                         permuted({0, 3, 1, 2}),
                         {},
                         nullptr});
        cases.push_back({named("image", kind, "planar to interleaved, 3 channels"),
                         kind,
                         {32, 3, 224, 224},
                         permuted({0, 2, 3, 1}),
                         {},
                         nullptr});
    }
    cases.push_back({"reversal/f32/64^4", f32, shape(4, 64), transposed, {}, nullptr});
    cases.push_back({"reversal/f32/16^6", f32, shape(6, 16), transposed, {}, nullptr});
    cases.push_back({"reversal/f64/2^23", STRIA_F64, shape(23, 2), transposed, {}, nullptr});
    cases.push_back({"reversal/f64/3^14", STRIA_F64, shape(14, 3), transposed, {}, nullptr});
}

void add_slices(std::vector<copy_case> &cases)
{
    const stria_kind f32 = STRIA_F32, u8 = STRIA_U8;
    const int64_t none = STRIA_NONE;
    cases.push_back({"slice/f32/16Mi[::2]", f32, {1 << 24}, sliced(0, none, none, 2), {}, nullptr});
    cases.push_back(
        {"slice/f32/4096x8192[:, ::2]", f32, {4096, 8192}, sliced(1, none, none, 2), {}, nullptr});
    cases.push_back(
        {"slice/u8/4096x12288[:, ::3]", u8, {4096, 12288}, sliced(1, none, none, 3), {}, nullptr});
    cases.push_back(
        {"slice/f32/8192x4096[:, :1024]", f32, {8192, 4096}, sliced(1, 0, 1024, 1), {}, nullptr});
    cases.push_back(
        {"slice/f32/131072x64[:, :37]", f32, {131072, 64}, sliced(1, 0, 37, 1), {}, nullptr});
    cases.push_back(
        {"slice/f32/8192x4096[::2]", f32, {8192, 4096}, sliced(0, none, none, 2), {}, nullptr});
    cases.push_back({"into/f32/8192x4096[:, :1024]",
                     f32,
                     {8192, 1024},
                     nullptr,
                     {8192, 4096},
                     sliced(1, 0, 1024, 1)});
    cases.push_back(
        {"into/f32/16Mi[::2]", f32, {1 << 23}, nullptr, {1 << 24}, sliced(0, none, none, 2)});
}

void add_flips_and_broadcasts(std::vector<copy_case> &cases)
{
    const stria_kind f32 = STRIA_F32, u8 = STRIA_U8;
    const shape square = {4096, 4096};
    cases.push_back({"flip/f32/last", f32, square, flipped({1}), {}, nullptr});
    cases.push_back({"flip/u8/last", u8, square, flipped({1}), {}, nullptr});
    cases.push_back({"flip/f32/first", f32, square, flipped({0}), {}, nullptr});
    cases.push_back(
        {"flip/u8/height and width", u8, {32, 224, 224, 3}, flipped({1, 2}), {}, nullptr});
    cases.push_back({"broadcast/f32/row", f32, {1, 4096}, expanded(square), {}, nullptr});
    cases.push_back({"broadcast/f32/column", f32, {4096, 1}, expanded(square), {}, nullptr});
    cases.push_back(
        {"broadcast/f32/middle", f32, {64, 1, 256}, expanded({64, 256, 256}), {}, nullptr});
    cases.push_back({"broadcast/u8/scalar", u8, {1}, expanded({1 << 26}), {}, nullptr});
}

stria_view dense(stria_kind kind, const shape &s, stria_buffer *buffer)
{
    stria_view out;
    check(stria_view_make(&out, buffer, stria_dtype_of(kind), static_cast<int>(s.size()), s.data(),
                          nullptr, 0));
    return out;
}

int64_t bytes_of(stria_kind kind, const shape &s)
{
    return std::accumulate(s.begin(), s.end(), int64_t{stria_dtype_of(kind).itemsize},
                           std::multiplies<int64_t>());
}

shape target_shape(const copy_case &c, const stria_view &source)
{
    return c.into.empty() ? shape(source.shape, source.shape + source.ndim) : c.into;
}

} // namespace

const std::vector<copy_case> &copy_cases()
{
    static const std::vector<copy_case> all = [] {
        std::vector<copy_case> cases;
        add_flat(cases);
        add_transposes(cases);
        add_permutations(cases);
        add_slices(cases);
        add_flips_and_broadcasts(cases);
        return cases;
    }();
    return all;
}

stria_view source_view(const copy_case &c, stria_buffer *buffer)
{
    const stria_view whole = dense(c.kind, c.from, buffer);
    return c.source ? c.source(whole) : whole;
}

stria_view target_view(const copy_case &c, const stria_view &source, stria_buffer *buffer)
{
    const stria_view whole = dense(c.kind, target_shape(c, source), buffer);
    return c.target ? c.target(whole) : whole;
}

int64_t source_bytes(const copy_case &c)
{
    return bytes_of(c.kind, c.from);
}

int64_t target_bytes(const copy_case &c, const stria_view &source)
{
    return bytes_of(c.kind, target_shape(c, source));
}

namespace
{

/* The views of a case in meta buffers, which end with this object. */
class described
{
  public:
    explicit described(const copy_case &c)
    {
        check(stria_buffer_meta(&from_, source_bytes(c)));
        src = source_view(c, from_);
        check(stria_buffer_meta(&to_, target_bytes(c, src)));
        dst = target_view(c, src, to_);
    }
    ~described()
    {
        stria_buffer_release(from_);
        stria_buffer_release(to_);
    }
    described(const described &) = delete;
    described &operator=(const described &) = delete;
    stria_view src, dst;

  private:
    stria_buffer *from_, *to_;
};

} // namespace

int64_t bytes_written(const copy_case &c)
{
    const described views(c);
    return stria_nbytes(&views.dst);
}

} // namespace bench
