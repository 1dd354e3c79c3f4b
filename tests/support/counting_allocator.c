/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/counting_allocator.h"

#include <stdlib.h>

#include "base/system.h"
#include "stria/alloc.h"
#include "stria/in_place.h"
#include "stria/view.h"

struct allocation_counts allocation_counts;

static void *count_alloc(size_t size, size_t alignment, void *context)
{
    struct allocation_counts *counts = context;
    counts->calls++;
    counts->bytes += (int64_t)size;
    if (counts->calls == counts->fail_at) return NULL;
    void *memory = stria__system_alloc(size, alignment);
    counts->live += memory != NULL;
    counts->held += memory ? (int64_t)size : 0;
    if (counts->held > counts->most) counts->most = counts->held;
    return memory;
}

static void count_free(void *memory, size_t size, void *context)
{
    struct allocation_counts *counts = context;
    counts->live--;
    counts->held -= (int64_t)size;
    stria__system_free(memory);
}

/*
 * Scratch memory of this thread is allocated at the first call that needs some, and kept: only the
 * allocations of later calls are counted.
 */
static void allocate_scratch(void)
{
    int32_t items[2] = {1, 2};
    stria_view view;
    if (stria_view_foreign(&view, items, stria_dtype_of(STRIA_I32), 1, (int64_t[]){2}, NULL, 0) ||
        stria_byteswap(&view, NULL))
        abort();
}

void counting_begin(int64_t fail_at)
{
    allocate_scratch();
    allocation_counts = (struct allocation_counts){.fail_at = fail_at};
    const stria_allocator hook = {count_alloc, count_free, &allocation_counts};
    if (stria_set_allocator(&hook) != STRIA_OK) abort();
}

void counting_end(void)
{
    if (stria_set_allocator(NULL) != STRIA_OK) abort();
}
