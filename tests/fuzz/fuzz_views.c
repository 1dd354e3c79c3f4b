/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of view functions on layouts of every kind, extreme ones included, on bounds of 0 to
 * 2^63 - 1 bytes. Each result lies in its memory, whatever the arguments were; each refusal has a
 * message and changes nothing; in place or not, the result is the same.
 */
#include <string.h>

#include "base/integers.h"
#include "input.h"
#include "base/status.h"
#include "stria/stria.h"
#include "support/by_value.h"

enum { STEPS = 12, SIZES = 6, DTYPES = 8 };

struct args {
    int n, dims[2 * SIZES];
    int64_t x[2 * SIZES];
    stria_index_item items[SIZES];
    stria_order order;
    stria_dtype dtype;
    const char *name;
    uint32_t bits;
};

static int64_t take_number(struct input *in)
{
    static const int64_t far[] = {INT64_MAX,
                                  INT64_MIN,
                                  INT64_MAX - 1,
                                  INT64_MIN + 1,
                                  INT64_C(1) << 62,
                                  -(INT64_C(1) << 62),
                                  INT64_C(1) << 31,
                                  INT64_C(1) << 32,
                                  INT64_C(1) << 40,
                                  7,
                                  64,
                                  65};
    const int kind = take_below(in, 32);
    return kind < 12 ? far[kind] : kind < 28 ? kind - 16 : take_below(in, 256) * 16;
}

static int take_dim(struct input *in, int ndim)
{
    const int kind = take_below(in, 16);
    if (kind == 15) return (int)take_number(in);
    if (kind == 14) return take_below(in, 2) ? INT32_MAX : INT32_MIN;
    return take_below(in, ndim + 2) - (kind % 2 ? 1 : ndim + 1);
}

static void take_args(struct args *out, struct input *in, const stria_view *v,
                      const stria_dtype *dtypes)
{
    static const char *const names[] = {"a", "b", "z", "x", "y", "x.b", "y.a", "", "x."};
    const int ndim = v->ndim, n = ndim < SIZES ? ndim : SIZES;
    out->n = take_once(in, 4) ? take_below(in, SIZES + 1) : n;
    for (int i = 0; i < 2 * SIZES; i++) {
        out->dims[i] = take_dim(in, ndim);
        out->x[i] = take_number(in);
    }
    for (int i = 0; i < SIZES; i++)
        out->items[i] = (stria_index_item){(stria_index_kind)take_below(in, 4),
                                           take_once(in, 3) ? STRIA_NONE : take_number(in),
                                           take_once(in, 2) ? STRIA_NONE : take_number(in),
                                           take_once(in, 2) ? STRIA_NONE : take_number(in), NULL};
    /* Two times in three the dims are a permutation and the sizes those of the view. */
    const int turn = take_below(in, 3 * SIZES);
    for (int i = 0; turn < 2 * SIZES && i < n; i++) {
        out->dims[i] = (i + turn) % ndim;
        if (out->x[i] != 1) out->x[i] = v->shape[turn % 2 ? n - 1 - i : i];
    }
    out->order = (stria_order)take_below(in, 9);
    out->dtype = dtypes[take_below(in, DTYPES)];
    out->name = names[take_below(in, 9)];
    out->bits = (uint32_t)take_below(in, 5) << 8;
}

/* ---- the functions, by what they take ------------------------------------------------------ */

typedef stria_status plain_op(stria_view *, const stria_view *);
typedef stria_status dims_op(stria_view *, const stria_view *, int, const int *);
typedef stria_status shape_op(stria_view *, const stria_view *, int, const int64_t *);
typedef stria_status pair_op(stria_view *, const stria_view *, int, int);

/* Functions with parameters that no other function has. */
enum other {
    NONE,
    MOVEDIM,
    UNFLATTEN,
    SQUEEZE_DIMS,
    UNSQUEEZE,
    INDEX,
    SELECT,
    NARROW,
    SLICE,
    ROT90,
    DIAGONAL,
    UNFOLD,
    SLIDING_WINDOW_VIEW,
    AS_STRIDED,
    AS_STRIDED_FROM,
    VIEW_DTYPE,
    VIEW_FIELD,
    GETFIELD,
    RAVEL,
    VIEW_SHAPE_ORDER,
    VIEW_AS_CLASS
};

