/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a program of the values of a pass. Rows of scratch are given out as registers are: one is
 * free again after the last instruction that reads it, so that few of them, and long ones, stay in
 * the first-level cache. Kernels may write over what they read, casts may not.
 */
#include "ops/expr/evaluation.h"

#include "integers.h"
#include "ops/elementwise/operation.h"
#include "view/view.h"

/* A program on its way. */
struct assembly {
    struct pass *pass;
    struct lowered *l;
    const struct pass_output *outputs;
    int count;            /* number of them */
    const stria_view *to; /* the first one; all have its shape */
    const stria_view *mask;
    int top;                            /* the last root */
    uint64_t all;                       /* the dims along which out moves */
    uint64_t moves[STRIA_MAX_OPERANDS]; /* dims along which the operands do */
    bool is_free[VALUES];               /* rows of scratch */
};

/* ---- operands ------------------------------------------------------------------------------- */

/* The dims of out along which a has more than one element. */
static uint64_t moves_of(const stria_view *a, const stria_view *out)
{
    uint64_t moves = 0;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] > 1 && a->strides[d] != 0)
            moves |= UINT64_C(1) << (out->ndim - a->ndim + d);
    return moves;
}

static const stria_view *view_of(const struct lowered *l, const struct lowered_value *v)
{
    return v->what == VALUE_LEAF ? l->leaf[v->index] : &v->made->view;
}

/* The bytes between elements of a along dim d of out. */
static int64_t step_along(const stria_view *a, int ndim, int d)
{
    const int own = d - (ndim - a->ndim);
    return own < 0 || a->shape[own] == 1 ? 0 : a->strides[own];
}

bool stria__is_shifted(const stria_view *a, const stria_view *b)
{
    const int ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
    if (a->dtype.itemsize != b->dtype.itemsize) return false;
    for (int d = 0; d < ndim; d++)
        if (step_along(a, ndim, d) != step_along(b, ndim, d)) return false;
    return true;
}

/* Tells whether the spans of two views of the same strides have bytes in common. */
static bool is_near(const stria_view *a, const stria_view *b)
{
    const uintptr_t from = (uintptr_t)a->data, to = (uintptr_t)b->data;
    uint64_t reach = 0;
    for (int d = 0; d < a->ndim; d++)
        reach += magnitude(a->strides[d]) * (uint64_t)(a->shape[d] - 1);
    return (from > to ? from - to : to - from) <= reach;
}

/* Tells whether a is dense along the rows of out, so that nothing has to be put in order first. */
static bool lies_along(const stria_view *a, const stria_view *out)
{
    int row = -1;
    for (int d = 0; d < out->ndim; d++)
        if (out->shape[d] > 1 &&
            (row < 0 || magnitude(out->strides[d]) <= magnitude(out->strides[row])))
            row = d;
    return row >= 0 && step_along(a, out->ndim, row) == a->dtype.itemsize;
}

/*
 * Returns the operand that leaf `a` is, shifted; -1: it has to be an operand itself. Views of one
 * array that overlap are one operand, which is read from memory once; others only where there are
 * more than a plan takes.
 */
static int operand_of_leaf(const struct assembly *a, const stria_view *leaf, int leaves)
{
    const int others = a->mask ? 3 : 1;
    const bool many = others + leaves > STRIA_MAX_OPERANDS;
    if (a->count > 1 || (a->l->apart && a->top == lowered_root(a->l))) return -1;
    if (!many && (leaves < 3 || !lies_along(leaf, a->to))) return -1;
    for (int k = a->count; k < a->pass->program.nops; k++) {
        const stria_view *const operand = a->pass->views[k];
        if (stria__is_shifted(operand, leaf) && (many || is_near(operand, leaf))) return k;
    }
    return -1;
}

static void add_array(struct assembly *a, const stria_view *view, int like)
{
    struct program *const p = &a->pass->program;
    a->pass->views[p->nvalues] = view;
    stria__put_value(p, view->dtype.itemsize, like);
    if (like >= 0)
        p->shifts++;
    else
        a->moves[p->nops++] = moves_of(view, a->to);
}

/* Operands come first, then what is one of them, shifted. */
static void add_arrays(struct assembly *a)
{
    struct program *const p = &a->pass->program;
    int roots[STRIA_MAX_OPERANDS], leaves[ARRAYS], like[ARRAYS];
    p->outputs = a->count;
    for (int j = 0; j < a->count; j++) {
        roots[j] = a->outputs[j].root;
        add_array(a, a->outputs[j].to, -1);
    }
    const int count = stria__pass_leaves_of_all(a->l, a->count, roots, leaves);
    for (int shifted = 0; shifted < 2; shifted++) {
        for (int k = 0; k < count; k++) {
            struct lowered_value *const v = &a->l->value[leaves[k]];
            if (!shifted) like[k] = operand_of_leaf(a, view_of(a->l, v), count);
            if ((like[k] >= 0) != shifted) continue;
            v->place = (int8_t)p->nvalues;
            v->moves = moves_of(view_of(a->l, v), a->to);
            add_array(a, view_of(a->l, v), like[k]);
        }
        if (shifted || !a->mask) continue;
        p->mask = p->nops;
        add_array(a, a->mask, -1);
        for (int j = 0; j < a->count; j++)
            add_array(a, a->outputs[j].to, -1);
    }
}

static void put_constants(struct assembly *a)
{
    struct program *const p = &a->pass->program;
    for (int i = 0; i < a->top; i++) {
        struct lowered_value *const v = &a->l->value[i];
        if (!v->needed || v->what != VALUE_CONSTANT) continue;
        p->constant[p->constants++] = a->l->constant[v->index];
        v->moves = 0;
        v->place = stria__put_value(p, stria__builtins[v->kind].size, -1);
    }
}

