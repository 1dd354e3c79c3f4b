/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the values that are computed into temporary arrays. */
#include "ops/expr/evaluation.h"

/* Room that a pass takes in a program. */
struct cone {
    int leaves, constants, instructions, casts;
};

/* Marks the values that the roots are computed from, down to the leaves. */
static struct cone cone_of_all(struct lowered *l, int count, const int *roots)
{
    struct cone cone = {0};
    int pending = count, top = 0;
    for (int k = 0; k < count; k++)
        top = roots[k] > top ? roots[k] : top;
    for (int i = 0; i <= top; i++)
        l->value[i].needed = false;
    for (int k = 0; k < count; k++)
        l->value[roots[k]].needed = true;
    for (int i = top; i >= 0 && pending > 0; i--) {
        const struct lowered_value *const v = &l->value[i];
        if (!v->needed) continue;
        const bool leaf = v->what == VALUE_LEAF || (v->cut && i != top);
        pending--;
        cone.leaves += leaf;
        cone.constants += v->what == VALUE_CONSTANT ? 1 : leaf ? 0 : v->weights;
        if (leaf || v->what == VALUE_CONSTANT) continue;
        cone.instructions++;
        cone.casts += v->what == VALUE_CAST;
        for (int k = 0; k < v->count; k++) {
            struct lowered_value *const operand = &l->value[v->operand[k]];
            pending += !operand->needed;
            operand->needed = true;
        }
    }
    return cone;
}

static bool is_leaf(const struct lowered_value *v)
{
    return v->needed && v->what == VALUE_LEAF && !v->cut;
}

/*
 * Counts the operands of the leaves that were marked last; several leaves may be one operand,
 * shifted. The memory of a temporary array is not known yet.
 */
static int count_operands(const struct lowered *l, struct cone c, int top)
{
    int count = c.leaves;
    for (int i = 0; i < top; i++) {
        bool again = false;
        for (int j = 0; j < i && is_leaf(&l->value[i]) && !again; j++)
            again = is_leaf(&l->value[j]) &&
                    stria__is_shifted(l->leaf[l->value[i].index], l->leaf[l->value[j].index]);
        count -= again;
    }
    return count;
}

static struct cone cone_of(struct lowered *l, int root)
{
    return cone_of_all(l, 1, &root);
}

/* Lists the leaves of the roots that were marked last; `top` is the last root. */
static int list_leaves(const struct lowered *l, int top, int *leaves)
{
    int count = 0;
    for (int i = 0; i <= top; i++) {
        const struct lowered_value *const v = &l->value[i];
        if (v->needed && (v->what == VALUE_LEAF || (v->cut && i < top))) leaves[count++] = i;
    }
    return count;
}

int stria__pass_leaves(struct lowered *l, int root, int *leaves)
{
    (void)cone_of(l, root);
    return list_leaves(l, root, leaves);
}

/*
 * Tells whether a program has room. Casts of the results to their outputs are added, and with a
 * mask choices between results and outputs, which read the mask and the outputs.
 */
static bool have_room(const struct lowered *l, struct cone c, int outputs)
{
    const int choices = l->mask ? outputs : 0,
              operands = outputs + c.leaves + (l->mask ? 1 + outputs : 0);
    return operands <= ARRAYS && c.instructions + outputs + choices <= INSTRUCTIONS &&
           c.casts + outputs <= CASTS &&
           operands + c.constants + c.instructions + choices + outputs - 1 <= VALUES;
}

static bool fits(struct lowered *l, int root)
{
    const struct cone c = cone_of(l, root);
    const int others = l->mask ? 3 : 1, most = STRIA_MAX_OPERANDS - others;
    if (!have_room(l, c, 1)) return false;
    if (c.leaves <= most) return true;
    return root != l->apart && count_operands(l, c, root) <= most;
}

bool stria__pass_fits(struct lowered *l, int count, const int *roots)
{
    const struct cone c = cone_of_all(l, count, roots);
    return have_room(l, c, count) &&
           count + c.leaves + (l->mask ? 1 + count : 0) <= STRIA_MAX_OPERANDS;
}

/* Returns the operand of v that takes the most room and may be cut; -1: none. */
static int largest_operand(struct lowered *l, const struct lowered_value *v)
{
    int best = -1, most = 0;
    for (int k = 0; k < v->count; k++) {
        const int operand = v->operand[k];
        if (l->value[operand].what <= VALUE_CONSTANT || l->value[operand].cut) continue;
        const struct cone c = cone_of(l, operand);
        const int room = c.leaves * VALUES + c.instructions;
        if (room <= most) continue;
        most = room;
        best = operand;
    }
    return best;
}

/* Cuts operands of values from the leaves up, until everything below value i fits. A kernel always
 * fits if all its operands are cut. */
static int cut_until_it_fits(struct lowered *l, int i)
{
    int cuts = 0, operand;
    while (!fits(l, i) && (operand = largest_operand(l, &l->value[i])) >= 0) {
        l->value[operand].cut = true;
        cuts++;
    }
    return cuts;
}

/* Marks the values that are still needed; others are skipped. */
static void mark_wanted(struct lowered *l, int root)
{
    for (int i = 0; i <= root; i++)
        l->value[i].last = -1;
    l->value[root].last = root;
    for (int i = root; i >= 0; i--)
        for (int k = 0; l->value[i].last >= 0 && k < l->value[i].count; k++)
            l->value[l->value[i].operand[k]].last = i;
}

/*
 * Cuts values until everything needed fits; returns whether it cut any. A cut made for one pass may
 * add an operand to another one, so that it is called until nothing is cut.
 */
static bool cut_all(struct lowered *l, int root)
{
    int cuts = 0;
    for (int i = 0; i <= root; i++)
        if (l->value[i].last >= 0 && l->value[i].what > VALUE_CONSTANT)
            cuts += cut_until_it_fits(l, i);
    return cuts > 0;
}

int stria__expr_cut(struct lowered *l)
{
    const int root = lowered_root(l);
    int leaves[ARRAYS], passes = 0;
    if (fits(l, root)) return 1;
    mark_wanted(l, root);
    while (cut_all(l, root)) {
    }
    for (int i = 0; i <= root; i++) {
        if (!l->value[i].cut && i != root) continue;
        const int count = stria__pass_leaves(l, i, leaves);
        for (int k = 0; k < count; k++)
            l->value[leaves[k]].reader = i;
        passes++;
    }
    return passes;
}

struct pass *stria__expr_assemble(struct lowered *l, int count, const struct pass_output *outputs,
                                  const stria_view *mask)
{
    int roots[STRIA_EXPR_OUTPUTS], leaves[ARRAYS], top = 0;
    for (int j = 0; j < count; j++) {
        roots[j] = outputs[j].root;
        top = roots[j] > top ? roots[j] : top;
    }
    (void)cone_of_all(l, count, roots);
    pass_take_lists(l->pass);
    stria__pass_assemble(&l->pass->is, l, count, outputs, mask, list_leaves(l, top, leaves),
                         leaves);
    return &l->pass->is;
}
