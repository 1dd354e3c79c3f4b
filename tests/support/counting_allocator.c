/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/counting_allocator.h"

#include <stdlib.h>

#include "stria/alloc.h"

struct allocation_counts allocation_counts;

static void *count_alloc(size_t size, size_t alignment, void *context)
{
    struct allocation_counts *counts = context;
    counts->calls++;
    counts->bytes += (int64_t)size;
    if (counts->calls == counts->fail_at) return NULL;
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    counts->live += memory != NULL;
    return memory;
}

static void count_free(void *memory, size_t size, void *context)
{
    (void)size;
    struct allocation_counts *counts = context;
    counts->live--;
    free(memory);
}

void counting_begin(int64_t fail_at)
{
    allocation_counts = (struct allocation_counts){.fail_at = fail_at};
    const stria_allocator hook = {count_alloc, count_free, &allocation_counts};
    if (stria_set_allocator(&hook) != STRIA_OK) abort();
}

void counting_end(void)
{
    if (stria_set_allocator(NULL) != STRIA_OK) abort();
}
