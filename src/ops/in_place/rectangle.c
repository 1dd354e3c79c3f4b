/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * (a, b) -> (b, a). Panels of the longer dim, with as many rows as fit in the scratch memory, are
 * transposed one by one. Then whole columns of panels move along the cycles of the permutation;
 * they are long enough for that. An incomplete last panel is kept in the scratch memory meanwhile.
 *
 *     (7, 3), panels of 3     0  1  2 | 3  4  5 | ... | 18 19 20
 *     panels transposed       0  3  6   1  4  7   2  5  8 | 9 12 15 ...  | 18 19 20
 *     (2, 3) blocks of 3      0  3  6   9 12 15 | 1  4  7  10 13 16 | ...
 *     last panel inserted     0  3  6   9 12 15  18 | 1  4  7  10 13 16  19 | ...
 *
 * If the second dim is the longer one, the same steps are taken in reverse. If one dim is a
 * multiple of the other, the array is a row of squares, which are transposed one by one.
 */
#include <stdbool.h>
#include <string.h>

#include "in_place.h"
#include "plan/threads.h"
#include "machine/machine.h"
#include "plan/plan.h"

/*
 * Transposes rows x columns dense runs, `pitch` bytes from row to row, count times; the result is
 * dense at out.
 */
static void transpose(char *out, char *in, int64_t count, int64_t rows, int64_t columns,
                      int64_t pitch, int64_t run)
{
    stria__copy_runs(out, in, run,
                     (stria_dim[]){{rows, {run, pitch}},
                                   {columns, {rows * run, run}},
                                   {count, {rows * columns * run, rows * pitch}}});
}

/* Transposes `count` adjacent panels of rows x columns, as many at once as there is room for. */
static void transpose_panels(char *base, int64_t count, int64_t rows, int64_t columns, int64_t run,
                             struct scratch *scratch)
{
    const int64_t bytes = rows * columns * run, most = PANEL_BYTES / bytes;
    for (int64_t i = 0; i < count && !stria__is_stopped(); i += most) {
        const int64_t n = count - i < most ? count - i : most;
        transpose(scratch->panel, base, n, rows, columns, columns * run, run);
        memcpy(base, scratch->panel, (size_t)(n * bytes));
        base += n * bytes;
    }
}

/* Handles a >= b: transposes panels of `high` rows, moves blocks, inserts the last panel. */
static void tall(const struct rectangle *r, int64_t high, struct scratch *scratch)
{
    const int64_t count = r->a / high, rest = r->a % high, run = r->run;
    const int64_t whole = count * high * run, row = r->a * run;
    transpose_panels(r->base, count, high, r->b, run, scratch);
    stria__cycles(&(struct rectangle){r->base, 1, count, r->b, high * run}, scratch);
    if (rest == 0) return;
    transpose(scratch->panel, r->base + whole * r->b, 1, rest, r->b, r->b * run, run);
    for (int64_t i = r->b - 1; i >= 0; i--) {
        memmove(r->base + i * row, r->base + i * whole, (size_t)whole);
        memcpy(r->base + i * row + whole, scratch->panel + i * rest * run, (size_t)(rest * run));
    }
}

static void wide(const struct rectangle *r, int64_t high, struct scratch *scratch)
{
    const int64_t count = r->b / high, rest = r->b % high, run = r->run;
    const int64_t whole = count * high * run, row = r->b * run, left = r->a * rest * run;
    /* The scratch memory is needed before the last panel is inserted at the end. */
    if (rest > 0) {
        transpose(scratch->panel, r->base + whole, 1, r->a, rest, row, run);
        for (int64_t i = 1; i < r->a; i++)
            memmove(r->base + i * whole, r->base + i * row, (size_t)whole);
        memcpy(r->base + r->a * whole, scratch->panel, (size_t)left);
    }
    stria__cycles(&(struct rectangle){r->base, 1, r->a, count, high * run}, scratch);
    transpose_panels(r->base, count, r->a, high, run, scratch);
}

