/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Items are gathered some kilobytes at a time into a row that stays in the first-level cache, and
 * converted from there, or converted into one and scattered from there: reading and writing go on
 * side by side.
 *
 * Every second item is what is left of one twice as long when that is cut to its lower half, for
 * which there are kernels. The last item of a row may be the last of its memory, and is not cut.
 */
#include "through_spaced.h"

#include <float.h>
#include <string.h>

#include "checked.h"
#include "dispatch.h"
#include "kernel_args.h"

enum {
    GATHERED_BYTES = 4 << 10,
    SCATTERED_BYTES = 1 << 10, /* less: lines that are written anywhere take longer to come */
    LONG = 128,                /* items from which a row is worth it */
    LONG_STREAMED = 128,       /* bytes from which one is that is streamed */
    LONG_PREPARED = 2048       /* items, where the kernel has something to prepare */
};

static convert_row *cut_of(int64_t item)
{
    const struct convert_kernels *k = stria__kernels()->convert;
    const uint16_t one = 1;
    if (*(const char *)&one != 1) return NULL; /* the lower half lies second */
    switch (item) {
    case 1: return k->row[STRIA_U8][STRIA_U16];
    case 2: return k->row[STRIA_U16][STRIA_U32];
    case 4: return k->row[STRIA_U32][STRIA_U64];
    case 8: return FLT_EVAL_METHOD == 0 ? k->row[STRIA_F64][STRIA_C128] : NULL; /* bits stay */
    default: return NULL;
    }
}

static bool is_near(int64_t item, int64_t step)
{
    return item <= LANE / 2 && step >= item - LANE && step <= LANE - item;
}

static void gather(const struct spaced *s, char *out, const char *in, int64_t n)
{
    const int64_t item = s->how->in_item, step = s->conversion.in_step;
    if (s->cut) {
        s->cut(out, in, n - 1);
        memcpy(out + (n - 1) * item, in + (n - 1) * step, (size_t)item);
        return;
    }
    s->gather(&(struct strided){
        .out = out, .in = in, .n = {n, 1}, .so = {item, 0}, .si = {step, 0}, .item = item});
}

static void scatter(const struct spaced *s, char *out, const char *in, int64_t n)
{
    const int64_t item = s->how->out_item;
    s->scatter(&(struct strided){
        .out = out, .in = in, .n = {n, 1}, .so = {s->out_step, 0}, .si = {item, 0}, .item = item});
}

static void gathered_row(const struct conversion *conversion, char *out, const char *in, int64_t n)
{
    const struct spaced *s = (const struct spaced *)(const void *)conversion;
    const struct conversion *how = s->how;
    _Alignas(LINE) char items[GATHERED_BYTES];
    const int64_t most = GATHERED_BYTES / how->in_item;
    for (int64_t i = 0, m; i < n; i += m) {
        m = least(n - i, most);
        gather(s, items, in + i * conversion->in_step, m);
        how->row(how, out + i * how->out_item, items, m);
    }
}

static void scattered_row(const struct conversion *conversion, char *out, const char *in, int64_t n)
{
    const struct spaced *s = (const struct spaced *)(const void *)conversion;
    const struct conversion *how = s->how;
    const bool gathers = stria__spaced_in(s);
    _Alignas(LINE) char items[SCATTERED_BYTES], converted[SCATTERED_BYTES];
    const int64_t most =
        SCATTERED_BYTES / (how->in_item > how->out_item ? how->in_item : how->out_item);
    for (int64_t i = 0, m; i < n; i += m) {
        const char *from = in + i * conversion->in_step;
        m = least(n - i, most);
        if (gathers) {
            gather(s, items, from, m);
            from = items;
        }
        how->row(how, converted, from, m);
        scatter(s, out + i * s->out_step, converted, m);
    }
}

static bool is_long(const stria_plan *plan, int64_t item, bool stream)
{
    const int64_t n = plan->dims[0].n;
    return plan->ndim == 1 || n >= LONG || (stream && n * item >= LONG_STREAMED);
}

/*
 * Short rows that are streamed wait for memory, not for a kernel that takes items one by one. Those
 * that run backwards are not fetched ahead by the hardware: boxes are.
 */
static bool choose_gather(struct spaced *out, const stria_plan *plan, int64_t item, bool stream)
{
    const stria_dim *d = &plan->dims[0];
    const struct stria_kernels *kernels = stria__kernels();
    const bool near = is_near(item, d->s[1]), upwards = d->s[1] > 0;
    const bool prepared = near && (plan->ndim == 1 || (d->n >= LONG_PREPARED && upwards));
    out->cut = d->s[1] == 2 * item ? cut_of(item) : NULL;
    out->gather = prepared ? kernels->gather : kernels->strided[stria__size_class(item)];
    return out->cut || prepared || !near || (stream && upwards);
}

/* Smaller items are better gathered and scattered many at a time, which boxes do. */
static bool choose_scatter(struct spaced *out, const stria_plan *plan, const struct conversion *how)
{
    enum { LEAST_IN = 2, LEAST_OUT = 4 /* bytes */ };
    const int64_t *const s = plan->dims[0].s, item = how->in_item;
    const struct stria_kernels *kernels = stria__kernels();
    out->cut = s[1] == 2 * item ? cut_of(item) : NULL;
    out->gather = kernels->strided[stria__size_class(item)];
    out->scatter = kernels->strided[stria__size_class(how->out_item)];
    return s[0] > 0 && s[0] < LINE && how->out_item >= LEAST_OUT &&
           (s[1] == item || out->cut || item >= LEAST_IN);
}

bool stria__spaced_make(struct spaced *out, const stria_plan *plan, const struct conversion *how,
                        bool stream)
{
    const stria_dim *d = plan->dims;
    const int64_t item = how->in_item, out_step = d[0].s[0], step = d[0].s[1];
    const bool gathers = step != item, scatters = out_step != how->out_item;
    if (step == 0 || magnitude(step) >= LINE || (!gathers && !scatters) ||
        !is_long(plan, item, stream && !scatters) ||
        !(scatters ? choose_scatter(out, plan, how) : choose_gather(out, plan, item, stream)))
        return false;
    for (int i = 1; i < plan->ndim; i++)
        if (magnitude(d[i].s[1]) < magnitude(step)) return false;
    out->conversion = *how;
    out->conversion.row = scatters ? scattered_row : gathered_row;
    out->conversion.in_step = (int32_t)step;
    out->conversion.count++;
    out->how = how;
    out->out_step = out_step;
    return true;
}
