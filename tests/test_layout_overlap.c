/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Overlap of views against byte maps in which every byte of every element is marked. Exhaustive for
 * small views, at random for larger ones, and for cases that only number theory decides in time.
 */
#include <string.h>

#include "layout/overlap.h"
#include "support/enumerate.h"
#include "support/random.h"
#include "support/test.h"

enum { MIDDLE = 4096, BYTES = 2 * MIDDLE };

struct set {
    int64_t at;
    int ndim;
    int64_t shape[4], strides[4], itemsize;
};

static stria_overlap overlap(uint64_t at_a, const struct set *a, uint64_t at_b, const struct set *b,
                             int64_t max_work)
{
    const struct geometry g = {a->ndim, a->shape, a->strides, a->itemsize};
    const struct geometry h = {b->ndim, b->shape, b->strides, b->itemsize};
    return stria__overlap(at_a, &g, at_b, &h, max_work);
}

static stria_overlap overlaps_itself(const struct set *a, int64_t max_work)
{
    const struct geometry g = {a->ndim, a->shape, a->strides, a->itemsize};
    return stria__overlaps_itself(&g, max_work);
}

/* Counts how many elements each byte belongs to; returns whether any belongs to two. */
static bool mark(unsigned char *map, const struct set *s)
{
    int64_t index[4] = {0};
    bool twice = false;
    memset(map, 0, BYTES);
    for (int d = 0; d < s->ndim; d++)
        if (s->shape[d] == 0) return false;
    do {
        const int64_t at = MIDDLE + s->at + offset_of(index, s->ndim, s->strides);
        for (int64_t i = at; i < at + s->itemsize; i++) {
            assert_true(i >= 0 && i < BYTES);
            twice |= map[i]++ > 0;
        }
    } while (next_index(index, s->ndim, s->shape));
    return twice;
}

static bool sets_overlap(const struct set *a, const struct set *b)
{
    static unsigned char map_a[BYTES], map_b[BYTES];
    mark(map_a, a);
    mark(map_b, b);
    for (int i = 0; i < BYTES; i++)
        if (map_a[i] && map_b[i]) return true;
    return false;
}

static bool range_meets(const struct set *a, const struct set *b)
{
    static unsigned char map_a[BYTES], map_b[BYTES];
    int low[2] = {BYTES, BYTES}, high[2] = {-1, -1};
    mark(map_a, a);
    mark(map_b, b);
    for (int i = 0; i < BYTES; i++) {
        if (map_a[i]) low[0] = low[0] < i ? low[0] : i, high[0] = i;
        if (map_b[i]) low[1] = low[1] < i ? low[1] : i, high[1] = i;
    }
    return high[0] >= low[1] && high[1] >= low[0] && high[0] >= 0 && high[1] >= 0;
}

static void check_pair(const struct set *a, const struct set *b)
{
    const uint64_t base = UINT64_C(1) << 40;
    const uint64_t at_a = base + (uint64_t)a->at, at_b = base + (uint64_t)b->at;
    const stria_overlap found = overlap(at_a, a, at_b, b, -1);
    const bool overlaps = sets_overlap(a, b);
    assert_int_not_equal(found, STRIA_OVERLAP_TOO_HARD);
    if ((found != STRIA_OVERLAP_NO) != overlaps)
        fail_msg("found %d, but bytes %s: a at %d ndim %d (%d %d %d; %d %d %d) item %d, b at %d "
                 "ndim %d (%d %d %d; %d %d %d) item %d",
                 (int)found, overlaps ? "overlap" : "do not overlap", (int)a->at, a->ndim,
                 (int)a->shape[0], (int)a->shape[1], (int)a->shape[2], (int)a->strides[0],
                 (int)a->strides[1], (int)a->strides[2], (int)a->itemsize, (int)b->at, b->ndim,
                 (int)b->shape[0], (int)b->shape[1], (int)b->shape[2], (int)b->strides[0],
                 (int)b->strides[1], (int)b->strides[2], (int)b->itemsize);
    if (found == STRIA_OVERLAP_SAME)
        assert_true(a->at == b->at && a->ndim == b->ndim && a->itemsize == b->itemsize);
    const struct geometry g = {a->ndim, a->shape, a->strides, a->itemsize};
    const struct geometry h = {b->ndim, b->shape, b->strides, b->itemsize};
    assert_int_equal(stria__bounds_overlap(at_a, &g, at_b, &h), range_meets(a, b));
    /* With no work allowed the answer may stay open, but is never wrong. */
    const stria_overlap quick = overlap(at_a, a, at_b, b, 0);
    assert_true(quick == found || quick == STRIA_OVERLAP_TOO_HARD);
}

static void check_itself(const struct set *a)
{
    static unsigned char map[BYTES];
    const bool twice = mark(map, a);
    const stria_overlap found = overlaps_itself(a, -1);
    if (found != (twice ? STRIA_OVERLAP_YES : STRIA_OVERLAP_NO))
        fail_msg("found %d, but elements %s: ndim %d (%d %d %d; %d %d %d) item %d", (int)found,
                 twice ? "overlap" : "do not overlap", a->ndim, (int)a->shape[0], (int)a->shape[1],
                 (int)a->shape[2], (int)a->strides[0], (int)a->strides[1], (int)a->strides[2],
                 (int)a->itemsize);
}

/* Every set of up to two dims with sizes 0..4, strides -5..5 and items of 1..3 bytes. */
TEST(test_itself_exhaustively)
{
    for (int64_t item = 0; item <= 3; item++)
        for (int64_t n = 0; n <= 4; n++)
            for (int64_t m = 0; m <= 4; m++)
                for (int64_t s = -5; s <= 5; s++)
                    for (int64_t t = -5; t <= 5; t++) {
                        const struct set a = {0, 2, {n, m}, {s, t}, item};
                        check_itself(&a);
                    }
}

