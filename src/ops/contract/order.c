/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of dims within their groups. A group of dims is one dim of a matrix where it merges in
 * the operand, which depends on the order, so that the orders in which the operands have them are
 * tried, and the one taken in which the fewest bytes are copied. Where neither a BLAS nor fused
 * kernels multiply, the summed dims keep their order, which is the order of the sum.
 */
#include "machine/families.h"
#include "machine/machine.h"
#include "ops/contract/blas.h"
#include "ops/contract/contraction.h"
#include "simd/product.h"
#include "view/view.h"

/* Fewer rows than this, or terms of a sum, do not pay for copies of B into denser rows. */
enum { FEW = 32, WORTH_A_CALL = 32 * 32 * 32 };
/* One dim, or several, move to the batch if that divides the items to copy by so much. */
enum { NEARLY_ALL = 8, MOST = 4 };
/* Rows that are so far apart share a set of a first-level cache, which holds so many of them. */
enum { SET_APART = 4096, SET_LINES = 8 };

int64_t stria__axes_numel(const struct axes *g)
{
    int64_t n = 1;
    for (int d = 0; d < g->count; d++)
        n *= g->at[d].n;
    return n;
}

uint64_t stria__axes_nearest(const struct axes *g, int operand)
{
    uint64_t least_step = UINT64_MAX;
    for (int d = 0; d < g->count; d++)
        if (magnitude(g->at[d].s[operand]) < least_step)
            least_step = magnitude(g->at[d].s[operand]);
    return least_step;
}

bool stria__axes_merge(const struct axes *g, int operand, int64_t *step)
{
    *step = g->count > 0 ? g->at[g->count - 1].s[operand] : 0;
    for (int d = g->count - 1; d > 0; d--)
        if (g->at[d - 1].s[operand] != g->at[d].s[operand] * g->at[d].n) return false;
    return true;
}

/* Sorts dims, the largest steps first. */
static void sort(struct axes *g, int operand)
{
    for (int d = 1; d < g->count; d++) {
        const struct axis moved = g->at[d];
        int to = d;
        for (; to > 0 && magnitude(g->at[to - 1].s[operand]) < magnitude(moved.s[operand]); to--)
            g->at[to] = g->at[to - 1];
        g->at[to] = moved;
    }
}

/* Merges neighbours that are one dim of every operand. */
static void join(struct axes *g)
{
    int count = 0;
    for (int d = 0; d < g->count; d++) {
        struct axis *const last = &g->at[count > 0 ? count - 1 : 0];
        const struct axis next = g->at[d];
        bool one = count > 0;
        for (int o = 0; o < OPERANDS && one; o++)
            one = last->s[o] == next.s[o] * next.n;
        if (one)
            *last = (struct axis){last->n * next.n, {next.s[A], next.s[B], next.s[C]}};
        else
            g->at[count++] = next;
    }
    g->count = count;
}

/* Tells whether the items are those that are multiplied, without bits that must be applied. */
static bool has_items(const struct matrices *m, int o)
{
    const stria_dtype own = m->view[o]->dtype, wanted = stria_dtype_of(m->kind);
    const uint32_t lazy = m->view[o]->flags & (STRIA_CONJ | STRIA_NEG);
    const bool conjugated = lazy == STRIA_CONJ && m->blas && o != C;
    if (!dtype_is_native_number(&own) || (lazy && !conjugated)) return false;
    if (!m->blas && stria_dtype_is_complex(wanted)) return false;
    return own.kind == wanted.kind ||
           (own.kind < STRIA_F8E4M3 && own.kind != STRIA_BOOL && wanted.kind < STRIA_F8E4M3 &&
            own.itemsize == wanted.itemsize);
}

/* Tells whether a BLAS takes it as a matrix: lines that are dense, and do not overlap. */
static bool is_blas_matrix(const struct matrices *m, int64_t dense, int64_t n, int64_t apart)
{
    const int64_t item = stria_dtype_of(m->kind).itemsize;
    return dense == item && apart >= n * item && apart % item == 0 &&
           apart / item <= blas_most(m->blas) && n <= blas_most(m->blas);
}

static bool is_aligned(const struct matrices *m, int o)
{
    const stria_dtype dtype = stria_dtype_of(m->kind);
    const int64_t part = stria_dtype_is_complex(dtype) ? dtype.itemsize / 2 : dtype.itemsize;
    bool aligned = (intptr_t)m->view[o]->data % part == 0;
    for (int d = 0; d < m->group[IN_BATCH].count; d++)
        aligned = aligned && m->group[IN_BATCH].at[d].s[o] % part == 0;
    return aligned;
}

/*
 * Tells whether the columns of A are in one set of a first-level cache, where the rows of a tile do
 * not use up the lines that they read, and several tiles that lie side by side in C read them.
 */
