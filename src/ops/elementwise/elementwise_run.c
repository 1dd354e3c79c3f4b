/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds for an operation whose operands are checked the loop and the dtypes that it takes. */
#include "ops/elementwise/assemble.h"

#include "machine/families.h"
#include "engine/cache.h"
#include "ops/elementwise/user_op.h"
#include "machine/op_loop.h"
#include "view/view.h"

/* The comparisons are ops in the order of enum comparison. */
_Static_assert(STRIA_NOT_EQUAL - STRIA_LESS == (int)COMPARE_NOT_EQUAL &&
                   STRIA_GREATER - STRIA_LESS == (int)COMPARE_GREATER,
               "ops and comparisons differ");

/* ---- comparisons ----------------------------------------------------------------------------- */

static enum mixed_pair pair_of(stria_kind a, stria_kind b)
{
    if (b == STRIA_C128) return a == STRIA_I64 ? MIXED_I64_C128 : MIXED_U64_C128;
    if (b == STRIA_U64) return MIXED_I64_U64;
    return a == STRIA_I64 ? MIXED_I64_F64 : MIXED_U64_F64;
}

static void set_comparison(struct op_kernel *out, const struct operation *o)
{
    const struct stria_kernels *const kernels = stria__kernels();
    struct comparands c = {.scalar = &out->substitute[1]};
    stria__plan_comparison(&c, (enum comparison)(o->op - STRIA_LESS), o->inputs[0], o->inputs[1]);
    for (int i = 0; i < 2; i++)
        out->map.operand[1 + i] = (struct map_operand){c.operands[i], dtype_of_number(c.kind[i])};
    out->map.loop = c.kind[0] == c.kind[1]
                        ? op_loop(kernels, (stria_op)(STRIA_LESS + (int)c.how), c.kind[0])
                        : stria__ops_of(kernels)->mixed[pair_of(c.kind[0], c.kind[1])][c.how];
}

/* ---- choices --------------------------------------------------------------------------------- */

/*
 * Choosing moves items whatever they mean, so one loop per item size serves every dtype. Items of a
 * size that has no loop, long strings and records, are taken as a further dim of shorter ones,
 * along which the condition has stride 0.
 */
enum { CHARACTER = 4 /* Bytes of UCS-4. */ };

map_loop *stria__where_items(int64_t item)
{
    static const stria_kind kinds[SIZE_ANY] = {[SIZE_1] = STRIA_U8,
                                               [SIZE_2] = STRIA_U16,
                                               [SIZE_4] = STRIA_U32,
                                               [SIZE_8] = STRIA_U64,
                                               [SIZE_16] = STRIA_C128};
    const enum size_class size = stria__size_class(item);
    return size == SIZE_ANY ? NULL : op_loop(stria__kernels(), STRIA_WHERE, kinds[size]);
}

map_loop *stria__choose_items(int64_t item)
{
    const enum size_class size = stria__size_class(item);
    map_loop *const loop = size == SIZE_ANY ? NULL : stria__ops()->choose_or_keep[size];
    return loop ? loop : stria__where_items(item);
}

/* Returns the parts that items are cut into: characters of strings, which have a byte order. */
static stria_dtype part_of(stria_dtype dtype)
{
    stria_dtype part = stria_dtype_of(STRIA_VOID);
    if (dtype.kind == STRIA_UNICODE) {
        part = dtype;
        part.itemsize = CHARACTER;
        return part;
    }
    part.itemsize = 16;
    while (dtype.itemsize % part.itemsize != 0)
        part.itemsize /= 2;
    return part;
}

/*
 * Returns a in the shape of `like`, without the dims of size 1, and with the parts of an item as a
 * last dim, `step` bytes apart.
 */
static const stria_view *cut_items(struct substitute *to, const stria_view *a,
                                   const stria_view *like, stria_dtype part, int64_t parts,
                                   int64_t step)
{
    stria_view *const out = &to->view;
    int n = 0;
    for (int d = 0; d < like->ndim; d++) {
        const int own = d - (like->ndim - a->ndim);
        if (like->shape[d] == 1) continue;
        out->shape[n] = like->shape[d];
        out->strides[n++] = own < 0 || a->shape[own] == 1 ? 0 : a->strides[own];
    }
    assert(n < STRIA_MAX_NDIM); /* There is no memory for 2^64 items. */
    out->shape[n] = parts;
    out->strides[n++] = step;
    view_set(out, a->data, a->buffer, part, a->flags, n, out->shape, out->strides);
    return out;
}

