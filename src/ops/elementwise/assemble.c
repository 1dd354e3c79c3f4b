/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a program of the values of a pass. Rows of scratch are given out as registers are: one is
 * free again after the last instruction that reads it, so that few of them, and long ones, stay in
 * the first-level cache. Kernels may write over what they read, casts may not.
 */
#include "ops/elementwise/assemble.h"

#include <string.h>

#include "view/view.h"

/* ---- values --------------------------------------------------------------------------------- */

static uint32_t mix(uint32_t hash, uint64_t word)
{
    const uint64_t product = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(product >> 32);
}

static uint32_t hash_of(const struct lowered *l, const struct lowered_value *v)
{
    uint32_t hash = mix(0, (uint64_t)v->what << 16 | (uint64_t)v->dtype.kind << 8 | v->from.kind);
    uint64_t words[2] = {0, 0};
    if (v->what == VALUE_LEAF) return mix(hash, (uint64_t)v->index);
    if (v->what == VALUE_CONSTANT) {
        memcpy(words, l->constant[v->index].item, sizeof words);
        return mix(mix(hash, words[0]), words[1]);
    }
    hash = mix(hash, (uint64_t)(uintptr_t)v->loop);
    for (int i = 0; i < v->count; i++)
        hash = mix(hash, (uint64_t)v->operand[i]);
    return hash;
}

static bool is_same(const struct lowered *l, const struct lowered_value *a,
                    const struct lowered_value *b)
{
    if (a->what != b->what || a->dtype.kind != b->dtype.kind || a->from.kind != b->from.kind)
        return false;
    if (a->what == VALUE_LEAF) return a->index == b->index;
    if (a->what == VALUE_CONSTANT)
        return !memcmp(&l->constant[a->index], &l->constant[b->index], sizeof *l->constant);
    if (a->loop != b->loop || a->count != b->count) return false;
    for (int i = 0; i < a->count; i++)
        if (a->operand[i] != b->operand[i]) return false;
    return true;
}

int stria__lower_value(struct lowered *l, const struct lowered_value *v)
{
    uint32_t at = l->table ? hash_of(l, v) & (l->places - 1) : 0;
    for (; l->table && l->table[at]; at = (at + 1) & (l->places - 1))
        if (is_same(l, v, &l->value[l->table[at] - 1])) return l->table[at] - 1;
    l->value[l->values] = *v;
    if (l->table) l->table[at] = l->values + 1;
    return l->values++;
}

static stria_view plain_view(stria_dtype dtype, const void *data)
{
    stria_view view;
    view_set(&view, (char *)(uintptr_t)data, NULL, dtype, 0, 0, view.shape, view.strides);
    return view;
}

/* Adds the constant whose item lies in the next place of the list. */
static int add_constant(struct lowered *l, stria_dtype dtype)
{
    const struct lowered_value v = {.what = VALUE_CONSTANT, .dtype = dtype, .index = l->constants};
    const int before = l->values, number = stria__lower_value(l, &v);
    if (number == before) l->constants++;
    return number;
}

static struct constant *next_constant(struct lowered *l)
{
    struct constant *const next = &l->constant[l->constants];
    memset(next, 0, sizeof *next);
    return next;
}

int stria__lower_constant(struct lowered *l, const stria_view *from, stria_dtype to)
{
    struct constant *const made = next_constant(l);
    if (!stria__convert_element(made->item, to, from, l->exec))
        memcpy(made->item, from->data, (size_t)from->dtype.itemsize);
    return add_constant(l, to);
}

/* ---- casts ---------------------------------------------------------------------------------- */

stria_view stria__lowered_source(const struct lowered *l, int value, stria_dtype dtype)
{
    const struct lowered_value *const v = &l->value[value];
    stria_view from = plain_view(dtype, v);
    if (v->what == VALUE_CONSTANT) from.data = l->constant[v->index].item;
    if (v->what != VALUE_LEAF) return from;
    from.dtype.swapped = l->leaf[v->index]->dtype.swapped;
    from.flags = l->leaf[v->index]->flags & (STRIA_CONJ | STRIA_NEG);
    return from;
}

/* Tells whether the items of a view are plain ones of a native dtype. */
static bool is_plain(const stria_view *a, stria_dtype dtype)
{
    return a->dtype.kind == dtype.kind && !a->dtype.swapped &&
           !(a->flags & (STRIA_CONJ | STRIA_NEG));
}

