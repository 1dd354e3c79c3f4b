/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan that keeps the order of the items merges what it can. If its innermost dim is one long
 * run of bytes, the others are counted through and each run is handed on where it lies. Otherwise
 * the innermost dims that fit into the stage together, and as much of the next one as fits beside
 * them, make a block; each block is gathered by the copy engine and handed on.
 */
#include "ops/stream.h"

#include <assert.h>
#include <string.h>

#include "status.h"
#include "stria/copy.h"
#include "stria/plan.h"

enum { DIRECT = 1024 /* bytes of a run that are better hashed or written where they lie */ };

struct stream {
    const stria_view *a;
    stria_plan plan;
    char *stage;
    stria__sink *sink;
    void *context;
    int inner;     /* dims of the plan that are whole in a block */
    int64_t count; /* iterations of the next dim in a block */
};

/* Until the copy engine is there. */
static stria_status copy_items(char *to, const stria_view *src)
{
    if (src->flags & (STRIA_CONJ | STRIA_NEG))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "conj and neg bits are not resolved yet");
    const size_t size = (size_t)src->dtype.itemsize;
    int64_t index[STRIA_MAX_NDIM] = {0};
    const char *from = src->data;
    for (;;) {
        memcpy(to, from, size);
        to += size;
        int d = src->ndim - 1;
        for (; d >= 0; d--) {
            if (++index[d] < src->shape[d]) {
                from += src->strides[d];
                break;
            }
            from -= (src->shape[d] - 1) * src->strides[d];
            index[d] = 0;
        }
        if (d < 0) return STRIA_OK;
    }
}

/* The elements of the inner dims, and n of the dim above them (if there is one), from `from`. */
static stria_status gather(const struct stream *s, char *from, int64_t n)
{
    stria_view src = {.data = from, .buffer = s->a->buffer, .dtype = s->a->dtype};
    src.flags = s->a->flags;
    int64_t bytes = src.dtype.itemsize;
    const int above = s->inner < s->plan.ndim;
    src.ndim = s->inner + above;
    for (int k = 0; k < src.ndim; k++) {
        const int d = src.ndim - 1 - k;
        src.shape[d] = k < s->inner ? s->plan.dims[k].n : n;
        src.strides[d] = s->plan.dims[k].s[0];
        bytes *= src.shape[d];
    }
    stria_view dst;
    STRIA_TRY(stria_view_foreign(&dst, s->stage, src.dtype, src.ndim, src.shape, NULL, 0));
    STRIA_TRY(copy_items(dst.data, &src));
    return s->sink(s->stage, bytes, s->context);
}

static stria_status blocks(const struct stream *s, char *from)
{
    if (s->inner == s->plan.ndim) return gather(s, from, 1);
    const stria_dim *dim = &s->plan.dims[s->inner];
    for (int64_t i = 0; i < dim->n; i += s->count) {
        const int64_t n = dim->n - i < s->count ? dim->n - i : s->count;
        STRIA_TRY(gather(s, from + i * dim->s[0], n));
    }
    return STRIA_OK;
}

/* Counts through the dims from `first` on, outermost slowest. */
static stria_status walk(const struct stream *s, int first, int64_t run)
{
    const stria_plan *plan = &s->plan;
    int64_t index[STRIA_MAX_NDIM] = {0};
    char *from = plan->ptr[0];
    for (;;) {
        STRIA_TRY(run ? s->sink(from, run, s->context) : blocks(s, from));
        int d = first;
        for (; d < plan->ndim; d++) {
            const stria_dim *dim = &plan->dims[d];
            if (++index[d] < dim->n) {
                from += dim->s[0];
                break;
            }
            from -= (dim->n - 1) * dim->s[0];
            index[d] = 0;
        }
        if (d >= plan->ndim) return STRIA_OK;
    }
}

static void choose_block(struct stream *s, int64_t room)
{
    const stria_plan *plan = &s->plan;
    int64_t bytes = s->a->dtype.itemsize;
    assert(bytes <= room);
    for (s->inner = 0; s->inner < plan->ndim; s->inner++) {
        if (plan->dims[s->inner].n > room / bytes) break;
        bytes *= plan->dims[s->inner].n;
    }
    if (s->inner == plan->ndim) return;
    /* Blocks of equal size: not a full one and a remainder. */
    const int64_t n = plan->dims[s->inner].n, most = room / bytes;
    const int64_t parts = (n - 1) / most + 1;
    s->count = (n - 1) / parts + 1;
}

stria_status stria__stream(const stria_view *a, char *stage, int64_t room, stria__sink *sink,
                           void *context)
{
    if (stria_buffer_is_meta(a->buffer))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "the view lies in a meta buffer: it has a shape, "
                           "but no bytes");
    const int64_t itemsize = a->dtype.itemsize;
    struct stream s = {.a = a, .stage = stage, .sink = sink, .context = context};
    STRIA_TRY(stria_plan_make(&s.plan, 1, &a, STRIA_PLAN_KEEP_ORDER));
    const stria_dim *inmost = &s.plan.dims[0];
    if (inmost->n == 0 || itemsize == 0) return STRIA_OK;
    const bool dense = inmost->n == 1 || inmost->s[0] == itemsize;
    const int64_t run = dense ? inmost->n * itemsize : itemsize;
    if (run >= DIRECT && !(a->flags & (STRIA_CONJ | STRIA_NEG)))
        return walk(&s, dense ? 1 : 0, run);
    choose_block(&s, room);
    return walk(&s, s.inner + 1, 0);
}