static void set_choice_of_parts(struct op_kernel *k, const struct operation *o)
{
    struct map *const map = &k->map;
    stria_dtype part = part_of(o->out->dtype);
    const int64_t size = part.itemsize, parts = o->out->dtype.itemsize / size;
    for (int i = 0; i < map->nops; i++) {
        struct map_operand *const a = &map->operand[i];
        part.swapped = a->view->dtype.swapped;
        a->view = i == 1 ? cut_items(&k->substitute[i], a->view, o->out, a->dtype, parts, 0)
                         : cut_items(&k->substitute[i], a->view, o->out, part, parts, size);
    }
    part.swapped = false;
    map->operand[0].dtype = map->operand[2].dtype = map->operand[3].dtype = part;
    map->result = (stria_kind)part.kind;
    map->loop = stria__where_items(size);
    if (map->mask) map->mask = cut_items(&k->mask, map->mask, o->out, map->mask->dtype, parts, 0);
}

static void set_choice(struct op_kernel *out, const struct operation *o)
{
    const stria_dtype items = o->types.kernel;
    const bool long_text = items.kind == STRIA_UNICODE && items.itemsize > CHARACTER;
    out->map.operand[0].dtype = items;
    out->map.operand[1].dtype = dtype_of_number(STRIA_BOOL);
    out->map.loop = long_text ? NULL : stria__where_items(items.itemsize);
    out->map.result = (stria_kind)items.kind;
    if (!out->map.loop) set_choice_of_parts(out, o);
}

/* ---- all operations -------------------------------------------------------------------------- */

static bool has_one_element(const stria_view *a)
{
    return a->data && stria_numel(a) == 1 && !view_is_meta(a);
}

/* Returns the op whose kernel computes the operation: that of a power depends on its exponent. */
static stria_op op_of(const struct operation *o)
{
    const stria_view *const b = o->inputs[o->op == STRIA_POW];
    const bool plain = !b->dtype.swapped && !(b->flags & (STRIA_CONJ | STRIA_NEG));
    if (o->op != STRIA_POW || !plain || !has_one_element(b)) return o->op;
    return stria__power_op((stria_kind)o->types.kernel.kind, (stria_kind)b->dtype.kind, b->data);
}

/*
 * A scalar that bounds less than its dtype does (stria__op_types has refused those that bound more)
 * is replaced by the end of the range.
 */
static void keep_within_range(struct op_kernel *k, const struct operation *o, int i)
{
    const stria_view *const a = o->inputs[i];
    const stria_kind kind = (stria_kind)o->types.kernel.kind;
    if (!view_is_weak(a) || stria__weak_fits(a, kind)) return;
    const struct bound bound = stria__bound(weak_value(a), kind, i == 1 ? BOUND_UP : BOUND_DOWN);
    k->map.operand[1 + i].view =
        stria__set_scalar(&k->substitute[1 + i], o->types.kernel, &bound.item);
}

void stria__op_kernel(struct op_kernel *out, const struct operation *o)
{
    struct map *const map = &out->map;
    map->op = op_of(o);
    const struct op_info *const row = stria__op_info(map->op);
    map->nops = 1 + row->inputs;
    map->result = (stria_kind)o->types.result.kind;
    map->operand[0] = (struct map_operand){o->out, o->types.written};
    for (int i = 0; i < row->inputs; i++)
        map->operand[1 + i] = (struct map_operand){o->inputs[i], o->types.kernel};
    map->mask = o->mask;
    if (row->user) {
        for (int i = 0; i < row->inputs; i++)
            map->operand[1 + i].dtype = dtype_of_number(o->types.user->in[i]);
        map->loop = o->types.user->kernel;
    } else if (row->result == OP_TRUTH) {
        set_comparison(out, o);
    } else if (row->result == OP_CHOICE) {
        set_choice(out, o);
    } else {
        map->loop = op_loop(stria__kernels(), map->op, (stria_kind)o->types.kernel.kind);
    }
    assert(map->loop);
    for (int i = 1; i < row->inputs && o->op == STRIA_CLIP; i++)
        keep_within_range(out, o, i);
}

/*
 * Casts inputs of one element once for the whole call, where an instruction of the program would
 * cast them for every strip. What is left out needs no cast, or is left to the program.
 */