static const struct op {
    const char *name;
    plain_op *plain;
    dims_op *dims;
    shape_op *shape;
    pair_op *pair;
    enum other other;
} ops[] = {
    {"T", .plain = stria_reverse_dims},
    {"mT", .plain = stria_matrix_transpose},
    {"t", .plain = stria_transpose_2d},
    {"H", .plain = stria_adjoint},
    {"mH", .plain = stria_matrix_adjoint},
    {"squeeze", .plain = stria_squeeze},
    {"atleast_1d", .plain = stria_atleast_1d},
    {"atleast_2d", .plain = stria_atleast_2d},
    {"atleast_3d", .plain = stria_atleast_3d},
    {"fliplr", .plain = stria_fliplr},
    {"flipud", .plain = stria_flipud},
    {"real", .plain = stria_real},
    {"imag", .plain = stria_imag},
    {"view_as_real", .plain = stria_view_as_real},
    {"view_as_complex", .plain = stria_view_as_complex},
    {"conj", .plain = stria_conj},
    {"neg_view", .plain = stria_neg_view},
    {"newbyteorder", .plain = stria_newbyteorder},
    {"view_fields", .plain = stria_view_fields},
    {"storage", .plain = stria_storage},
    {"permute", .dims = stria_permute},
    {"flip", .dims = stria_flip},
    {"expand_dims", .dims = stria_expand_dims},
    {"view_shape", .shape = stria_view_shape},
    {"expand", .shape = stria_expand},
    {"broadcast_to", .shape = stria_broadcast_to},
    {"transpose", .pair = stria_transpose},
    {"flatten", .pair = stria_flatten},
    {"rollaxis", .pair = stria_rollaxis},
    {.name = "movedim", .other = MOVEDIM},
    {.name = "unflatten", .other = UNFLATTEN},
    {.name = "squeeze_dims", .other = SQUEEZE_DIMS},
    {.name = "unsqueeze", .other = UNSQUEEZE},
    {.name = "index", .other = INDEX},
    {.name = "select", .other = SELECT},
    {.name = "narrow", .other = NARROW},
    {.name = "slice", .other = SLICE},
    {.name = "rot90", .other = ROT90},
    {.name = "diagonal", .other = DIAGONAL},
    {.name = "unfold", .other = UNFOLD},
    {.name = "sliding_window_view", .other = SLIDING_WINDOW_VIEW},
    {.name = "as_strided", .other = AS_STRIDED},
    {.name = "as_strided_from", .other = AS_STRIDED_FROM},
    {.name = "view_dtype", .other = VIEW_DTYPE},
    {.name = "view_field", .other = VIEW_FIELD},
    {.name = "getfield", .other = GETFIELD},
    {.name = "ravel", .other = RAVEL},
    {.name = "view_shape_order", .other = VIEW_SHAPE_ORDER},
    {.name = "view_as_class", .other = VIEW_AS_CLASS},
};
enum { OPS = sizeof ops / sizeof ops[0] };

static stria_status call_other(int op, stria_view *to, const stria_view *a, const struct args *s)
{
    const int *d = s->dims;
    const int64_t *x = s->x;
    const bool flag = s->bits & 0x100;
    switch (ops[op].other) {
    case MOVEDIM: return stria_movedim(to, a, s->n, d, d + SIZES);
    case UNFLATTEN: return stria_unflatten(to, a, d[0], s->n, x);
    case SQUEEZE_DIMS: return stria_squeeze_dims(to, a, s->n, d, flag);
    case UNSQUEEZE: return stria_unsqueeze(to, a, d[0]);
    case INDEX: return stria_index(to, a, s->n, s->items);
    case SELECT: return stria_select(to, a, d[0], x[0]);
    case NARROW: return stria_narrow(to, a, d[0], x[0], x[1]);
    case SLICE: return stria_slice(to, a, d[0], x[0], x[1], x[2]);
    case ROT90: return stria_rot90(to, a, x[0], d[0], d[1]);
    case DIAGONAL: return stria_diagonal(to, a, x[0], d[0], d[1]);
    case UNFOLD: return stria_unfold(to, a, d[0], x[0], x[1]);
    case SLIDING_WINDOW_VIEW:
        return stria_sliding_window_view(to, a, s->n, x, flag ? d : NULL, flag);
    case AS_STRIDED: return stria_as_strided(to, a, s->n, x, x + SIZES, s->items[0].start);
    case AS_STRIDED_FROM:
        return stria_as_strided_from(to, a, s->n, x, x + SIZES, s->items[0].start);
    case VIEW_DTYPE: return stria_view_dtype_dim(to, a, s->dtype, d[0]);
    case VIEW_FIELD: return stria_view_field(to, a, s->name);
    case GETFIELD: return stria_getfield(to, a, s->dtype, x[0]);
    case RAVEL: return stria_ravel(to, a, s->order);
    case VIEW_SHAPE_ORDER: return stria_view_shape_order(to, a, s->n, x, s->order);
    default: return stria_view_as_class(to, a, s->bits);
    }
}

