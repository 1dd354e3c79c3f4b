/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, from the texts of a case, its steps, the memory they take, and the bytes that they stand
 * for. */
#include "bench_case.h"
#include "tool.h"

/*
 * Halves the largest extent, with equally large ones, until the array fits, so that squares stay
 * squares. Returns whether that was needed.
 */
static bool shrink(struct array_spec *x, int64_t limit)
{
    bool shrunk = false;
    while (limit > 0 && array_spec_extent(x) > limit) {
        int64_t largest = 0;
        for (int d = 0; d < x->ndim; d++)
            if (x->shape[d] > largest) largest = x->shape[d];
        if (largest <= 1) break;
        for (int d = 0; d < x->ndim; d++)
            if (x->shape[d] == largest) x->shape[d] = (largest + 1) / 2;
        shrunk = true;
    }
    return shrunk;
}

/* How other arrays are made smaller when x was. */
struct smaller {
    int64_t shape[STRIA_MAX_NDIM]; /* Shape that x had. */
    /* Each dim shrinks like the dim of x of its size; else like the dim of x at its place. */
    bool by_size;
};

static bool is_there(const struct bench_inputs *inputs, const char *name)
{
    for (int i = 0; i < inputs->count; i++)
        if (!strcmp(inputs->items[i].name, name)) return true;
    return false;
}

static stria_status add_input(struct bench_inputs *inputs, const char *name,
                              const struct array_spec *array, struct failure *failure)
{
    if (inputs->count == BENCH_MAX_INPUTS)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT, "a case has at most %d arrays",
                                   BENCH_MAX_INPUTS);
    inputs->items[inputs->count++] = (struct bench_input){name, *array};
    return STRIA_OK;
}

/* ---- descriptions ---------------------------------------------------------------------------- */

/* Makes an array smaller as x was: dim by dim from the last, or as the dim of x of that size. */
static void scale(struct array_spec *array, const struct array_spec *x, const struct smaller *how)
{
    for (int i = 1; i <= array->ndim; i++) {
        int64_t *n = &array->shape[array->ndim - i];
        int d = x->ndim - i;
        for (int k = 0; k < x->ndim && how->by_size; k++)
            if (how->shape[k] == *n) d = k;
        if (d < 0) continue;
        const int64_t before = how->shape[d], now = x->shape[d];
        if (before != now && *n <= INT64_MAX / before) *n = (*n * now + before - 1) / before;
    }
}

/* Adds an array described by NAME=SHAPE or NAME=SHAPE:DTYPE. */
static stria_status add_described(struct bench_inputs *inputs, const char *text,
                                  const struct smaller *how, struct pool *pool,
                                  struct failure *failure)
{
    const struct array_spec *x = &inputs->items[0].array;
    struct array_spec array = array_spec_default();
    const char *equals = strchr(text, '='), *colon = strrchr(text, ':');
    array.dtype = x->dtype;
    if (equals) {
        const size_t length = colon > equals ? (size_t)(colon - equals) - 1 : strlen(equals + 1);
        array.ndim =
            read_integers(array.shape, STRIA_MAX_NDIM, must_text(pool, equals + 1, length));
    }
    if (!equals || array.ndim < 0)
        return stria__fail_request(
            failure, STRIA_ERR_FORMAT,
            "an array beside x is written y=4096,1 or y=4096,1:f64, not '%.60s'", text);
    if (colon > equals) STRIA_TRY(dtype_text_read(&array.dtype, colon + 1, pool, failure));
    scale(&array, x, how);
    return add_input(inputs, must_text(pool, text, (size_t)(equals - text)), &array, failure);
}

/* ---- names in EXPR --------------------------------------------------------------------------- */

struct search {
    struct bench_inputs *inputs;
    struct pool *pool; /* Owns the names, which are needed longer than the tree. */
    struct failure *failure;
};

/* Tells whether a name is neither that of an array nor a word of EXPR, such as None or float32. */
static bool is_free(const struct bench_inputs *inputs, const char *name)
{
    enum world world;
    struct value value;
    return !is_there(inputs, name) && !stria__name_is_module(name, &world) &&
           !stria__name_value(&value, name, WORLD_ANY);
}

static stria_status add_free(const struct search *s, const struct node *node)
{
    if (!node) return STRIA_OK;
    if (node->kind == NODE_NAME && is_free(s->inputs, node->text))
        STRIA_TRY(add_input(s->inputs, must_text(s->pool, node->text, node->length),
                            &s->inputs->items[0].array, s->failure));
    const struct node *a = node->a;
    const bool function = node->kind == NODE_CHAIN && a && a->kind == NODE_NAME && node->first &&
                          node->first->kind == NODE_CALL;
    if (!function) STRIA_TRY(add_free(s, a));
    STRIA_TRY(add_free(s, node->b));
    if (node->kind == NODE_SLICE) STRIA_TRY(add_free(s, node->c));
    for (const struct node *item = node->first; item; item = item->next)
        STRIA_TRY(add_free(s, item));
    return STRIA_OK;
}

/*
 * Adds the other arrays to x. They are described as "y=4096,4096" or "y=4096,1:f64", for an x that
 * may have been larger; they become smaller in the same proportion.
 */
static stria_status add_inputs(struct bench_inputs *inputs, const struct suite_case *c,
                               const struct smaller *how, const struct node *tree,
                               struct pool *pool, struct failure *failure)
{
    for (int i = 0; i < BENCH_MAX_INPUTS - 1 && c->with[i]; i++)
        STRIA_TRY(add_described(inputs, c->with[i], how, pool, failure));
    return add_free(&(struct search){inputs, pool, failure}, tree);
}

