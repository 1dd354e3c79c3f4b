/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that move by indices, of every level. See support/operands.h. */
#include <string.h>

#include "support/operands.h"
#include "support/random.h"
#include "support/test.h"

static uint64_t seed = 7;

/* Makes n adjacent indices that end at an inaccessible page. */
static char *make_indices(int64_t n, int64_t low, int64_t high)
{
    char *const indices = region(&in_guard, 0, n * (int64_t)sizeof(int64_t), true).base;
    for (int64_t i = 0; i < n; i++) {
        const int64_t index = random_between(&seed, low, high);
        memcpy(indices + i * (int64_t)sizeof index, &index, sizeof index);
    }
    return indices;
}

static int64_t index_at(const char *indices, int64_t i)
{
    int64_t index;
    memcpy(&index, indices + i * (int64_t)sizeof index, sizeof index);
    return index;
}

TEST(test_survey)
{
    const struct {
        int64_t low, high;
    } ranges[] = {{0, 99},
                  {-100, 99},
                  {-101, -101},
                  {0, 100},
                  {INT64_MIN, INT64_MIN + 9},
                  {INT64_MAX - 9, INT64_MAX}};
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (int64_t n = 0; n < 70; n++) {
                const char *const indices = make_indices(n, ranges[r].low, ranges[r].high);
                bool negative = false, beyond = false, above = false;
                for (int64_t i = 0; i < n; i++) {
                    const int64_t index = index_at(indices, i);
                    negative |= index < 0;
                    above |= index >= 100;
                    beyond |= index >= 100 || index < -100;
                }
                int64_t copy[70];
                const unsigned found = kernels->survey_indices(copy, indices, n, 100);
                assert_int_equal(kernels->survey_indices(NULL, indices, n, 100), found);
                if (n > 0) assert_memory_equal(copy, indices, (size_t)n * sizeof *copy);
                assert_int_equal(!!(found & INDEX_NEGATIVE), negative);
                assert_int_equal(!!(found & (INDEX_BELOW | INDEX_ABOVE)), beyond);
                if (above) assert_true(found & INDEX_ABOVE);
            }
}

/* Finds the factor of a dim, for dims whose product is at most 2^31, as the caller does. */
static void find_factor(struct located_dim *dim)
{
    dim->shift = 31;
    while (INT64_C(1) << (dim->shift - 31) < dim->n)
        dim->shift++;
    dim->factor = ((UINT64_C(1) << dim->shift) + (uint64_t)dim->n - 1) / (uint64_t)dim->n;
}

static int64_t expected_bytes(int64_t index, const struct locate *t)
{
    int64_t bytes = 0;
    if (t->beyond == CLIP_BEYOND) index = index < 0 ? 0 : index >= t->size ? t->size - 1 : index;
    if (t->beyond == WRAP_BEYOND) index %= t->size;
    if (index < 0) index += t->size;
    if (t->ndim == 0) return index;
    for (int d = 0; d + 1 < t->ndim; d++) {
        bytes += index % t->dims[d].n * t->dims[d].s;
        index /= t->dims[d].n;
    }
    return bytes + index * t->dims[t->ndim - 1].s;
}

static void check_locate(const struct stria_kernels *kernels, const struct locate *how, int64_t far)
{
    for (int64_t n = 1; n <= LOCATED; n += n < 40 ? 1 : 59) {
        char *const indices = make_indices(n, -far, far - 1);
        int64_t named[LOCATED];
        memcpy(named, indices, (size_t)n * sizeof *named);
        kernels->locate((int64_t *)(void *)indices, n, how);
        for (int64_t i = 0; i < n; i++)
            assert_int_equal(index_at(indices, i), expected_bytes(named[i], how));
    }
}

/* Sizes around powers of two; up to as many elements as multiplication can divide, and more. */
TEST(test_locate)
{
    static const int64_t shapes[][3] = {{1, 1, 1},         {3, 5, 7},         {255, 257, 2},
                                        {65536, 32768, 1}, {46341, 46340, 1}, {1, 2, 1 << 30},
                                        {1 << 30, 2, 1},   {7, 306783378, 1}, {1 << 20, 3, 5000}};
    const struct stria_kernels *kernels;
    for (int level = 0; (kernels = next_kernels(&level));)
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            for (int ndim = 0; ndim <= 3; ndim++)
                for (int beyond = NONE_BEYOND; beyond <= CLIP_BEYOND; beyond++) {
                    struct locate how = {.size = 1, .beyond = (enum beyond)beyond, .ndim = ndim};
                    for (int d = 0; d < ndim; d++) {
                        how.dims[d] = (struct located_dim){.n = shapes[k][d], .s = d * 1000 - 24};
                        how.size *= shapes[k][d];
                    }
                    for (int d = 0; d + 1 < ndim && how.size <= INT64_C(1) << 31; d++)
                        find_factor(&how.dims[d]);
                    check_locate(kernels, &how, how.size);
                    if (beyond != NONE_BEYOND) check_locate(kernels, &how, INT64_MAX / 2);
                }
}

TEST_MAIN(operands_set_up, operands_tear_down)
