/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the values of a pass to a program. Rows of scratch are given out as registers are: one is
 * free again after the last instruction that reads it, so that few of them, and long ones, stay in
 * the first-level cache. Kernels may write over what they read, casts may not.
 */
#include "ops/expr/passes.h"

#include "ops/elementwise/mask.h"
#include "ops/elementwise/types.h"
#include "view/view.h"

/* A program on its way. */
struct assembly {
    struct pass *pass;
    struct lowered *l;
    const stria_view *to, *mask;
    uint64_t all;                       /* the dims along which out moves */
    uint64_t moves[STRIA_MAX_OPERANDS]; /* those along which the operands do */
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

static void put_operands(struct assembly *a, int root)
{
    struct pass *const pass = a->pass;
    struct program *const p = &pass->program;
    const int leaves = stria__pass_leaves(a->l, root, pass->leaves + 1);
    pass->views[0] = a->to;
    p->nops = 1 + leaves;
    for (int k = 1; k <= leaves; k++) {
        struct lowered_value *const v = &a->l->value[pass->leaves[k]];
        pass->views[k] = view_of(a->l, v);
        v->moves = moves_of(pass->views[k], a->to);
        v->place = (int8_t)k;
    }
    if (a->mask) {
        p->mask = p->nops;
        pass->views[p->nops++] = a->mask;
        pass->views[p->nops++] = a->to;
    }
    for (int k = 0; k < p->nops; k++) {
        a->moves[k] = moves_of(pass->views[k], a->to);
        p->item[k] = pass->views[k]->dtype.itemsize;
        p->like[k] = -1;
    }
    p->nvalues = p->nops;
}

static void put_constants(struct assembly *a, int root)
{
    struct program *const p = &a->pass->program;
    for (int i = 0; i < root; i++) {
        struct lowered_value *const v = &a->l->value[i];
        if (!v->needed || v->what != VALUE_CONSTANT) continue;
        p->constant[p->constants++] = a->l->constant[v->index];
        p->item[p->nvalues] = stria_dtype_of((stria_kind)v->kind).itemsize;
        p->like[p->nvalues] = -1;
        v->moves = 0;
        v->place = (int8_t)p->nvalues++;
    }
}

/* ---- rows of scratch ------------------------------------------------------------------------ */

/* An operand that is repeated along just the same dims; -1: there is none, or no dim. */
static int8_t operand_like(const struct assembly *a, uint64_t moves)
{
    if (moves == a->all) return -1;
    for (int k = 1; k < a->pass->program.nops; k++)
        if (a->moves[k] == moves) return (int8_t)k;
    return -1;
}

static int8_t take_row(struct assembly *a, int64_t item, uint64_t moves)
{
    struct program *const p = &a->pass->program;
    const int8_t like = operand_like(a, moves);
    for (int v = p->nops + p->constants; v < p->nvalues; v++) {
        if (!a->is_free[v] || p->item[v] != item || p->like[v] != like) continue;
        a->is_free[v] = false;
        return (int8_t)v;
    }
    p->item[p->nvalues] = item;
    p->like[p->nvalues] = like;
    a->is_free[p->nvalues] = false;
    return (int8_t)p->nvalues++;
}

/* Rows that instruction i is the last one to read. */
static void free_rows(struct assembly *a, int i)
{
    const struct program *const p = &a->pass->program;
    const struct lowered_value *const v = &a->l->value[i];
    for (int k = 0; k < v->count; k++) {
        const struct lowered_value *const operand = &a->l->value[v->operand[k]];
        if (operand->last == i && operand->place >= p->nops + p->constants)
            a->is_free[operand->place] = true;
    }
}

/* ---- instructions --------------------------------------------------------------------------- */

static bool is_computed(const struct lowered_value *v, bool is_root)
{
    return v->needed && v->what > VALUE_CONSTANT && (is_root || !v->cut);
}

static void set_lasts(struct lowered *l, int root)
{
    for (int i = 0; i <= root; i++) {
        const struct lowered_value *const v = &l->value[i];
        for (int k = 0; is_computed(v, i == root) && k < v->count; k++)
            l->value[v->operand[k]].last = i;
    }
}

static stria_view plain(stria_kind kind)
{
    stria_view view;
    view.dtype = stria_dtype_of(kind);
    view.flags = 0;
    return view;
}

static struct instruction instruction_of(struct assembly *a, const struct lowered_value *v)
{
    struct program *const p = &a->pass->program;
    struct instruction code = {.loop = v->loop, .count = (int8_t)(1 + v->count)};
    for (int k = 0; k < v->count; k++)
        code.value[1 + k] = a->l->value[v->operand[k]].place;
    if (v->what == VALUE_KERNEL) {
        p->cycles += stria__op_info(v->op)->cycles;
        return code;
    }
    const stria_view to = plain((stria_kind)v->kind);
    const stria_view from = stria__lowered_source(a->l, v->operand[0], (stria_kind)v->from);
    const stria_status status = stria__convert(&p->cast[p->casts], &to, &from, a->l->exec);
    assert(status == STRIA_OK); /* both are numbers */
    (void)status;
    code.cast = (int8_t)p->casts++;
    return code;
}

static void put_instruction(struct assembly *a, int i, bool writes_out)
{
    struct program *const p = &a->pass->program;
    struct lowered_value *const v = &a->l->value[i];
    struct instruction code = instruction_of(a, v);
    v->moves = 0;
    for (int k = 0; k < v->count; k++)
        v->moves |= a->l->value[v->operand[k]].moves;
    if (v->what == VALUE_KERNEL) free_rows(a, i);
    v->place = writes_out ? 0 : take_row(a, stria_dtype_of((stria_kind)v->kind).itemsize, v->moves);
    if (v->what == VALUE_CAST) free_rows(a, i);
    code.value[0] = v->place;
    p->code[p->count++] = code;
}

/* The cast of the result to the dtype of out, if it takes one. */
static bool find_last_cast(struct assembly *a, stria_kind kind)
{
    struct conversion *const how = &a->pass->program.cast[CASTS - 1];
    const stria_view from = plain(kind);
    const stria_status status = stria__convert(how, a->to, &from, a->l->exec);
    assert(status == STRIA_OK);
    (void)status;
    return how->row != NULL;
}

static int8_t put_last_cast(struct assembly *a, int8_t place, uint64_t moves)
{
    struct program *const p = &a->pass->program;
    const int8_t to = a->mask ? take_row(a, a->to->dtype.itemsize, moves) : 0;
    p->cast[p->casts] = p->cast[CASTS - 1];
    p->code[p->count++] =
        (struct instruction){.cast = (int8_t)p->casts++, .count = 2, .value = {to, place}};
    return to;
}

/* Between the result and what out holds. */
static void put_choice(struct assembly *a, int8_t place)
{
    struct program *const p = &a->pass->program;
    const struct map_mask mask = stria__mask_for(a->mask, a->to->dtype.itemsize);
    const int8_t m = (int8_t)p->mask;
    p->code[p->count++] = (struct instruction){
        .loop = mask.choose, .count = 4, .value = {0, m, place, (int8_t)(m + 1)}};
}

void stria__pass_assemble(struct pass *out, struct lowered *l, int root, stria_kind kind,
                          const stria_view *to, const stria_view *mask)
{
    struct assembly a = {.pass = out, .l = l, .to = to, .mask = mask};
    out->program = (struct program){.item = out->item,
                                    .like = out->like,
                                    .code = out->code,
                                    .cast = out->cast,
                                    .constant = out->constant};
    for (int d = 0; d < to->ndim; d++)
        if (to->shape[d] > 1) a.all |= UINT64_C(1) << d;
    put_operands(&a, root);
    put_constants(&a, root);
    set_lasts(l, root);
    const bool cast = out->casts_result = find_last_cast(&a, kind);
    for (int i = 0; i <= root; i++)
        if (is_computed(&l->value[i], i == root))
            put_instruction(&a, i, i == root && !cast && !mask);
    int8_t place = l->value[root].place;
    if (cast) place = put_last_cast(&a, place, l->value[root].moves);
    if (mask) put_choice(&a, place);
    if (out->program.count == 1 && !out->code[0].loop) out->like[0] = 1;
}
