/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small views of every dtype and layout, each in memory of its own that ends or begins at an
 * inaccessible page, filled with small numbers.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "input.h"
#include "stria/stria.h"
#include "support/guard.h"
#include "support/by_value.h"

enum { GUARDED_VIEWS = 4, GUARDED_ITEMS = 24, GUARDED_BYTES = GUARDED_ITEMS * 16 };

struct guarded_views {
    stria_view views[GUARDED_VIEWS];
    char *memory[GUARDED_VIEWS];
    size_t sizes[GUARDED_VIEWS];
    char filled[GUARDED_VIEWS][GUARDED_BYTES]; /* contents of the memory at first */
};

static inline stria_dtype take_any_dtype(struct input *in)
{
    static const char *const odd[] = {">i4", ">f8", "S3", "U2", "V5", "M8[s]", "m8[D]", ">c8"};
    stria_dtype dtype;
    if (take_below(in, 4)) return stria_dtype_of((stria_kind)take_below(in, STRIA_C128 + 1));
    MUST(stria_dtype_parse(&dtype, odd[take_below(in, 8)]) == STRIA_OK, stria_last_error());
    return dtype;
}

/* Turns a view into another one of the same memory; a refused step changes nothing. */
static inline void turn(stria_view *view, struct input *in)
{
    const int64_t n = view->ndim ? view->shape[0] : 1;
    stria_status status = STRIA_OK;
    switch (take_below(in, 10)) {
    case 0: status = stria_reverse_dims(view, view); break;
    case 1: status = stria_flip(view, view, 1, (const int[]){0}); break;
    case 2: status = stria_unsqueeze(view, view, -1); break;
    case 3: status = stria_narrow(view, view, 0, n / 3, n / 2); break;
    case 4: status = stria_view_shape(view, view, 2, (const int64_t[]){2, -1}); break;
    case 5: status = stria_view_shape(view, view, 3, (const int64_t[]){1, -1, 2}); break;
    case 6: status = stria_expand(view, view, 2, (const int64_t[]){3, -1}); break;
    case 7: status = stria_conj(view, view); break;
    case 8: *view = readonly_of(view); break;
    default: status = stria_select(view, view, 0, 0); break;
    }
    (void)status;
}

static inline void take_views(struct guarded_views *g, struct input *in)
{
    static struct guard guards[GUARDED_VIEWS];
    static const double numbers[GUARDED_ITEMS] = {0, 1, 2,   3, -1, 4, 1, 0, 2, 7,  -3, 5,
                                                  2, 1, 0.5, 6, 9,  0, 1, 8, 2, 11, 3,  1};
    if (!guards[0].map) guards_new(guards, GUARDED_VIEWS, GUARDED_BYTES);
    for (int i = 0; i < GUARDED_VIEWS; i++) {
        const stria_dtype dtype = take_any_dtype(in);
        const int64_t count = take_once(in, 12) ? 0 : 1 + take_below(in, GUARDED_ITEMS);
        g->sizes[i] = (size_t)(count * dtype.itemsize);
        g->memory[i] =
            take_once(in, 3) ? guard_low(&guards[i]) : guard_high(&guards[i], g->sizes[i]);
        MUST(stria_view_foreign(&g->views[i], g->memory[i], dtype, 1, &count, NULL, 0) == STRIA_OK,
             stria_last_error());
        stria_view from;
        MUST(stria_view_foreign(&from, (void *)(uintptr_t)numbers, stria_dtype_of(STRIA_F64), 1,
                                &count, NULL, 0) == STRIA_OK,
             stria_last_error());
        if (dtype.kind > STRIA_C128 || stria_copy(&g->views[i], &from, NULL) != STRIA_OK)
            memset(g->memory[i], 1, g->sizes[i]);
        memcpy(g->filled[i], g->memory[i], g->sizes[i]);
        for (int k = take_below(in, 4); k > 0; k--)
            turn(&g->views[i], in);
    }
}

static inline bool views_are_as_filled(const struct guarded_views *g)
{
    for (int i = 0; i < GUARDED_VIEWS; i++)
        if (memcmp(g->filled[i], g->memory[i], g->sizes[i]) != 0) return false;
    return true;
}

static inline void refill_views(const struct guarded_views *g)
{
    for (int i = 0; i < GUARDED_VIEWS; i++)
        memcpy(g->memory[i], g->filled[i], g->sizes[i]);
}

/* Reads every element of the results, be they answers or arrays. */
static inline void check_results(const stria_results *r, const char *name)
{
    MUST(!r->answers || r->count == 0, name);
    MUST(r->several || r->answers || r->count == 1, name);
    for (int64_t i = 0; i < r->count; i++) {
        const stria_view *const view = &stria_results_at(r, i)->view;
        stria_array copy = {0};
        const int64_t items = stria_numel(view);
        MUST(items >= 0 && view->ndim >= 0 && view->ndim <= STRIA_MAX_NDIM, name);
        if (items == 0 || items > 100000 || stria_buffer_is_meta(view->buffer)) continue;
        MUST(stria_clone_new(&copy, view, NULL) == STRIA_OK, stria_last_error());
        stria_array_release(&copy);
    }
}

/* Whether both are the same bit for bit, where -0 equals 0 and any NaN another. */
static inline bool results_are_equal(const stria_results *a, const stria_results *b)
{
    if (a->count != b->count || a->several != b->several || a->answers != b->answers ||
        a->answer.kind != b->answer.kind || a->answer.count != b->answer.count)
        return false;
    for (int64_t i = 0; i < a->count; i++) {
        const stria_view *const u = &stria_results_at(a, i)->view, *const v =
                                                                       &stria_results_at(b, i)
                                                                            ->view;
        bool same = true;
        if (u->ndim != v->ndim || !stria_dtype_equal(u->dtype, v->dtype) ||
            memcmp(u->shape, v->shape, (size_t)u->ndim * sizeof *u->shape))
            return false;
        if (stria_numel(u) <= 100000 && stria_array_equal(&same, u, v, true, NULL) == STRIA_OK &&
            !same)
            return false;
    }
    return true;
}