/* Finds the largest divisor of n that makes runs of a suitable length; 0 when there is none. */
static int64_t divisor_of(int64_t n, int64_t run)
{
    for (int64_t d = RECTANGLE_SPLIT_MOST / run; d >= 1 && d * run >= RECTANGLE_SPLIT_LEAST; d--)
        if (n % d == 0 && d < n) return d;
    return 0;
}

/* Permutes (a, B, piece) -> (B, a, piece) -> (B, piece, a). */
static void pieces_of_rows(const struct rectangle *r, int64_t piece, struct scratch *scratch)
{
    const int64_t slabs = r->b / piece;
    stria__cycles(&(struct rectangle){r->base, 1, r->a, slabs, piece * r->run}, scratch);
    stria__rectangle(&(struct rectangle){r->base, slabs, r->a, piece, r->run}, scratch);
}

/* Permutes (A, piece, b) -> (A, b, piece) -> (b, A, piece). */
static void pieces_of_columns(const struct rectangle *r, int64_t piece, struct scratch *scratch)
{
    const int64_t slabs = r->a / piece;
    stria__rectangle(&(struct rectangle){r->base, slabs, piece, r->b, r->run}, scratch);
    stria__cycles(&(struct rectangle){r->base, 1, slabs, r->b, piece * r->run}, scratch);
}

/*
 * Splits one dim into pieces, if both dims are so long that panels have only `high` rows. The
 * pieces move along cycles; each slab of pieces is then a rectangle with a short side, or a square.
 */
static bool in_pieces(const struct rectangle *r, int64_t high, struct scratch *scratch)
{
    int64_t piece = 0;
    if (high * r->run < RECTANGLE_SQUARES_BELOW && r->b % r->a == 0)
        pieces_of_rows(r, r->a, scratch);
    else if (high * r->run < RECTANGLE_SQUARES_BELOW && r->a % r->b == 0)
        pieces_of_columns(r, r->b, scratch);
    else if (high * r->run >= RECTANGLE_SPLIT_BELOW)
        return false;
    else if ((piece = divisor_of(r->b, r->run)) > 0)
        pieces_of_rows(r, piece, scratch);
    else if ((piece = divisor_of(r->a, r->run)) > 0)
        pieces_of_columns(r, piece, scratch);
    else
        return false;
    return true;
}

/*
 * Chooses the rows of a panel, at most `high`, if possible so that no incomplete panel remains,
 * which would cost a pass over everything.
 */
static int64_t height_of(int64_t n, int64_t high)
{
    const int64_t least = (n - 1) / high + 1;
    for (int64_t count = least; count <= 2 * least && count < n; count++)
        if (n % count == 0) return n / count;
    return high;
}

/*
 * Transposes a rectangle that does not fit in the scratch memory, which holds `high` rows of its
 * shorter dim.
 */
static void large(const struct rectangle *r, int64_t high, struct scratch *scratch)
{
    if (r->a == r->b)
        stria__square(&(struct square){r->base, r->a, r->b * r->run, r->run, r->run}, scratch);
    else if (r->run >= RECTANGLE_LONG_RUN)
        stria__cycles(r, scratch);
    else if (in_pieces(r, high, scratch))
        return;
    else if (high < 2)
        stria__cycles(r, scratch);
    else if (r->a > r->b)
        tall(r, height_of(r->a, high), scratch);
    else
        wide(r, height_of(r->b, high), scratch);
}

void stria__rectangle(const struct rectangle *r, struct scratch *scratch)
{
    const int64_t least = r->a < r->b ? r->a : r->b, most = r->a < r->b ? r->b : r->a;
    const int64_t high = least > PANEL_BYTES / r->run ? 0 : PANEL_BYTES / (least * r->run);
    if (most <= high) {
        transpose_panels(r->base, r->count, r->a, r->b, r->run, scratch);
        return;
    }
    struct rectangle one = *r;
    for (int64_t i = 0; i < r->count; i++, one.base += r->a * r->b * r->run)
        large(&one, high, scratch);
}
