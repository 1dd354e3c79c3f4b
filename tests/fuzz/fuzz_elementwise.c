/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations with the output, the inputs and the mask anywhere in one piece of memory
 * between inaccessible pages, of any dtypes and layouts. What an input that shares bytes with the
 * output holds is what it held before the call: the result is that of the same call with dense
 * copies of the operands, on another instruction set and other threads, bit for bit but for NaN.
 * Bytes that belong to no element stay, and whatever is refused changes nothing.
 */
#include <string.h>

#include "machine/dispatch.h"
#include "machine/machine.h"
#include "input.h"
#include "stria/stria.h"
#include "support/arithmetic.h"
#include "support/guard.h"
#include "support/random.h"

enum {
    BYTES = 1 << 14,
    DIMS = 4,
    INPUTS = 3,
    MASK = INPUTS,
    OPERANDS = INPUTS + 1,
    OUT = OPERANDS
};

struct world {
    char *memory;
    stria_buffer *buffer;
    stria_view views[OPERANDS + 1]; /* the inputs, the mask and the output */
    stria_op op;
    uint32_t hints;
    bool masked;
    int threads;
};

static stria_status run(const struct world *w)
{
    const stria_view *const inputs[INPUTS] = {&w->views[0], &w->views[1], &w->views[2]};
    const stria_exec exec = {
        .threads = w->threads, .hints = w->hints, .mask = w->masked ? &w->views[MASK] : NULL};
    return stria_elementwise(&w->views[OUT], w->op, stria_op_inputs(w->op), inputs, &exec);
}

/* ---- inputs -------------------------------------------------------------------------------- */

static const stria_kind kinds[] = {
    STRIA_BOOL, STRIA_I8,  STRIA_I16,  STRIA_I32, STRIA_I64, STRIA_U8,  STRIA_U16,  STRIA_U32,
    STRIA_U64,  STRIA_F16, STRIA_BF16, STRIA_F32, STRIA_F64, STRIA_C64, STRIA_C128, STRIA_F8E4M3};

static stria_dtype take_dtype(struct input *in)
{
    stria_dtype dtype = stria_dtype_of(kinds[take_below(in, sizeof kinds / sizeof *kinds)]);
    dtype.swapped = dtype.itemsize > 1 && take_once(in, 8);
    return dtype;
}

static int64_t take_size(struct input *in)
{
    switch (take_below(in, 8)) {
    case 0: return take_below(in, 2);
    case 1: return 1 + take_below(in, 256);
    case 2: return 1 + 8 * take_below(in, 256); /* rows long enough to be streamed */
    default: return 1 + take_below(in, 9);
    }
}

struct shape {
    int ndim;
    int64_t n[DIMS];
};

static void take_shape(struct input *in, struct shape *out)
{
    out->ndim = take_below(in, DIMS + 1);
    for (int d = 0; d < out->ndim; d++)
        out->n[d] = take_size(in);
}

/* Makes a view of any layout with this shape, or with one that broadcasts to it; a single element
 * where that leaves the buffer. */
static void take_view(struct input *in, stria_view *out, stria_buffer *buffer, stria_dtype dtype,
                      const struct shape *like, bool broadcasts)
{
    const int less = broadcasts && like->ndim && take_once(in, 6), first = take_below(in, DIMS),
              ndim = like->ndim - less;
    int64_t shape[DIMS] = {0}, strides[DIMS] = {0}, step = dtype.itemsize, low = 0;
    for (int d = 0; d < ndim; d++)
        shape[d] = broadcasts && take_once(in, 6) ? 1 : like->n[d + less];
    /* dims in any order in memory, with gaps, in either direction */
    for (int i = 0; i < ndim; i++) {
        const int d = (first + ndim - 1 - i) % ndim;
        if (take_once(in, 5)) step += take_below(in, 40);
        strides[d] = broadcasts && take_once(in, 12) ? 0 : take_once(in, 5) ? -step : step;
        if (strides[d] < 0 && shape[d] > 0) low += (shape[d] - 1) * step;
        step *= shape[d] ? shape[d] : 1;
    }
    const int64_t offset = low + take_below(in, 64) * (take_once(in, 3) ? 1 : 16);
    if (stria_view_make(out, buffer, dtype, ndim, shape, strides, offset) != STRIA_OK)
        MUST(stria_view_make(out, buffer, dtype, 0, NULL, NULL, 0) == STRIA_OK, "view");
}

/* Fills memory with random bits now and then; else with small numbers of the first input's
 * dtype. */
static void fill(struct world *w, struct input *in)
{
    uint64_t seed = 1 + (uint64_t)take_below(in, 256);
    const bool any = take_once(in, 4);
    for (int i = 0; i < BYTES; i++)
        w->memory[i] = (char)(any ? random_bits(&seed) : 0);
    if (any) return;
    for (int i = 0; i + 16 <= BYTES; i += 16) {
        const double x = (double)random_between(&seed, -9, 9) / (random_once(&seed, 2) ? 1 : 4);
        const stria_view value = {.data = (char *)(uintptr_t)&x,
                                  .dtype = stria_dtype_of(STRIA_F64)};
        stria_view to = {.data = w->memory + i, .dtype = w->views[0].dtype};
        for (int at = 0; at < 16; at += to.dtype.itemsize, to.data += to.dtype.itemsize)
            MUST(stria_copy(&to, &value, NULL) == STRIA_OK, "fill");
    }
}