static bool is_crowded(const struct matrices *m, int64_t column)
{
    const struct product_kernels *const kernels = stria__product();
    const int64_t item = stria_dtype_of(m->kind).itemsize;
    return column % SET_APART == 0 && stria__axes_numel(&m->group[IN_SUM]) > SET_LINES &&
           kernels->tile_rows * item < LINE &&
           stria__axes_numel(&m->group[IN_COLUMNS]) * item > kernels->tile_row;
}

/* How an operand reaches the kernel with dims in the order that they have now. */
static enum way way_of(const struct matrices *m, int o)
{
    const struct axes *const rows = &m->group[rows_of[o]], *const columns =
                                                               &m->group[columns_of[o]];
    int64_t row, column;
    if (!has_items(m, o) || !stria__axes_merge(rows, o, &row) ||
        !stria__axes_merge(columns, o, &column))
        return COPIED;
    const int64_t m_rows = stria__axes_numel(rows), m_columns = stria__axes_numel(columns);
    if (m->blas) {
        const bool conjugated = (m->view[o]->flags & STRIA_CONJ) != 0;
        if (!is_aligned(m, o)) return COPIED;
        if (!conjugated && is_blas_matrix(m, column, m_columns, row)) return BY_ROWS;
        return o != C && is_blas_matrix(m, row, m_rows, column) ? BY_COLUMNS : COPIED;
    }
    const int64_t item = stria_dtype_of(m->kind).itemsize;
    if (o == A) {
        const bool few = stria__axes_numel(&m->group[IN_COLUMNS]) <= FEW || m_columns <= FEW;
        const bool as_it_lies = few && !(m->fused && is_crowded(m, column));
        return as_it_lies || column == item ? BY_ROWS : COPIED;
    }
    if (o == B && column != item)
        return !m->fused && m_rows <= GATHERED && m_columns <= GATHERED ? BY_COLUMNS : COPIED;
    if (column != item) return COPIED;
    if (o == B && row % SET_APART == 0 && m_rows > SET_LINES) return COPIED;
    return o == B && m_rows > FEW && stria__axes_numel(&m->group[IN_ROWS]) > FEW ? COPIED : BY_ROWS;
}

static int64_t items_of(const struct matrices *m, int o)
{
    return stria__axes_numel(&m->group[rows_of[o]]) * stria__axes_numel(&m->group[columns_of[o]]);
}

/* Returns the number of items that are copied in this order. */
static int64_t cost(const struct matrices *m)
{
    int64_t items = 0;
    for (int o = 0; o < OPERANDS; o++)
        if (way_of(m, o) == COPIED) items += items_of(m, o);
    return items * stria__axes_numel(&m->group[IN_BATCH]);
}

/* Replaces the product by its transpose: C^T = B^T A^T. */
static void turn(struct matrices *m)
{
    const struct axes rows = m->group[IN_ROWS];
    const stria_view *const a = m->view[A];
    m->group[IN_ROWS] = m->group[IN_COLUMNS];
    m->group[IN_COLUMNS] = rows;
    m->view[A] = m->view[B];
    m->view[B] = a;
    for (int g = 0; g < GROUPS; g++)
        for (int d = 0; d < m->group[g].count; d++) {
            int64_t *const s = m->group[g].at[d].s, first = s[A];
            s[A] = s[B];
            s[B] = first;
        }
}

/* Sorts the groups by one of the two operands that have them, as the bits of `choice` say. */
static void arrange(struct matrices *m, int choice)
{
    sort(&m->group[IN_ROWS], choice & 1 ? A : C);
    sort(&m->group[IN_COLUMNS], choice & 2 ? B : C);
    if (m->blas || m->fused) sort(&m->group[IN_SUM], choice & 4 ? B : A);
}

/*
 * Where C is copied, much smaller operands are, too: then blocks of C may have any dims, those
 * whose items are near, and its order.
 */
static void copy_small(struct matrices *m)
{
    for (int o = 0; o < OPERANDS; o++)
        m->way[o] = way_of(m, o);
    if (m->way[C] != COPIED) return;
    for (int o = A; o <= B; o++)
        if (items_of(m, o) * 4 <= items_of(m, C)) m->way[o] = COPIED;
    if (m->way[A] == COPIED) sort(&m->group[IN_ROWS], C);
    /* Kernels want dense rows of both: the smaller one is transposed as it is copied. */
    const int whose = m->fused && items_of(m, B) > items_of(m, C) ? B : C;
    if (m->way[B] == COPIED) sort(&m->group[IN_COLUMNS], whose);
}

/* Finds the order in which least is copied, and returns how much that is. */
static int64_t least_cost(struct matrices *m, int *choice)
{
    int64_t found = INT64_MAX;
    *choice = 0;
    for (int i = 0; i < (m->blas || m->fused ? 8 : 4) && found > 0; i++) {
        arrange(m, i);
        const int64_t items = cost(m);
        if (items < found) found = items, *choice = i;
    }
    return found;
}

/* Makes dim d of rows or columns one of the batch, which keeps the order of the others. */
static void move_dim(struct matrices *m, int group, int d)
{
    struct axes *const batch = &m->group[IN_BATCH], *const g = &m->group[group];
    batch->at[batch->count++] = g->at[d];
    for (g->count--; d < g->count; d++)
        g->at[d] = g->at[d + 1];
}