/* ---- the case -------------------------------------------------------------------------------- */

static stria_status make_inputs(struct inputs *inputs, const struct bench_layout *layout,
                                struct failure *failure)
{
    for (int i = 0; i < layout->inputs.count; i++) {
        stria_array array = {0};
        STRIA_TRY(array_spec_make(&array, &layout->inputs.items[i].array, NULL, failure));
        STRIA_TRY(inputs_add(inputs, layout->inputs.items[i].name, array, failure));
    }
    return STRIA_OK;
}

static stria_status evaluate_case(struct bench_layout *out, const struct suite_case *c,
                                  const struct smaller *how, struct pool *pool,
                                  struct failure *failure)
{
    struct inputs inputs = {0};
    struct node *tree;
    struct evaluation e = inputs_evaluation(c->expr, &inputs, failure);
    e.waiting.stepping = true;
    stria_status status = stria__syntax_parse(&tree, c->expr, EXPR_MAX_NESTED, &e.pool, failure);
    if (status == STRIA_OK) status = add_inputs(&out->inputs, c, how, tree, pool, failure);
    if (status == STRIA_OK) status = make_inputs(&inputs, out, failure);
    if (status == STRIA_OK) status = stria__evaluate_tree(&e, tree);
    if (status == STRIA_OK) status = bench_steps_make(out, &e, pool);
    stria__evaluation_end(&e);
    inputs_free(&inputs);
    return status;
}

static stria_status read_case(struct bench_layout *out, const struct suite_case *c,
                              struct pool *pool, struct failure *failure)
{
    *out = (struct bench_layout){.inputs = {.count = 1}};
    struct array_spec *const x = &out->inputs.items[0].array;
    out->inputs.items[0].name = "x";
    *x = array_spec_default();
    x->ndim = read_integers(x->shape, STRIA_MAX_NDIM, c->shape);
    if (x->ndim < 0)
        return stria__fail_request(failure, STRIA_ERR_FORMAT,
                                   "the shape wants integers like 4096,4096, not '%.60s'",
                                   c->shape);
    return dtype_text_read(&x->dtype, c->dtype, pool, failure);
}

/* Makes a fill, which writes in place into the view itself, or a conversion. */
static stria_status fill_or_convert(struct bench_layout *l, const struct suite_case *c,
                                    struct pool *pool, struct failure *failure)
{
    struct bench_step *const step = &l->steps[0];
    if ((c->to || c->fill) && step->kind != BENCH_COPIES)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "math is not converted or filled with");
    if (c->to && c->fill)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "a fill converts nothing: no dtype to");
    if (c->to) {
        step->at[0].layout.strided = false;
        STRIA_TRY(dtype_text_read(&step->at[0].layout.dtype, c->to, pool, failure));
    }
    if (c->fill) {
        step->at[0] = step->at[1];
        step->kind = BENCH_FILLS;
        step->count = l->slots = 1;
        l->sources = 0;
    }
    return STRIA_OK;
}

/* More bytes than any machine has, while sums of a few such numbers do not overflow. */
static const int64_t most_bytes = (int64_t)1 << 50;

static stria_status find_sizes(struct bench_layout *l, const struct bench_settings *settings,
                               struct failure *failure)
{
    const struct array_spec *const target = bench_target(l), *const source =
                                                                 &l->steps->at[1].layout;
    int64_t all = 0;
    l->written = target->dtype.itemsize;
    for (int d = 0; d < target->ndim; d++)
        l->written *= target->shape[d];
    if (!l->written)
        return stria__fail_request(failure, STRIA_ERR_SHAPE, "the case has no elements");
    for (int i = 0; i < l->slots; i++) {
        if (!l->math) l->bytes[i] = array_spec_bytes(i ? target : &l->steps->at[l->sources].layout);
        all += l->bytes[i] > most_bytes || all > most_bytes ? most_bytes : l->bytes[i];
    }
    if (all > most_bytes || l->written > most_bytes)
        return stria__fail_request(failure, STRIA_ERR_MEMORY,
                                   "the case takes more than 2^50 bytes");
    const bool copies = l->steps->kind == BENCH_COPIES && source->dtype.kind == target->dtype.kind;
    l->moved = bench_steps_moved(l);
    l->flat = copies ? l->written : (l->moved + 1) / 2;
    l->touched = l->moved < 2 * l->flat ? l->moved : 2 * l->flat;
    l->pairs = regime_pairs(settings->regime, l->touched, all, &settings->machine);
    return STRIA_OK;
}

stria_status bench_layout_make(struct bench_layout *out, const struct suite_case *c,
                               const struct bench_settings *settings, struct pool *pool,
                               struct failure *failure)
{
    STRIA_TRY(read_case(out, c, pool, failure));
    struct array_spec *const x = &out->inputs.items[0].array;
    struct smaller how = {.by_size = false};
    memcpy(how.shape, x->shape, sizeof how.shape);
    out->shrunk = shrink(x, settings->limit);
    stria_status status = evaluate_case(out, c, &how, pool, failure);
    /* Contractions, for example, need dims that are equal. */
    if (status == STRIA_ERR_SHAPE && out->shrunk) {
        how.by_size = true;
        out->inputs.count = 1;
        status = evaluate_case(out, c, &how, pool, failure);
    }
    STRIA_TRY(status);
    /* The result is in C order; views may follow. */
    if (out->math) bench_target(out)->strided = false;
    STRIA_TRY(fill_or_convert(out, c, pool, failure));
    return find_sizes(out, settings, failure);
}
