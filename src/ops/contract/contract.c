/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A contraction of any number of operands: everything is checked; then dims that one operand has
 * alone are summed, and two operands at a time are replaced by their product.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ops/contract/contraction.h"
#include "ops/elementwise/operation.h"
#include "ops/operands.h"
#include "stria/reduce.h"

/* ---- checks ---------------------------------------------------------------------------------- */

static stria_status check_operands(const struct contraction *c, stria_dtype *dtype)
{
    STRIA_TRY(stria__check_exec(c->exec, c->op));
    for (int i = 0; i < c->n; i++) {
        const stria_view *const v = &c->in[i].view, *const both[] = {v, v};
        char room[24];
        const char *const which = !c->two ? room : i ? "b" : "a";
        if (!c->two) (void)snprintf(room, sizeof room, "operand %d", i);
        STRIA_TRY(stria__check_number(v->dtype, c->op, which));
        if (is_float8_kind((stria_kind)v->dtype.kind))
            return stria__fail(STRIA_ERR_DTYPE,
                               "%s: %s is %s: 8-bit floats compute nothing; cast it to f16 or f32",
                               c->op, which, stria__dtype_text(v->dtype).text);
        if (i == 0)
            STRIA_TRY(stria_result_dtype(dtype, STRIA_MULTIPLY, 2, both, promotion_of(c->exec)));
        else
            STRIA_TRY(stria_promote(dtype, *dtype, v->dtype, promotion_of(c->exec)));
    }
    if (c->n != 2) return STRIA_OK;
    const stria_view *const both[] = {&c->in[0].view,
                                      &c->in[1].view}; /* One of them may be weak. */
    return stria_result_dtype(dtype, STRIA_MULTIPLY, 2, both, promotion_of(c->exec));
}