static bool is_worth_a_call(const struct matrices *m)
{
    int64_t products = 1;
    for (int g = IN_ROWS; g < GROUPS; g++)
        products *= stria__axes_numel(&m->group[g]);
    return products >= WORTH_A_CALL;
}

/* Rows and columns as they were before dims of them were moved, which need less stack than all. */
struct before {
    struct axes rows, columns;
    int batch;
};

static void keep(struct before *b, const struct matrices *m)
{
    b->rows = m->group[IN_ROWS];
    b->columns = m->group[IN_COLUMNS];
    b->batch = m->group[IN_BATCH].count;
}

static void put_back(struct matrices *m, const struct before *b)
{
    m->group[IN_ROWS] = b->rows;
    m->group[IN_COLUMNS] = b->columns;
    m->group[IN_BATCH].count = b->batch;
}

/* Moves the dim to the batch that saves nearly all copies; returns false if there is none. */
static bool move_best(struct matrices *m, int64_t *items)
{
    struct before b;
    int from = -1, which = 0, choice;
    int64_t found = *items / NEARLY_ALL;
    keep(&b, m);
    for (int g = IN_ROWS; g <= IN_COLUMNS; g++)
        for (int d = 0; d < m->group[g].count && m->group[g].count > 1; d++) {
            move_dim(m, g, d);
            const int64_t now = is_worth_a_call(m) ? least_cost(m, &choice) : INT64_MAX;
            if (now < found) found = now, from = g, which = d;
            put_back(m, &b);
        }
    if (from < 0) return false;
    move_dim(m, from, which);
    *items = found;
    return true;
}

/* Moves those that are outermost in C, until C is written where it belongs and most is saved. */
static void move_outer(struct matrices *m, int64_t *items)
{
    struct before b;
    int choice;
    int64_t now = INT64_MAX;
    keep(&b, m);
    while (now > *items / MOST) {
        int from = -1;
        for (int g = IN_ROWS; g <= IN_COLUMNS; g++) {
            const struct axes *const a = &m->group[g];
            sort(&m->group[g], C);
            if (a->count > 1 &&
                (from < 0 || magnitude(a->at->s[C]) > magnitude(m->group[from].at->s[C])))
                from = g;
        }
        if (from >= 0) move_dim(m, from, 0);
        if (from < 0 || !is_worth_a_call(m)) {
            put_back(m, &b);
            return;
        }
        now = least_cost(m, &choice);
    }
    *items = now;
}

/* Moves dims to the batch where that saves copies, and returns the items that are copied. */
static int64_t choose_batch(struct matrices *m)
{
    int choice;
    int64_t items = least_cost(m, &choice);
    while (items > 0 && move_best(m, &items))
        continue;
    if (m->fused && items > 0) move_outer(m, &items);
    return items;
}

/* Counts the items that the product, or the transposed one, copies. */
__attribute__((noinline)) static int64_t cost_of(const struct matrices *m, bool turned)
{
    struct matrices tried = *m;
    if (turned) turn(&tried);
    return choose_batch(&tried);
}

void stria__order_matrices(struct matrices *m)
{
    /* Parts of complex numbers are summed in an order that transposing would change. */
    const bool may_turn = m->blas || !stria_dtype_is_complex(stria_dtype_of(m->kind));
    int best;
    if (may_turn &&
        stria__axes_nearest(&m->group[IN_ROWS], C) < stria__axes_nearest(&m->group[IN_COLUMNS], C))
        turn(m);
    if (m->fused && cost_of(m, true) < cost_of(m, false)) turn(m);
    (void)choose_batch(m);
    (void)least_cost(m, &best);
    arrange(m, best);
    sort(&m->group[IN_BATCH], C);
    copy_small(m);
    for (int g = 0; g < GROUPS; g++)
        join(&m->group[g]);
    for (int o = 0; o < OPERANDS; o++)
        if (m->way[o] != COPIED) m->way[o] = way_of(m, o);
}

/* Tells whether a view is a vector of whole items, in one direction. */
static bool is_vector(const struct matrices *m, int o, int g)
{
    int64_t step;
    const int64_t item = stria_dtype_of(m->kind).itemsize;
    return has_items(m, o) && !(m->view[o]->flags & STRIA_CONJ) && is_aligned(m, o) &&
           stria__axes_merge(&m->group[g], o, &step) && step > 0 && step % item == 0 &&
           step / item <= blas_most(m->blas);
}

bool stria__order_vector(struct matrices *m)
{
    sort(&m->group[IN_ROWS], A);
    sort(&m->group[IN_SUM], A);
    join(&m->group[IN_ROWS]);
    join(&m->group[IN_SUM]);
    m->way[A] = way_of(m, A);
    return m->way[A] != COPIED && is_vector(m, B, IN_SUM) && is_vector(m, C, IN_ROWS);
}
