/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's knowledge of the CPU: as the system reports it, and thresholds in the order that
 * they need. */
#include <unistd.h>

#include "machine/machine.h"
#include "support/test.h"

static void assert_cache(const struct stria__cache *cache, int64_t size, int64_t ways)
{
    assert_true(cache->size > 0 && cache->ways > 0 && cache->sets > 0);
    if (size > 0) assert_int_equal(cache->size, size);
    if (size > 0 && ways > 0) assert_int_equal(cache->ways, ways);
}

TEST(test_caches_are_those_of_the_system)
{
    const struct stria__machine *const m = stria__machine();
#ifdef _SC_LEVEL2_CACHE_SIZE
    assert_cache(&m->l1, sysconf(_SC_LEVEL1_DCACHE_SIZE), sysconf(_SC_LEVEL1_DCACHE_ASSOC));
    assert_cache(&m->l2, sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_ASSOC));
#else
    assert_cache(&m->l1, 0, 0);
    assert_cache(&m->l2, 0, 0);
#endif
    assert_true(m->l1.size < m->l2.size);
}

/*
 * Data that fits the second level is not streamed, unless that is huge; data that fits no cache is.
 */
static void check_streaming(const struct stria__machine *m)
{
    const int64_t large = 36 << 20, last = 2 * m->l3.size;
    for (int i = 0; i < WRITES; i++)
        assert_in_range(m->stream_from[i], m->l2.size < large ? m->l2.size : large,
                        last > large ? last : large);
    assert_true(m->stream_lines_from >= m->l2.size && m->stream_gaps_from >= m->l2.size);
    assert_true(m->far_rows >= m->l2.size);
}

/* Thresholds are sensible and ascending, whatever the size of the second-level cache. */
TEST(test_thresholds_follow_the_caches)
{
    for (int64_t l2 = 64 << 10; l2 <= 64 << 20; l2 *= 2) {
        stria__machine_set_l2(l2);
        const struct stria__machine *const m = stria__machine();
        assert_int_equal(m->l2.size, l2);
        assert_true(0 < m->lies_in_l2 && m->lies_in_l2 < m->fits_l2 && m->fits_l2 < l2);
        assert_true(m->fits_l2 >= 32 << 10);
        assert_true(m->l2_period > 0 && l2 % m->l2_period == 0);
        assert_true(m->far >= l2);
        check_streaming(m);
    }
    stria__machine_set_l2(0);
    check_streaming(stria__machine());
}

TEST(test_what_was_changed_comes_back)
{
    const struct stria__machine before = *stria__machine();
    stria__machine_set_l2(1);
    assert_int_equal(stria__machine()->l2.size, 1);
    assert_int_equal(stria__machine()->l1.size, before.l1.size);
    stria__machine_set_l2(0);
    assert_int_equal(stria__machine()->l2.size, before.l2.size);
    assert_int_equal(stria__machine()->fits_l2, before.fits_l2);
}

TEST_MAIN(NULL, NULL)