/* ---- rows of scratch ------------------------------------------------------------------------ */

/* An operand that is repeated along just the same dims; -1: there is none, or no dim. */
static int8_t operand_like(const struct assembly *a, uint64_t moves)
{
    if (moves == a->all) return -1;
    for (int k = a->count; k < a->pass->program.nops; k++)
        if (a->moves[k] == moves) return (int8_t)k;
    return -1;
}

static int8_t take_row(struct assembly *a, int64_t item, uint64_t moves)
{
    struct program *const p = &a->pass->program;
    const int8_t like = operand_like(a, moves);
    for (int v = stria__first_row(p); v < p->nvalues; v++) {
        if (!a->is_free[v] || p->item[v] != item || p->like[v] != like) continue;
        a->is_free[v] = false;
        return (int8_t)v;
    }
    a->is_free[p->nvalues] = false;
    return stria__put_value(p, item, like);
}

/* Frees the rows that instruction i is the last one to read. */
static void free_rows(struct assembly *a, int i)
{
    const struct program *const p = &a->pass->program;
    const struct lowered_value *const v = &a->l->value[i];
    for (int k = 0; k < v->count; k++) {
        const struct lowered_value *const operand = &a->l->value[v->operand[k]];
        if (operand->last == i && operand->place >= stria__first_row(p))
            a->is_free[operand->place] = true;
    }
}

/* ---- instructions --------------------------------------------------------------------------- */

static bool is_computed(const struct assembly *a, int i)
{
    const struct lowered_value *const v = &a->l->value[i];
    return v->needed && v->what > VALUE_CONSTANT && (i == a->top || !v->cut);
}

static void set_lasts(const struct assembly *a)
{
    for (int i = 0; i <= a->top; i++) {
        const struct lowered_value *const v = &a->l->value[i];
        for (int k = 0; is_computed(a, i) && k < v->count; k++)
            a->l->value[v->operand[k]].last = i;
    }
}

/* Makes a conversion of numbers, which there is; returns whether it changes any bytes. */
static bool convert(struct conversion *how, const struct assembly *a, const stria_view *to,
                    const stria_view *from)
{
    const stria_status status = stria__convert(how, to, from, a->l->exec);
    assert(status == STRIA_OK);
    (void)status;
    return how->row != NULL;
}

/* Value i, into output `to` itself; -1: into a row. */
static void put_instruction(struct assembly *a, int i, int to)
{
    struct program *const p = &a->pass->program;
    struct lowered_value *const v = &a->l->value[i];
    const stria_dtype dtype = stria_dtype_of((stria_kind)v->kind);
    struct instruction code = {.loop = v->loop, .count = (int8_t)(1 + v->count)};
    v->moves = 0;
    for (int k = 0; k < v->count; k++) {
        code.value[1 + k] = a->l->value[v->operand[k]].place;
        v->moves |= a->l->value[v->operand[k]].moves;
    }
    if (v->what == VALUE_KERNEL) free_rows(a, i);
    v->place = to >= 0 ? (int8_t)to : take_row(a, dtype.itemsize, v->moves);
    if (v->what == VALUE_KERNEL) {
        p->cycles += stria__op_info(v->op)->cycles;
        code.value[0] = v->place;
        p->code[p->count++] = code;
        return;
    }
    const stria_view made = stria__plain_view(dtype),
                     from = stria__lowered_source(a->l, v->operand[0], (stria_kind)v->from);
    (void)convert(&p->cast[p->casts], a, &made, &from);
    stria__put_cast(p, v->place, code.value[1]);
    free_rows(a, i);
}

/*
 * Value i, at once followed by what brings it into its output, if it is a result: a cast to that
 * one's dtype, and a choice between it and what the output holds. Later rows may take its place.
 */
static void put_value(struct assembly *a, int i)
{
    struct program *const p = &a->pass->program;
    struct conversion how;
    const struct lowered_value *const v = &a->l->value[i];
    int j = 0;
    while (j < a->count && a->outputs[j].root != i)
        j++;
    if (j == a->count) {
        put_instruction(a, i, -1);
        return;
    }
    const stria_view from = stria__plain_view(stria_dtype_of(a->outputs[j].kind));
    const bool cast = convert(&how, a, a->outputs[j].to, &from);
    put_instruction(a, i, cast || a->mask ? -1 : j);
    int8_t place = v->place;
    if (cast) {
        a->pass->casts_result = true;
        p->cast[p->casts] = how;
        place = a->mask ? take_row(a, p->item[j], v->moves) : (int8_t)j;
        stria__put_cast(p, place, v->place);
    }
    if (a->mask) stria__put_choice(p, j, place, stria__choose_items(p->item[j]));
}

void stria__pass_assemble(struct pass *out, struct lowered *l, int count,
                          const struct pass_output *outputs, const stria_view *mask)
{
    const stria_view *const to = outputs[0].to;
    struct assembly a = {
        .pass = out, .l = l, .outputs = outputs, .count = count, .to = to, .mask = mask};
    out->casts_result = false;
    out->program = (struct program){0};
    pass_take_lists(out);
    for (int d = 0; d < to->ndim; d++)
        if (to->shape[d] > 1) a.all |= UINT64_C(1) << d;
    for (int j = 0; j < count; j++)
        a.top = outputs[j].root > a.top ? outputs[j].root : a.top;
    add_arrays(&a);
    put_constants(&a);
    set_lasts(&a);
    for (int i = 0; i <= a.top; i++)
        if (is_computed(&a, i)) put_value(&a, i);
    if (stria__is_cast(&out->program)) out->like[0] = 1;
}
