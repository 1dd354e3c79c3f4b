/* SPDX-License-Identifier: BSD-3-Clause */
/* Enumeration of views and plans by index arithmetic, and random operands to enumerate. */
#include "visits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "random.h"
#include "support/cmocka.h"

struct visits visits_new(int nops, int64_t room)
{
    struct visits v = {.nops = nops, .room = room};
    v.at = calloc((size_t)room + 1, sizeof *v.at);
    assert_non_null(v.at);
    return v;
}

void visits_free(struct visits *v)
{
    free(v->at);
    v->at = NULL;
}

void visits_add(struct visits *v, char *const *ptr)
{
    assert_true(v->count < v->room);
    for (int k = 0; k < v->nops; k++)
        v->at[v->count][k] = (uintptr_t)ptr[k];
    v->count++;
}

void visits_add_all(struct visits *v, char *const *ptr, const stria_dim *d)
{
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++) {
            char *at[STRIA_MAX_OPERANDS];
            for (int k = 0; k < v->nops; k++)
                at[k] = stria__at(stria__at(ptr[k], j, d[1].s[k]), i, d[0].s[k]);
            visits_add(v, at);
        }
}

static int64_t product(int n, const int64_t *values)
{
    int64_t all = 1;
    for (int i = 0; i < n; i++)
        all *= values[i];
    return all;
}

struct visits visits_of_views(int nops, const stria_view *const *views)
{
    const stria_view *out = views[0];
    const int64_t numel = product(out->ndim, out->shape);
    struct visits v = visits_new(nops, numel);
    for (int64_t linear = 0; linear < numel; linear++) {
        char *ptr[STRIA_MAX_OPERANDS];
        for (int k = 0; k < nops; k++) {
            const stria_view *a = views[k];
            uintptr_t address = (uintptr_t)a->data;
            int64_t rest = linear;
            for (int back = 1; back <= out->ndim; back++) {
                const int64_t n = out->shape[out->ndim - back], index = rest % n;
                rest /= n;
                if (back <= a->ndim && a->shape[a->ndim - back] != 1)
                    address += (uintptr_t)(index * a->strides[a->ndim - back]);
            }
            ptr[k] = (char *)address;
        }
        visits_add(&v, ptr);
    }
    return v;
}

struct visits visits_of_plan(const stria_plan *plan)
{
    int64_t numel = 1;
    for (int d = 0; d < plan->ndim; d++)
        numel *= plan->dims[d].n;
    struct visits v = visits_new(plan->nops, numel);
    for (int64_t linear = 0; linear < numel; linear++) {
        char *ptr[STRIA_MAX_OPERANDS];
        for (int k = 0; k < plan->nops; k++) {
            uintptr_t address = (uintptr_t)plan->ptr[k];
            int64_t rest = linear;
            for (int d = 0; d < plan->ndim; d++) {
                address += (uintptr_t)(rest % plan->dims[d].n * plan->dims[d].s[k]);
                rest /= plan->dims[d].n;
            }
            ptr[k] = (char *)address;
        }
        visits_add(&v, ptr);
    }
    return v;
}

bool visits_same_sequence(const struct visits *a, const struct visits *b)
{
    return a->nops == b->nops && a->count == b->count &&
           memcmp(a->at, b->at, (size_t)a->count * sizeof *a->at) == 0;
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uintptr_t[STRIA_MAX_OPERANDS]));
}

bool visits_same_multiset(struct visits *a, struct visits *b)
{
    qsort(a->at, (size_t)a->count, sizeof *a->at, by_bytes);
    qsort(b->at, (size_t)b->count, sizeof *b->at, by_bytes);
    return visits_same_sequence(a, b);
}

stria_view view_by_hand(char *data, int ndim, const int64_t *shape, const int64_t *strides)
{
    stria_view v = {.data = data, .dtype = stria_dtype_of(STRIA_F32), .ndim = ndim};
    for (int i = 0; i < ndim; i++) {
        v.shape[i] = shape[i];
        v.strides[i] = strides[i];
    }
    return v;
}