/* Tells whether the conversion leaves every byte unchanged. */
static bool is_kept(const struct lowered *l, const stria_view *from, stria_dtype dtype)
{
    struct conversion how;
    if (is_plain(from, dtype)) return true;
    const stria_view to = stria__plain_view(dtype);
    return stria__convert(&how, &to, from, l->exec) == STRIA_OK && !how.row;
}

int stria__lower_cast(struct lowered *l, int value, stria_dtype from, stria_dtype to)
{
    const stria_view view = stria__lowered_source(l, value, from);
    if (l->value[value].what == VALUE_CONSTANT) return stria__lower_constant(l, &view, to);
    if (is_kept(l, &view, to)) return value;
    const struct lowered_value made = {
        .what = VALUE_CAST, .dtype = to, .from = from, .count = 1, .operand = {value}};
    return stria__lower_value(l, &made);
}

static bool are_constant(const struct lowered *l, const struct lowered_value *v)
{
    for (int i = 0; i < v->count; i++)
        if (l->value[v->operand[i]].what != VALUE_CONSTANT) return false;
    return true;
}

/* Runs the kernel for one element of constants. */
static int fold(struct lowered *l, const struct lowered_value *v)
{
    char *ptr[STRIA_MAX_OPERANDS];
    stria_dim d[2] = {{.n = 1}, {.n = 1}};
    ptr[0] = next_constant(l)->item;
    for (int i = 0; i < v->count; i++)
        ptr[1 + i] = l->constant[l->value[v->operand[i]].index].item;
    v->loop(ptr, d);
    return add_constant(l, v->dtype);
}

