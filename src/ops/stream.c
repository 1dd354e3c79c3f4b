/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan that keeps the order of the items merges what it can. If its innermost dim is one long
 * run of bytes, the others are counted through and each run is handed on where it lies. Otherwise
 * the innermost dims that fit into the stage together, and as much of the next one as fits beside
 * them, make a block; each block is gathered by the copy engine and handed on.
 */
#include "ops/stream.h"

#include <assert.h>

#include "status.h"
#include "stria/copy.h"
#include "stria/plan.h"

struct stream {
    const stria_view *a;
    stria_plan plan;
    char *stage;
    stria__sink *sink;
    void *context;
    int inner;     /* dims of the plan that are whole in a block */
    int64_t count; /* iterations of the next dim in a block */
};

/* The stage is small, and read at once. */
static const stria_exec alone = {.threads = 1, .hints = STRIA_WILL_READ_SOON};

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
    STRIA_TRY(stria_copy_with(&dst, &src, &alone));
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

/* The next position in the dims from `first` on, outermost slowest; NULL after the last. */
static char *advance(const stria_plan *plan, int first, int64_t *index, char *from)
{
    for (int d = first; d < plan->ndim; d++) {
        const stria_dim *dim = &plan->dims[d];
        if (++index[d] < dim->n) return from + dim->s[0];
        from -= (dim->n - 1) * dim->s[0];
        index[d] = 0;
    }
    return NULL;
}

static stria_status runs(const struct stream *s, int first, int64_t size)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    for (char *from = s->plan.ptr[0]; from; from = advance(&s->plan, first, index, from))
        STRIA_TRY(s->sink(from, size, s->context));
    return STRIA_OK;
}

static stria_status all_blocks(const struct stream *s)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    const int first = s->inner + 1;
    for (char *from = s->plan.ptr[0]; from; from = advance(&s->plan, first, index, from))
        STRIA_TRY(blocks(s, from));
    return STRIA_OK;
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

stria_status stria__stream(const stria_view *a, struct stage stage, stria__sink *sink,
                           void *context)
{
    assert(stage.direct <= stage.size && stage.size >= 16);
    if (stria_buffer_is_meta(a->buffer))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "the view lies in a meta buffer: it has a shape, "
                                                  "but no bytes");
    const int64_t itemsize = a->dtype.itemsize;
    struct stream s = {.a = a, .stage = stage.memory, .sink = sink, .context = context};
    STRIA_TRY(stria_plan_make(&s.plan, 1, &a, STRIA_PLAN_KEEP_ORDER));
    const stria_dim *inmost = &s.plan.dims[0];
    if (inmost->n == 0 || itemsize == 0) return STRIA_OK;
    const bool dense = inmost->n == 1 || inmost->s[0] == itemsize;
    const int64_t run = dense ? inmost->n * itemsize : itemsize;
    if (run >= stage.direct && !(a->flags & (STRIA_CONJ | STRIA_NEG)))
        return runs(&s, dense ? 1 : 0, run);
    choose_block(&s, stage.size);
    return all_blocks(&s);
}