static stria_status call(int op, stria_view *to, const stria_view *a, const struct args *s)
{
    const struct op *o = &ops[op];
    if (o->plain) return o->plain(to, a);
    if (o->dims) return o->dims(to, a, s->n, s->dims);
    if (o->shape) return o->shape(to, a, s->n, s->x);
    if (o->pair) return o->pair(to, a, s->dims[0], s->dims[1]);
    return call_other(op, to, a, s);
}

/* ---- what must hold ------------------------------------------------------------------------ */

/* Checks by the definition that every element's address, summed up without wrapping, lies in the
 * storage. */
static void check_view(const stria_view *v, const stria_buffer *memory, const char *op)
{
    int64_t numel = 1, low = v->data - stria_buffer_data(memory), high = low;
    bool empty = false;
    MUST(v->buffer == memory && v->ndim >= 0 && v->ndim <= STRIA_MAX_NDIM, op);
    for (int d = 0; d < v->ndim; d++) {
        MUST(v->shape[d] >= 0, op);
        empty |= v->shape[d] == 0;
        MUST(v->shape[d] == 0 || !mul_overflows(numel, v->shape[d], &numel), op);
    }
    for (int d = 0; !empty && d < v->ndim; d++) {
        int64_t reach = 0;
        if (v->shape[d] == 1) continue;
        MUST(!mul_overflows(v->shape[d] - 1, v->strides[d], &reach), op);
        MUST(reach < 0 ? !add_overflows(low, reach, &low) : !add_overflows(high, reach, &high), op);
    }
    MUST(empty || !add_overflows(high, v->dtype.itemsize, &high), op);
    MUST(low >= 0 && high <= stria_buffer_size(memory), op);
    MUST(stria_numel(v) == (empty ? 0 : numel), op);
    (void)stria_is_contiguous(v, STRIA_ORDER_C);
    (void)stria_is_view(v);
    (void)stria_is_aligned(v);
    (void)stria_overlaps_itself(v, 100);
}

/* Checks that a view made from `source` lies in its memory and has no more rights. */
static void check_part(const stria_view *v, const stria_view *of, const char *op)
{
    check_view(v, of->buffer, op);
    MUST((v->flags & STRIA_READONLY) >= (of->flags & STRIA_READONLY), op);
}

static void check_refused(const stria_view *found, const stria_view *before, const char *op)
{
    MUST(stria_last_error()[0] != 0, op);
    MUST(memcmp(found, before, sizeof *found) == 0, op);
}

/* Takes one step of the chain: v becomes its result if there is one. */
static void step(stria_view *v, struct input *in, const stria_dtype *dtypes)
{
    const int op = take_below(in, OPS);
    struct args args;
    stria_view other, scribbled, in_place;
    take_args(&args, in, v, dtypes);
    memset(&scribbled, 0x5a, sizeof scribbled);
    memcpy(&other, &scribbled, sizeof other);
    memcpy(&in_place, v, sizeof in_place);
    (void)stria__fail(STRIA_OK, "%s", "");
    const stria_status status = call(op, &other, v, &args);
    if (status != STRIA_OK) check_refused(&other, &scribbled, ops[op].name);
    MUST(call(op, &in_place, &in_place, &args) == status, ops[op].name);
    if (status != STRIA_OK) {
        check_refused(&in_place, v, ops[op].name);
        return;
    }
    check_part(&other, v, ops[op].name);
    MUST(stria_same_view(&other, &in_place), ops[op].name);
    memcpy(v, &in_place, sizeof *v);
}