TEST(test_pairs_exhaustively)
{
    for (int64_t item = 1; item <= 2; item++)
        for (int64_t n = 1; n <= 3; n++)
            for (int64_t s = -4; s <= 4; s++)
                for (int64_t t = 0; t <= 5; t++)
                    for (int64_t at = -12; at <= 12; at++) {
                        const struct set a = {0, 2, {n, 3}, {s, t}, item};
                        const struct set b = {at, 1, {4}, {3}, 3 - item};
                        check_pair(&a, &b);
                    }
}

static struct set random_set(uint64_t *seed)
{
    struct set s = {.at = random_between(seed, -40, 40), .ndim = (int)random_between(seed, 0, 3)};
    const int64_t scale = random_between(seed, 0, 2) ? random_between(seed, 1, 8) : 1;
    s.itemsize = random_between(seed, 0, 3) ? scale : random_between(seed, 0, 9);
    if (random_between(seed, 0, 1)) s.at = s.at / scale * scale;
    for (int d = 0; d < s.ndim; d++) {
        s.shape[d] = random_between(seed, 0, 12) ? random_between(seed, 1, 5) : 0;
        s.strides[d] = random_between(seed, -20, 20) * scale;
        if (s.shape[d] == 1) s.strides[d] = INT64_MIN; /* ignored, since the size is 1 */
    }
    return s;
}

TEST(test_random)
{
    uint64_t seed = 20240607;
    for (int i = 0; i < 30000; i++) {
        const struct set a = random_set(&seed), b = random_set(&seed);
        check_pair(&a, &b);
        check_itself(&a);
    }
}

TEST(test_same)
{
    const struct set a = {0, 2, {3, 4}, {16, 4}, 4}, t = {0, 2, {4, 3}, {4, 16}, 4};
    const struct set one = {0, 3, {3, 1, 4}, {16, 77, 4}, 4},
                     other = {0, 3, {3, 1, 4}, {16, 5, 4}, 4};
    assert_int_equal(overlap(64, &a, 64, &a, 0), STRIA_OVERLAP_SAME);
    assert_int_equal(overlap(64, &one, 64, &other, 0), STRIA_OVERLAP_SAME);
    assert_int_equal(overlap(64, &a, 64, &t, -1), STRIA_OVERLAP_YES);
    assert_int_equal(overlap(64, &a, 68, &a, -1), STRIA_OVERLAP_YES);
}

/* Columns of one matrix, and even and odd elements: divisibility shows at once that they are
 * disjoint. */
TEST(test_cheap)
{
    const struct set column = {0, 1, {1 << 20}, {4096}, 4};
    for (uint64_t j = 4; j < 4096; j += 4)
        assert_int_equal(overlap(0, &column, j, &column, 0), STRIA_OVERLAP_NO);
    const struct set even = {0, 3, {64, 64, 64}, {64 * 128 * 8, 128 * 8, 16}, 8};
    assert_int_equal(overlap(0, &even, 8, &even, 0), STRIA_OVERLAP_NO);
    assert_int_equal(overlaps_itself(&even, 0), STRIA_OVERLAP_NO);
}

/* Coprime steps near 2^31 and 2^61: the first common byte, one step further and one before. */
TEST(test_number_theory)
{
    const int64_t p = INT64_C(2147483647), q = INT64_C(2147483629); /* primes */
    const struct set a = {0, 1, {q + 1}, {p}, 1}, b = {0, 1, {p}, {q}, 1};
    assert_int_equal(overlap(0, &a, 1, &b, 10), STRIA_OVERLAP_YES);
    /* p * x and q * (y + 1) are equal for no x with 0 < x < q. */
    const struct set c = {0, 1, {q - 1}, {p}, 1}, d = {0, 1, {p - 1}, {q}, 1};
    assert_int_equal(overlap((uint64_t)p, &c, (uint64_t)q, &d, 10), STRIA_OVERLAP_NO);
    const struct set e = {0, 1, {q}, {p}, 1}, f = {0, 1, {p}, {q}, 1};
    assert_int_equal(overlap((uint64_t)p, &e, (uint64_t)q, &f, 10), STRIA_OVERLAP_YES);
    const int64_t wide = INT64_MAX / 3;
    const struct set g = {0, 1, {3}, {wide}, 1}, h = {0, 1, {4}, {wide - 1}, 1};
    assert_int_equal(overlap(0, &g, 2, &h, 10), STRIA_OVERLAP_YES);
    assert_int_equal(overlap(0, &g, 4, &h, 10), STRIA_OVERLAP_NO);
}

/* A subset-sum problem: with little work allowed the answer is TOO_HARD, not a guess. */
TEST(test_too_hard)
{
    int64_t shape[24], strides[24];
    for (int d = 0; d < 24; d++) {
        shape[d] = 2;
        strides[d] = 2 * ((INT64_C(1) << 40) + d * d * d * 7919 + d);
    }
    const struct geometry a = {24, shape, strides, 1}, point = {0, NULL, NULL, 1};
    /* odd, while all strides are even: no sum reaches it, but an item of 2 bytes overlaps it */
    uint64_t target = 1;
    for (int d = 0; d < 12; d++)
        target += (uint64_t)strides[2 * d];
    const struct geometry wide = {24, shape, strides, 2};
    assert_int_equal(stria__overlap(0, &a, target, &point, 0), STRIA_OVERLAP_NO);
    assert_int_equal(stria__overlap(0, &wide, target + 4, &point, 10), STRIA_OVERLAP_TOO_HARD);
}

TEST_MAIN(NULL, NULL)