enum { LARGEST = 2000 /* most elements of one random case */ };

static void random_shape(stria_view *out, uint64_t *rng)
{
    int64_t numel = 1;
    const bool deep = random_once(rng, 20);
    out->ndim = deep ? STRIA_MAX_NDIM : (int32_t)random_between(rng, 0, 7);
    for (int i = 0; i < out->ndim; i++) {
        int64_t n = deep && !random_once(rng, 8) ? 1 : random_between(rng, 1, 5);
        if (random_once(rng, 60)) n = 0;
        if (numel * n > LARGEST) n = 1;
        out->shape[i] = n;
        numel *= n ? n : 1;
    }
}

static void random_order(int *order, int n, uint64_t *rng)
{
    for (int i = 0; i < n; i++) {
        const int j = (int)random_between(rng, 0, i);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Draws strides: dense in the given order of dims, sometimes with gaps and backwards; or any. */
static void random_strides(stria_view *a, const int *order, uint64_t *rng)
{
    const bool dense = !random_once(rng, 4);
    int64_t s = random_between(rng, 1, 16);
    for (int o = 0; o < a->ndim; o++) {
        const int i = order[o];
        if (random_once(rng, 12)) s *= random_between(rng, 2, 3);
        a->strides[i] = dense ? s : random_between(rng, -40, 40);
        if (random_once(rng, 6)) a->strides[i] = -a->strides[i];
        if (random_once(rng, 20)) a->strides[i] = 0;
        if (a->shape[i] > 1) s *= a->shape[i];
        if (a->shape[i] == 1 && random_once(rng, 2)) a->strides[i] = (int64_t)random_bits(rng);
    }
}

static void random_input(stria_view *a, const stria_view *out, uint64_t *rng)
{
    const int dropped = random_once(rng, 3) ? (int)random_between(rng, 0, out->ndim) : 0;
    const int added = random_once(rng, 10)
                          ? (int)random_between(rng, 0, STRIA_MAX_NDIM - (out->ndim - dropped))
                          : 0;
    const bool repeated = random_once(rng, 2);
    a->ndim = 0;
    if (dropped == 0)
        while (a->ndim < added)
            a->shape[a->ndim++] = 1;
    for (int i = dropped; i < out->ndim; i++)
        a->shape[a->ndim++] = repeated && random_once(rng, 3) ? 1 : out->shape[i];
}

void operands_random(struct operands *out, uint64_t seed)
{
    uint64_t rng = seed;
    int order[STRIA_MAX_NDIM];
    memset(out, 0, sizeof *out);
    out->nops = (int)random_between(&rng, 1, random_once(&rng, 10) ? STRIA_MAX_OPERANDS : 4);
    for (int k = 0; k < out->nops; k++) {
        stria_view *a = &out->view[k];
        if (k == 0)
            random_shape(a, &rng);
        else
            random_input(a, &out->view[0], &rng);
        if (k == 0 || a->ndim != out->view[0].ndim || random_once(&rng, 2))
            random_order(order, a->ndim, &rng);
        random_strides(a, order, &rng);
        a->dtype = stria_dtype_of(STRIA_F32);
        a->data = (char *)((uintptr_t)0x40000000 + (uintptr_t)random_between(&rng, 0, 1 << 20));
        out->list[k] = a;
    }
    if (product(out->view[0].ndim, out->view[0].shape) == 0 && random_once(&rng, 2))
        for (int k = 0; k < out->nops; k++)
            for (int i = 0; i < out->view[k].ndim; i++)
                out->view[k].strides[i] = (int64_t)random_bits(&rng);
}

void operands_print(const struct operands *o)
{
    for (int k = 0; k < o->nops; k++) {
        const stria_view *a = &o->view[k];
        print_error("  operand %d at %p (", k, (void *)a->data);
        for (int i = 0; i < a->ndim; i++)
            print_error("%" PRId64 ",", a->shape[i]);
        print_error(") strides (");
        for (int i = 0; i < a->ndim; i++)
            print_error("%" PRId64 ",", a->strides[i]);
        print_error(")\n");
    }
}