/* Splits one view into several; the chain goes on with the first. */
static void split(stria_view *v, struct input *in)
{
    enum { ROOM = 5 };
    static const char *const names[] = {"split",        "chunk",       "tensor_split", "unbind",
                                        "tensor_split", "split_sizes", "split_equal"};
    stria_view out[ROOM], before[ROOM];
    int64_t count = 0, x[SIZES];
    const int kind = take_below(in, 7), dim = take_dim(in, v->ndim), n = take_below(in, SIZES);
    for (int i = 0; i < SIZES; i++)
        x[i] = take_number(in);
    memset(out, 0x5a, sizeof out);
    memcpy(before, out, sizeof out);
    (void)stria__fail(STRIA_OK, "%s", "");
    stria_status status = STRIA_OK;
    switch (kind) {
    case 0: status = stria_split(out, ROOM, &count, v, x[0], dim); break;
    case 1: status = stria_chunk(out, ROOM, &count, v, x[0], dim); break;
    case 2: status = stria_tensor_split(out, ROOM, &count, v, x[0], dim); break;
    case 3: status = stria_unbind(out, ROOM, &count, v, dim); break;
    case 4: status = stria_tensor_split_at(out, ROOM, &count, v, n, x, dim); break;
    case 5: status = stria_split_sizes(out, ROOM, &count, v, n, x, dim); break;
    default: status = stria_split_equal(out, ROOM, &count, v, x[0], dim); break;
    }
    if (status != STRIA_OK) {
        MUST(stria_last_error()[0] != 0, names[kind]);
        MUST(memcmp(out, before, sizeof out) == 0, names[kind]);
        return;
    }
    MUST(count >= 0 && count <= ROOM, names[kind]);
    for (int64_t i = 0; i < count; i++)
        check_part(&out[i], v, names[kind]);
    if (count > 0) memcpy(v, &out[0], sizeof *v);
}

/* ---- layouts ------------------------------------------------------------------------------- */

static bool make_dtypes(stria_dtype *out)
{
    static const int64_t pair[] = {2, 3}, none[] = {0, INT64_C(1) << 62};
    const stria_field fields[] = {
        {"a", NULL, stria_dtype_of(STRIA_F32), STRIA_OFFSET_NEXT, 0, NULL},
        {"b", NULL, stria_dtype_of(STRIA_F32), STRIA_OFFSET_NEXT, 2, pair},
        {"z", NULL, stria_dtype_of(STRIA_F64), STRIA_OFFSET_NEXT, 2, none}};
    out[0] = stria_dtype_of(STRIA_U8);
    out[1] = stria_dtype_of(STRIA_F32);
    out[2] = stria_dtype_of(STRIA_F64);
    out[3] = stria_dtype_of(STRIA_C64);
    out[4] = stria_dtype_of(STRIA_C128);
    if (stria_dtype_sized(&out[5], STRIA_VOID, 0) != STRIA_OK ||
        stria_record_make(&out[6], 3, fields, 0, false) != STRIA_OK)
        return false;
    const stria_field outer[] = {{"x", NULL, out[6], STRIA_OFFSET_NEXT, 0, NULL},
                                 {"y", NULL, out[6], STRIA_OFFSET_NEXT, 1, pair}};
    return stria_record_make(&out[7], 2, outer, 0, true) == STRIA_OK;
}

static bool make_view(stria_view *out, struct input *in, stria_buffer *memory,
                      const stria_dtype *dtypes)
{
    int64_t shape[SIZES], strides[SIZES];
    const stria_dtype dtype = dtypes[take_below(in, DTYPES)];
    const int ndim = take_below(in, 5);
    const bool strided = take_below(in, 2), tame = !take_once(in, 6);
    for (int d = 0; d < ndim; d++) {
        shape[d] = tame ? take_below(in, 6) : take_number(in);
        strides[d] = tame ? (take_below(in, 64) - 20) * 4 : take_number(in);
    }
    const int64_t offset = tame ? 1024 * take_below(in, 2) : take_number(in);
    memset(out, 0, sizeof *out);
    return stria_view_make(out, memory, dtype, ndim, shape, strided ? strides : NULL, offset) ==
           STRIA_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int64_t sizes[] = {INT64_MAX, 1 << 20, 4096, 0};
    struct input in = {data, size};
    stria_dtype dtypes[DTYPES];
    stria_buffer *memory;
    stria_view v;
    MUST(make_dtypes(dtypes), "dtypes");
    MUST(stria_buffer_meta(&memory, sizes[take_below(&in, 4)]) == STRIA_OK, "buffer");
    if (make_view(&v, &in, memory, dtypes)) {
        check_view(&v, memory, "view_make");
        if (take_once(&in, 3)) v = readonly_of(&v);
        for (int i = 0; i < STEPS && in.left > 0; i++)
            if (take_once(&in, 8))
                split(&v, &in);
            else
                step(&v, &in, dtypes);
    }
    MUST(stria_buffer_references(memory) == 1, "references");
    stria_buffer_release(memory);
    stria_dtype_release(dtypes[7]);
    stria_dtype_release(dtypes[6]);
    return 0;
}