static stria_status find_sizes(const struct contraction *c, int64_t size[LABELS])
{
    int owner[LABELS];
    for (int l = 0; l < LABELS; l++)
        size[l] = -1;
    for (int i = 0; i < c->n; i++)
        for (int d = 0; d < c->in[i].view.ndim; d++) {
            const int l = c->in[i].label[d];
            const int64_t n = c->in[i].view.shape[d];
            char room[8];
            if (size[l] >= 0 && n != size[l] && n != 1 && size[l] != 1)
                return stria__fail(STRIA_ERR_SHAPE,
                                   "%s: %s has %lld elements in operand %d and %lld in dim %d of "
                                   "operand %d, shape %s",
                                   c->op, c->name(l, room), (long long)size[l], owner[l],
                                   (long long)n, d, i,
                                   stria__dims_text(c->in[i].view.ndim, c->in[i].view.shape).text);
            if (size[l] < 0 || size[l] == 1) size[l] = n, owner[l] = i;
        }
    return STRIA_OK;
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* An operand that is left, or a product of several. */
struct term {
    struct labelled t;
    stria_array owned;
    int partner; /* of the place, not of what lies there: the later term that it is best multiplied
                    with, -1: there is none */
    double cost; /* How much larger the product is than both terms. */
};

static void drop(const struct term *term)
{
    array_drop(&term->owned);
}

/* Declares a term that owns nothing; what it owns is released at the end of the block. */
#define OWNED_TERM(name)                                                                           \
    __attribute__((cleanup(drop))) struct term name;                                               \
    array_none(&(name).owned)

/* Moves the view and the ownership of a term to another. */
static void move_term(struct term *to, struct term *from)
{
    view_copy(&to->t.view, &from->t.view);
    memcpy(to->t.label, from->t.label, sizeof to->t.label);
    array_own(&to->owned, from->owned.owned);
    from->owned.owned = NULL;
}

struct terms {
    const struct contraction *c;
    struct pair_call pair;
    int n;
    struct term *term;
    int uses[LABELS];       /* The number of terms that have each label. */
    const stria_view *near; /* Intermediate results lie in a meta buffer if this view does. */
};

/* Drops dims of size 1, which broadcast, and makes dims of one label their diagonal. */
static stria_status simplify(struct labelled *to, const struct labelled *from, const char *op)
{
    const stria_view *const v = &from->view;
    view_set(&to->view, v->data, v->buffer, v->dtype, v->flags, 0, NULL, NULL);
    for (int d = 0; d < v->ndim; d++) {
        if (v->shape[d] == 1) continue;
        const int same = stria__dim_of(to, from->label[d]);
        if (same < 0) {
            const int last = to->view.ndim++;
            to->label[last] = from->label[d];
            to->view.shape[last] = v->shape[d];
            to->view.strides[last] = v->strides[d];
        } else if (__builtin_add_overflow(to->view.strides[same], v->strides[d],
                                          &to->view.strides[same]))
            return stria__fail(STRIA_ERR_OVERFLOW, "%s: the strides of a diagonal overflow", op);
    }
    return STRIA_OK;
}

/* Makes memory for an intermediate result, whose labels and sizes are given. */
static stria_status make_term(const struct terms *all, struct term *to, int ndim,
                              const int64_t *shape)
{
    const stria_kind kind = (stria_kind)all->pair.dtype.kind;
    const bool small = kind == STRIA_F16 || kind == STRIA_BF16; /* Their sums are rounded once. */
    STRIA_TRY(stria__empty_like_memory(&to->owned, all->near,
                                       small ? stria_dtype_of(STRIA_F32) : all->pair.dtype, ndim,
                                       shape, STRIA_ORDER_C));
    view_copy(&to->t.view, &to->owned.view);
    return STRIA_OK;
}

/* Counts the labels of a term that is added, by 1, or removed, by -1. */
static void count_labels(struct terms *all, const struct labelled *t, int by)
{
    for (int d = 0; d < t->view.ndim; d++)
        all->uses[t->label[d]] += by;
}

/* Tells whether the result or another term than the two, which may be the same, has the label. */
static bool is_wanted(const struct terms *all, int label, int but, int and_but)
{
    int others = all->uses[label] - (stria__dim_of(&all->term[but].t, label) >= 0);
    if (and_but != but) others -= stria__dim_of(&all->term[and_but].t, label) >= 0;
    for (int d = 0; d < all->c->ndim && !others; d++)
        if (all->c->label[d] == label) return true;
    return others > 0;
}

/* Sums a term over the dims that `out` does not have. */
static stria_status sum_into(const struct terms *all, const struct labelled *out,
                             const struct labelled *t)
{
    stria_view turned;
    int dims[STRIA_MAX_NDIM], count = 0;
    view_set(&turned, t->view.data, t->view.buffer, t->view.dtype, t->view.flags, 0, NULL, NULL);
    for (int pass = 0; pass < 2; pass++)
        for (int d = 0; d < (pass ? t->view.ndim : out->view.ndim); d++) {
            const int from = pass ? d : stria__dim_of(t, out->label[d]), to = turned.ndim;
            if (pass && stria__dim_of(out, t->label[d]) >= 0) continue;
            if (pass) dims[count++] = to;
            turned.shape[to] = t->view.shape[from];
            turned.strides[to] = t->view.strides[from];
            turned.ndim++;
        }
    if (all->c->text) {
        stria__print(all->c->text, count ? "a sum over %d dim%s" : "a copy", count,
                     count == 1 ? "" : "s");
        return STRIA_OK;
    }
    const stria_exec *const exec = &all->pair.exec;
    if (count == 0) return stria_copy(&out->view, &turned, exec);
    if (all->pair.dtype.kind == STRIA_BOOL)
        return stria_any(&out->view, &turned, count, dims, exec);
    if (all->pair.dtype.kind >= STRIA_F8E4M3)
        return stria_sum(&out->view, &turned, count, dims, exec);
    OWNED_ARRAY(sum); /* Sums of 64 bits do not cast to fewer bits, but wrap. */
    STRIA_TRY(stria_reduce_dims_new(&sum, STRIA_SUM, &turned, count, dims, NULL, exec));
    return stria_copy(&out->view, &sum.view, exec);
}

/* Sums a term over the dims that no other term and not the result has, before it is multiplied. */
static stria_status sum_alone(struct terms *all, int i)
{
    struct term *const term = &all->term[i];
    int64_t shape[STRIA_MAX_NDIM];
    int ndim = 0;
    OWNED_TERM(made);
    for (int d = 0; d < term->t.view.ndim; d++)
        if (is_wanted(all, term->t.label[d], i, i)) {
            made.t.label[ndim] = term->t.label[d];
            shape[ndim++] = term->t.view.shape[d];
        }
    if (ndim == term->t.view.ndim) return STRIA_OK;
    STRIA_TRY(make_term(all, &made, ndim, shape));
    STRIA_TRY(sum_into(all, &made.t, &term->t));
    if (all->c->text) stria__print(all->c->text, "; then ");
    count_labels(all, &term->t, -1);
    move_term(term, &made);
    count_labels(all, &term->t, 1);
    return STRIA_OK;
}

/* Lists the first 64 dims of the product of two terms: of both, of a alone, of b alone. */
static int product_dims(const struct terms *all, int a, int b, uint8_t *label, int64_t *shape)
{
    int ndim = 0;
    for (int which = 0; which < 3; which++) {
        const struct labelled *const t = &all->term[which < 2 ? a : b].t;
        const struct labelled *const other = &all->term[which < 2 ? b : a].t;
        for (int d = 0; d < t->view.ndim; d++)
            if ((stria__dim_of(other, t->label[d]) >= 0) == (which == 0) &&
                is_wanted(all, t->label[d], a, b)) {
                if (ndim < STRIA_MAX_NDIM)
                    label[ndim] = t->label[d], shape[ndim] = t->view.shape[d];
                ndim++;
            }
    }
    return ndim;
}

static double numel(int ndim, const int64_t *shape)
{
    double n = 1;
    for (int d = 0; d < ndim; d++)
        n *= (double)shape[d];
    return n;
}

/* Notes of the place a that it is best multiplied with b, where no other is better or earlier. */
static void compare_partner(struct terms *all, int a, int b)
{
    uint8_t label[STRIA_MAX_NDIM];
    int64_t shape[STRIA_MAX_NDIM];
    struct term *const term = &all->term[a];
    const stria_view *const x = &term->t.view, *const y = &all->term[b].t.view;
    const int ndim = product_dims(all, a, b, label, shape);
    const double cost = numel(ndim < STRIA_MAX_NDIM ? ndim : STRIA_MAX_NDIM, shape) -
                        numel(x->ndim, x->shape) - numel(y->ndim, y->shape);
    if (term->partner < 0 || cost < term->cost || (cost == term->cost && b < term->partner))
        term->cost = cost, term->partner = b;
}

static stria_status find_partner(struct terms *all, int a)
{
    STRIA_TRY(stria__budget_work(all->n));
    all->term[a].partner = -1;
    for (int b = a + 1; b < all->n; b++)
        compare_partner(all, a, b);
    return STRIA_OK;
}

/*
 * The same after the terms a and b gave way to their product, at a, and to the last one, at b: the
 * products of others are as large as before, since what they had in common with a or b they have in
 * common with the product.
 */
static stria_status update_partners(struct terms *all, int a, int b)
{
    for (int i = 0; i < all->n; i++) {
        const int partner = all->term[i].partner;
        if (i == a || i == b || partner == a || partner == b || partner == all->n) {
            STRIA_TRY(find_partner(all, i));
            continue;
        }
        if (i < a) compare_partner(all, i, a);
        if (i < b && b < all->n) compare_partner(all, i, b);
    }
    return STRIA_OK;
}

/* Chooses the two terms whose product is smallest beside them; returns the first. */
static int choose(const struct terms *all)
{
    int best = 0;
    for (int a = 1; a < all->n - 1; a++)
        if (all->term[a].cost < all->term[best].cost) best = a;
    return best;
}

/* Multiplies two terms if there is time for each product of elements; eight count as one. */
static stria_status multiply(const struct terms *all, const struct labelled *out,
                             const struct labelled *a, const struct labelled *b)
{
    double products = numel(a->view.ndim, a->view.shape);
    for (int d = 0; d < b->view.ndim; d++)
        if (stria__dim_of(a, b->label[d]) < 0) products *= (double)b->view.shape[d];
    if (!all->c->text) STRIA_TRY(stria__budget_work(products / 8));
    return stria__contract_pair(&all->pair, out, a, b);
}

/* Replaces two terms by their product; the later ones move up. */
static stria_status multiply_two(struct terms *all, int a, int b)
{
    int64_t shape[STRIA_MAX_NDIM];
    OWNED_TERM(made);
    const int ndim = product_dims(all, a, b, made.t.label, shape);
    if (ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_DIM, "%s: a product of two operands has %d dims, at most %d",
                           all->c->op, ndim, STRIA_MAX_NDIM);
    STRIA_TRY(make_term(all, &made, ndim, shape));
    STRIA_TRY(multiply(all, &made.t, &all->term[a].t, &all->term[b].t));
    if (all->c->text) stria__print(all->c->text, "; then ");
    count_labels(all, &all->term[a].t, -1);
    count_labels(all, &all->term[b].t, -1);
    move_term(&all->term[a], &made);
    count_labels(all, &all->term[a].t, 1);
    array_own(&all->term[b].owned, NULL);
    if (b < --all->n) move_term(&all->term[b], &all->term[all->n]);
    return STRIA_OK;
}

/* All of more than two operands get the common dtype, as pairs of them might have another. */
static stria_status begin_term(struct terms *all, int i)
{
    struct term *const term = &all->term[i];
    const struct contraction *const c = all->c;
    STRIA_TRY(simplify(&term->t, &c->in[i], c->op));
    if (c->n <= 2 || term->t.view.dtype.kind == all->pair.dtype.kind || c->text) return STRIA_OK;
    STRIA_TRY(stria_astype(&term->owned, &term->t.view, all->pair.dtype, STRIA_CAST_UNSAFE,
                           STRIA_COPY_IF_NEEDED, NULL, &all->pair.exec));
    view_copy(&term->t.view, &term->owned.view);
    return STRIA_OK;
}

/* Contracts until two are left; not inlined, so that the last product has 4 KB of stack more. */
__attribute__((noinline)) static stria_status contract_to_two(struct terms *all)
{
    for (int i = 0; i < all->n; i++) {
        STRIA_TRY(begin_term(all, i));
        count_labels(all, &all->term[i].t, 1);
    }
    for (int i = 0; i < all->n && all->n > 1; i++)
        STRIA_TRY(sum_alone(all, i));
    for (int i = 0; i < all->n && all->n > 2; i++)
        STRIA_TRY(find_partner(all, i));
    while (all->n > 2) {
        const int a = choose(all), b = all->term[a].partner;
        STRIA_TRY(multiply_two(all, a, b));
        STRIA_TRY(update_partners(all, a, b));
    }
    return STRIA_OK;
}

static stria_status contract_terms(struct terms *all, const struct labelled *out)
{
    STRIA_TRY(contract_to_two(all));
    if (all->n == 1) return sum_into(all, out, &all->term[0].t);
    return multiply(all, out, &all->term[0].t, &all->term[1].t);
}

/* The callback of stria__write_apart. */
struct request {
    const struct contraction *c;
    stria_dtype dtype;
};

static stria_status run_contraction(void *arg, const stria_view *to)
{
    static const stria_view none;
    const struct request *const r = arg;
    const struct contraction *const c = r->c;
    struct labelled out, whole;
    struct terms all = {
        .c = c, .n = c->n, .pair = {.dtype = r->dtype, .op = c->op, .text = c->text}};
    if (c->exec) all.pair.exec = *c->exec;
    view_copy(&whole.view, to);
    memcpy(whole.label, c->label, (size_t)c->ndim);
    STRIA_TRY(simplify(&out, &whole, c->op));
    OWNED_MEMORY(memory, sizeof *all.pair.room + (size_t)c->n * sizeof *all.term);
    if (!memory.at)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for %d operands", c->op, c->n);
    OWNED_ARRAY(meta);
    if (c->text) { /* A result that is only explained needs no memory. */
        STRIA_TRY(stria_buffer_meta(&meta.owned, 1));
        STRIA_TRY(
            stria_view_make(&meta.view, meta.owned, stria_dtype_of(STRIA_BOOL), 0, NULL, NULL, 0));
    }
    all.near = c->text ? &meta.view : &none;
    all.pair.room = memory.at;
    all.term = (struct term *)(void *)(all.pair.room + 1);
    for (int i = 0; i < c->n; i++)
        array_none(&all.term[i].owned);
    const stria_status status = contract_terms(&all, &out);
    for (int i = 0; i < c->n; i++)
        drop(&all.term[i]);
    return status;
}

/* Checks overlap, then computes. */
static stria_status contract_into(const struct request *r, const stria_view *out,
                                  const int64_t size[LABELS])
{
    const struct contraction *const c = r->c;
    const struct output output = {c->op, "out", out, c->exec};
    bool apart = true, meta = view_is_meta(out), empty = stria_numel(out) == 0, no_terms = false;
    for (int i = 0; i < c->n; i++) {
        STRIA_TRY(stria__and_apart(&apart, &output, &c->in[i].view, "an operand"));
        meta = meta || view_is_meta(&c->in[i].view);
    }
    for (int l = 0; l < LABELS; l++)
        no_terms = no_terms || size[l] == 0;
    if (c->text && (empty || no_terms)) stria__print(c->text, "nothing is multiplied");
    if (empty || (meta && !c->text) || (c->text && no_terms)) return STRIA_OK;
    if (no_terms) return stria__fill_zero(out);
    if (c->text) return run_contraction((void *)(uintptr_t)r, out);
    /* Bools are counted, integers summed in more bits; a cast must not see these. */
    const bool whole = r->dtype.kind < STRIA_F8E4M3 && out->dtype.kind != r->dtype.kind;
    if (!whole) return stria__write_apart(&output, apart, run_contraction, (void *)(uintptr_t)r);
    OWNED_ARRAY(made);
    STRIA_TRY(stria__empty_as(&made, out, r->dtype, STRIA_ORDER_C, c->op));
    STRIA_TRY(run_contraction((void *)(uintptr_t)r, &made.view));
    return stria_copy(out, &made.view, c->exec);
}

stria_status stria__contract(const struct contraction *c, const stria_view *out, stria_array *made)
{
    IN_DEFAULT_FP_MODE;
    OBEYS(c->exec);
    struct request r = {c, {0}};
    int64_t size[LABELS], shape[STRIA_MAX_NDIM];
    STRIA_TRY(check_operands(c, &r.dtype));
    STRIA_TRY(find_sizes(c, size));
    for (int d = 0; d < c->ndim; d++)
        shape[d] = size[c->label[d]];
    if (out) {
        STRIA_TRY(stria__check_writable(out, c->op, "out"));
        STRIA_TRY(stria__check_out(out, c->ndim, shape, r.dtype, c->op));
        return contract_into(&r, out, size);
    }
    OWNED_ARRAY(fresh);
    const stria_view *near = &c->in[0].view;
    for (int i = 0; i < c->n; i++)
        if (view_is_meta(&c->in[i].view)) near = &c->in[i].view;
    STRIA_TRY(stria__empty_like_memory(&fresh, near, r.dtype, c->ndim, shape, STRIA_ORDER_C));
    return stria__deliver(made, &fresh, contract_into(&r, &fresh.view, size));
}