/* Makes a mask, whose bytes must be 0 or 1. */
static void take_mask(struct world *w, struct input *in, const struct shape *shape)
{
    w->masked = take_once(in, 4);
    take_view(in, &w->views[MASK], w->buffer, stria_dtype_of(STRIA_BOOL), shape, true);
    if (!w->masked) return;
    for (int i = 0; i < BYTES; i++)
        w->memory[i] &= 1;
}

static void take_world(struct world *w, struct input *in)
{
    static const uint32_t casting[] = {0, 0, STRIA_CASTING_UNSAFE, STRIA_CASTING_SAFE};
    w->op = (stria_op)((take_below(in, 256) * 256 + take_below(in, 256)) % STRIA_OPS);
    const stria_dtype one = take_dtype(in);
    stria_dtype result = one;
    struct shape shape;
    take_shape(in, &shape);
    for (int i = 0; i < INPUTS; i++)
        take_view(in, &w->views[i], w->buffer, take_once(in, 4) ? take_dtype(in) : one, &shape,
                  true);
    const stria_view *const inputs[INPUTS] = {&w->views[0], &w->views[1], &w->views[2]};
    w->hints = take_once(in, 3) ? STRIA_PROMOTE_AS_NUMPY : 0;
    const stria_promotion rule = w->hints ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
    const stria_status known =
        stria_result_dtype(&result, w->op, stria_op_inputs(w->op), inputs, rule);
    take_view(in, &w->views[OUT], w->buffer,
              known != STRIA_OK || take_once(in, 6) ? take_dtype(in) : result, &shape, false);
    w->hints |= casting[take_below(in, 4)];
    if (take_once(in, 8)) w->hints |= STRIA_NO_OVERLAP;
    w->threads = 1 + take_below(in, 3);
    fill(w, in);
    take_mask(w, in, &shape);
}

/* ---- what must hold ------------------------------------------------------------------------ */

/* Returns the elements of the output as numbers in this machine's byte order. */
static stria_array numbers(const struct world *w)
{
    const stria_view *const out = &w->views[OUT];
    stria_array made = {0};
    const stria_dtype dtype = stria_dtype_of((stria_kind)out->dtype.kind);
    MUST(stria_empty(&made, dtype, out->ndim, out->shape) == STRIA_OK, "numbers");
    MUST(stria_copy(&made.view, out, NULL) == STRIA_OK, "numbers");
    return made;
}

static void clear(const struct world *w)
{
    static const char zeros[16];
    MUST(stria_fill_item(&w->views[OUT], zeros, NULL) == STRIA_OK, "fill");
}

static void same_numbers(const stria_array *a, const stria_array *b, const char *name)
{
    const stria_dtype dtype = a->view.dtype;
    for (int64_t i = 0; i < stria_numel(&a->view); i++) {
        union item x, y;
        memcpy(x.bytes, a->view.data + i * dtype.itemsize, (size_t)dtype.itemsize);
        memcpy(y.bytes, b->view.data + i * dtype.itemsize, (size_t)dtype.itemsize);
        MUST(same_number((stria_kind)dtype.kind, x, y, 0), name);
    }
}

/* Chooses one of the instruction sets that this machine has, by number. */
static void choose_level(int number)
{
    const struct stria_kernels *const kernels = stria__kernels_at(number % stria__kernels_count());
    (void)stria__set_isa(kernels ? kernels->isa : NULL);
}

static void check(struct world *w, struct input *in)
{
    static char before[BYTES], after[BYTES];
    const char *const name = stria_op_name(w->op);
    stria_array copies[OPERANDS] = {0};
    struct world apart = *w;
    const bool refuses_overlap = w->hints & STRIA_NO_OVERLAP;
    memcpy(before, w->memory, BYTES);
    for (int i = 0; i < OPERANDS; i++) {
        MUST(stria_clone_new(&copies[i], &w->views[i], NULL) == STRIA_OK, "clone");
        apart.views[i] = copies[i].view;
    }
    choose_level(take_below(in, 8));
    const stria_status status = run(w);
    if (status != STRIA_OK) MUST(memcmp(w->memory, before, BYTES) == 0, name);

    if (status == STRIA_OK) {
        stria_array got = numbers(w);
        clear(w);
        memcpy(after, w->memory, BYTES);
        memcpy(w->memory, before, BYTES);
        choose_level(take_below(in, 8));
        apart.threads = 1 + take_below(in, 3);
        apart.hints &= ~(uint32_t)STRIA_NO_OVERLAP;
        MUST(run(&apart) == STRIA_OK, name);
        stria_array wanted = numbers(w);
        same_numbers(&got, &wanted, name);
        clear(w);
        MUST(memcmp(w->memory, after, BYTES) == 0, name);
        stria_array_release(&got);
        stria_array_release(&wanted);
    } else if (!(refuses_overlap && status == STRIA_ERR_OVERLAP)) {
        MUST(run(&apart) == status, name);
    }
    for (int i = 0; i < OPERANDS; i++)
        stria_array_release(&copies[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct guard guard;
    static struct world w;
    struct input in = {data, size};
    if (!guard.map) guard = guard_new(BYTES);
    w.memory = size % 2 ? guard_low(&guard) : guard_high(&guard, BYTES);
    /* with 1 byte of cache everything is streamed past it */
    stria__machine_set_l2(take_once(&in, 2));
    MUST(stria_buffer_wrap(&w.buffer, w.memory, BYTES, false, NULL, NULL) == STRIA_OK, "buffer");
    for (int rounds = 0; rounds < 8 && in.left > 0; rounds++) {
        take_world(&w, &in);
        check(&w, &in);
    }
    stria__machine_set_l2(0);
    MUST(stria_buffer_references(w.buffer) == 1, "references");
    stria_buffer_release(w.buffer);
    return 0;
}