static void cast_scalars(struct op_kernel *k, const stria_exec *exec)
{
    for (int i = 1; i < k->map.nops && i < SUBSTITUTES; i++) {
        struct map_operand *const a = &k->map.operand[i];
        _Alignas(16) char item[sizeof k->substitute[i].item];
        if (a->dtype.itemsize <= (int)sizeof item && has_one_element(a->view) &&
            stria__convert_element(item, a->dtype, a->view, exec))
            a->view = stria__set_scalar(&k->substitute[i], a->dtype, item);
    }
}

/* An operation as an expression of one node: its values, and its program. */
struct node {
    struct lowered l;
    struct lowered_value value[FEW_VALUES];
    const stria_view *views[STRIA_MAX_OPERANDS];
    struct short_program program;
};

/* Lists the views of the program: output, inputs, and those of a mask; returns how many. */
static int list_views(const stria_view **views, const struct map *map)
{
    int n = 0;
    for (; n < map->nops; n++)
        views[n] = map->operand[n].view;
    if (!map->mask) return n;
    views[n++] = map->mask;
    views[n++] = views[0];
    return n;
}

/* Makes the program of a kernel over the views that were listed. Each input is a leaf of its own.
 */
static void make_program(struct node *out, const struct map *map, const stria_exec *exec)
{
    const stria_dtype result = dtype_of_number(map->result);
    int leaves[STRIA_MAX_OPERANDS];
    stria_dtype from[STRIA_MAX_OPERANDS];
    struct lowered *const l = &out->l;
    *l = (struct lowered){.exec = exec, .value = out->value, .leaf = out->views + 1};
    for (int i = 0; i < map->nops - 1; i++) {
        from[i] = l->leaf[i]->dtype;
        leaves[i] = stria__lower_value(
            l, &(struct lowered_value){.what = VALUE_LEAF, .dtype = from[i], .index = i});
    }
    int root = stria__lower_kernel(l, map, leaves, from);
    stria_dtype dtype = map->operand[0].dtype;
    if (map->result != (stria_kind)dtype.kind) {
        root = stria__lower_cast(l, root, dtype, result);
        dtype = result;
    }
    l->apart = root;
    for (int i = 0; i <= root; i++)
        out->value[i].needed = true;
    stria__program_begin(&out->program);
    struct pass pass = {.program = out->program.is, .views = out->views};
    const struct pass_output output = {root, dtype, out->views[0]};
    stria__pass_assemble(&pass, l, 1, &output, map->mask, map->nops - 1, leaves);
    out->program.is = pass.program;
}

stria_status stria__run_map(const struct map *map, const stria_exec *exec, char *text, size_t size)
{
    struct node node;
    uint64_t kinds = (uint64_t)map->result;
    const int count = list_views(node.views, map);
    for (int k = 0; k < map->nops; k++)
        kinds = kinds << 8 | map->operand[k].dtype.kind;
    const struct cache_key key = {map->loop, (int64_t)kinds, count, node.views, exec};
    if (!text && stria__cache_run(&key, NULL)) return STRIA_OK;
    make_program(&node, map, exec);
    if (!text) return stria__map_program(&node.program.is, node.views, exec, &key);
    return stria__map_program_explain(text, size, &node.program.is, node.views, exec);
}

static bool has_work(const struct operation *o)
{
    bool meta = !o->text && (view_is_meta(o->out) || (o->mask && view_is_meta(o->mask)));
    for (int i = 0; i < o->row->inputs; i++)
        meta |= !o->text && view_is_meta(o->inputs[i]);
    return !meta && !is_empty(o->out->ndim, o->out->shape) && o->out->dtype.itemsize > 0;
}

stria_status stria__run_operation(const struct operation *o)
{
    struct op_kernel k;
    if (!has_work(o)) return STRIA_OK;
    if (o->op == STRIA_POW && !o->text)
        STRIA_TRY(stria__check_exponents(&o->types, o->inputs[1], o->mask));
    stria__op_kernel(&k, o);
    cast_scalars(&k, o->exec);
    const stria_status status = stria__run_map(&k.map, o->exec, o->text, o->size);
    if (status != STRIA_ERR_MEMORY) return status;
    return stria__fail(STRIA_ERR_MEMORY,
                       "%s: no memory for the temporaries that operands of out's shape %s need",
                       o->row->name, stria__dims_text(o->out->ndim, o->out->shape).text);
}
