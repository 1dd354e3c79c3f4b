/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"

#include "checked.h"
#include "cpu.h"
#include "simd/kernels.h"

static int64_t size_of_step(const struct nest *nest, int d)
{
    return (int64_t)magnitude(nest->d[d].si);
}

struct lines_between stria__lines_between(const struct nest *nest)
{
    struct lines_between b = {0, 1, 0};
    int first = 0;
    while (first < nest->ndim && nest->d[first].si == 0)
        first++;
    if (first == nest->ndim) return b;
    b.step = size_of_step(nest, first);
    int64_t least_step = b.step / 2 < LINE / 2 ? b.step / 2 : LINE / 2;
    for (int d = first + 1; d < nest->ndim; d++) {
        const int64_t s = size_of_step(nest, d);
        if (s == 0 || s > least_step) continue;
        b.dim = d;
        least_step = s - 1;
    }
    for (int d = first; d < b.dim; d++) {
        const int64_t s = size_of_step(nest, d);
        if (s >= LINE)
            b.n *= nest->d[d].n;
        else if (s * nest->d[d].n > LINE)
            b.n *= s * nest->d[d].n / LINE;
    }
    return b;
}

/* Lines, or parts of one, that so many items take when each comes from where the last one did not.
 */
static double lines_of(const struct lines_between *b, double items)
{
    return b->step < LINE ? items * (double)b->step / LINE : items;
}

/* So much that it comes from memory, not from a last-level cache. */
static bool are_far(double bytes)
{
    enum { FAR = 6 };
    return bytes >= (double)(FAR * stria__cpu_l2());
}

enum { L1_SETS = 64, L2_SETS = 2048, WAYS = 6 /* the others are for the output */ };
enum { LINE_BITS = 6, PAGE = 4096 };

/* Steps that are multiples of a large power of two leave only a few sets of a cache to the lines.
 */
static int64_t room(const struct lines_between *b, int sets)
{
    const int zeros = __builtin_ctzll((unsigned long long)(b->step | sets * (int64_t)LINE));
    return zeros <= LINE_BITS ? sets * (int64_t)WAYS : (sets >> (zeros - LINE_BITS)) * WAYS;
}

/* Lines in as many pages must be found in the first level of the address cache, too. */
static int64_t near_room(const struct lines_between *b)
{
    enum { PAGES = 48 };
    const int64_t lines = room(b, L1_SETS);
    return b->step >= PAGE && lines > PAGES ? PAGES : lines;
}

/* They lie in more pages than the address cache finds in its second level. */
static bool in_too_many_pages(const struct lines_between *b)
{
    enum { PAGES = 1536 };
    const int64_t step = least(b->step, PAGE);
    return b->n > PAGES * (int64_t)PAGE / step;
}

double stria__lines_again(const struct nest *nest, double items)
{
    static const double FROM_L2 = 1.5, FROM_FEW_SETS = 2.5, FROM_L3 = 3, FROM_MEMORY = 10,
                        FROM_PAGES = 20;
    enum { FEW = 256 };
    if (items < FEW) return 0;
    const struct lines_between b = stria__lines_between(nest);
    if (b.dim == 0 || b.n <= near_room(&b)) return 0;
    if (in_too_many_pages(&b)) return lines_of(&b, items) * FROM_PAGES;
    if (b.n <= room(&b, L2_SETS))
        return lines_of(&b, items) * (room(&b, L1_SETS) > L1_SETS ? FROM_L2 : FROM_FEW_SETS);
    return lines_of(&b, items) * (are_far(items * (double)nest->item) ? FROM_MEMORY : FROM_L3);
}

double stria__lines_once(const struct nest *nest, const struct lines_between *b, double items,
                         int64_t side_by_side)
{
    static const double FROM_L3 = 1.5, FROM_MEMORY = 4, CROWDED = 8;
    if (room(b, L1_SETS) < side_by_side) return lines_of(b, items) * CROWDED;
    return lines_of(b, items) * (are_far(items * (double)nest->item) ? FROM_MEMORY : FROM_L3);
}

bool stria__has_far_gaps(const struct nest *nest)
{
    enum { FROM = 4 /* times the core's L2 */ };
    if (nest->ndim == 0) return false;
    const int64_t step = (int64_t)magnitude(nest->d[0].so), item = nest->item;
    if (step <= item || item >= LINE) return false;
    return stria__nest_bytes(nest) / item >= FROM * stria__cpu_l2() / (step < LINE ? step : LINE);
}