int stria__lower_kernel(struct lowered *l, const struct map *map, const int *value,
                        const stria_dtype *from)
{
    struct lowered_value v = {.what = VALUE_KERNEL,
                              .dtype = map->operand[0].dtype,
                              .count = (int16_t)(map->nops - 1),
                              .loop = map->loop,
                              .op = map->op};
    for (int i = 0; i < v.count; i++)
        v.operand[i] = stria__lower_cast(l, value[i], from[i], map->operand[1 + i].dtype);
    return are_constant(l, &v) ? fold(l, &v) : stria__lower_value(l, &v);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* A program while it is made. */
struct assembly {
    struct pass *pass;
    struct lowered *l;
    const struct pass_output *outputs;
    int count;            /* Number of outputs. */
    const stria_view *to; /* The first output; all have its shape. */
    const stria_view *mask;
    int top;                            /* The last root. */
    uint64_t all;                       /* The dims along which out moves. */
    uint64_t moves[STRIA_MAX_OPERANDS]; /* The dims along which each operand moves. */
    bool is_free[VALUES];               /* Whether each row of scratch is free. */
};

/* ---- operands ------------------------------------------------------------------------------- */

/* Returns the dims of out along which a has more than one element. */
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

/* Returns the bytes between elements of a along dim d of out. */
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
    if (a->count > 1 || a->top == a->l->apart) return -1;
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

/* Adds the operands, then the inputs that are one of them, shifted. */
static void add_arrays(struct assembly *a, int count, const int *leaves)
{
    struct program *const p = &a->pass->program;
    int like[ARRAYS];
    p->outputs = a->count;
    for (int j = 0; j < a->count; j++)
        add_array(a, a->outputs[j].to, -1);
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

static bool is_computed(const struct assembly *a, int i)
{
    const struct lowered_value *const v = &a->l->value[i];
    return v->needed && v->what > VALUE_CONSTANT && (i == a->top || !v->cut);
}

/* Puts the weights of a sum, which it finds at the place that v has until it is computed. */
static void put_weights(struct assembly *a, struct lowered_value *v)
{
    struct program *const p = &a->pass->program;
    v->place = (int8_t)p->nvalues;
    for (int k = 0; k < v->weights; k++) {
        p->constant[p->constants++] = a->l->constant[v->index + k];
        (void)stria__put_value(p, (int64_t)sizeof *p->constant, -1);
    }
}

static void put_constants(struct assembly *a)
{
    struct program *const p = &a->pass->program;
    for (int i = 0; i <= a->top; i++) {
        struct lowered_value *const v = &a->l->value[i];
        if (v->weights > 0 && is_computed(a, i)) put_weights(a, v);
        if (!v->needed || v->what != VALUE_CONSTANT) continue;
        p->constant[p->constants++] = a->l->constant[v->index];
        v->moves = 0;
        v->place = stria__put_value(p, v->dtype.itemsize, -1);
    }
}

/* ---- rows of scratch ------------------------------------------------------------------------ */

/* Returns an operand that is repeated along just the same dims; -1: none, or no dim is. */
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

static void set_lasts(const struct assembly *a)
{
    for (int i = 0; i <= a->top; i++) {
        const struct lowered_value *const v = &a->l->value[i];
        for (int k = 0; is_computed(a, i) && k < v->count; k++)
            a->l->value[v->operand[k]].last = i;
    }
}

/* Makes an existing conversion of numbers; returns whether it changes any bytes. */
static bool convert(struct conversion *how, const struct assembly *a, const stria_view *to,
                    const stria_view *from)
{
    const stria_status status = stria__convert(how, to, from, a->l->exec);
    assert(status == STRIA_OK);
    (void)status;
    return how->row != NULL;
}

/* Adds the instruction of value i, into output `to` itself; -1: into a row. */
static void put_instruction(struct assembly *a, int i, int to)
{
    struct program *const p = &a->pass->program;
    struct lowered_value *const v = &a->l->value[i];
    struct instruction code = {.loop = v->loop, .count = 1};
    v->moves = 0;
    if (v->weights > 0) code.value[code.count++] = v->place;
    for (int k = 0; k < v->count; k++) {
        code.value[code.count++] = a->l->value[v->operand[k]].place;
        v->moves |= a->l->value[v->operand[k]].moves;
    }
    if (v->what == VALUE_KERNEL) free_rows(a, i);
    v->place = to >= 0 ? (int8_t)to : take_row(a, v->dtype.itemsize, v->moves);
    if (v->what == VALUE_KERNEL) {
        p->cycles += stria__op_info(v->op)->cycles * (v->weights > 0 ? v->count - 1 : 1);
        p->alone |= stria__op_info(v->op)->alone;
        code.value[0] = v->place;
        p->code[p->count++] = code;
        return;
    }
    const stria_view made = stria__plain_view(v->dtype),
                     from = stria__lowered_source(a->l, v->operand[0], v->from);
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
    const struct pass_output *const out = &a->outputs[j];
    const stria_view from = stria__lowered_source(a->l, i, out->dtype);
    const bool kept = v->what != VALUE_LEAF && is_plain(out->to, out->dtype),
               cast = !kept && convert(&how, a, out->to, &from);
    if (v->what > VALUE_CONSTANT) put_instruction(a, i, cast || a->mask ? -1 : j);
    int8_t place = v->place;
    if (cast) {
        a->pass->casts_result = true;
        p->cast[p->casts] = how;
        place = a->mask ? take_row(a, p->item[j], v->moves) : (int8_t)j;
        stria__put_cast(p, place, v->place);
    }
    if (!a->mask) return;
    p->code[p->count++] = (struct instruction){
        .loop = stria__choose_items(p->item[j]),
        .count = 4,
        .value = {(int8_t)j, (int8_t)p->mask, place, (int8_t)(p->mask + 1 + j)}};
}

void stria__pass_assemble(struct pass *out, struct lowered *l, int count,
                          const struct pass_output *outputs, const stria_view *mask, int nleaves,
                          const int *leaves)
{
    const stria_view *const to = outputs[0].to;
    struct assembly a = {
        .pass = out, .l = l, .outputs = outputs, .count = count, .to = to, .mask = mask};
    out->casts_result = false;
    struct program *const p = &out->program;
    *p = (struct program){.item = p->item,
                          .like = p->like,
                          .code = p->code,
                          .cast = p->cast,
                          .constant = p->constant};
    for (int d = 0; d < to->ndim; d++)
        if (to->shape[d] > 1) a.all |= UINT64_C(1) << d;
    for (int j = 0; j < count; j++)
        a.top = outputs[j].root > a.top ? outputs[j].root : a.top;
    add_arrays(&a, nleaves, leaves);
    put_constants(&a);
    set_lasts(&a);
    for (int i = 0; i <= a.top; i++)
        if (is_computed(&a, i) || (i == a.top && l->value[i].what <= VALUE_CONSTANT))
            put_value(&a, i);
    if (stria__is_cast(p)) p->like[0] = 1;
}
