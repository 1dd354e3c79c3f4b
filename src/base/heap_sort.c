/* SPDX-License-Identifier: BSD-3-Clause */
/* Heap sort: it works in place, unlike qsort, which may allocate, and takes n log n at worst,
 * whatever a file holds. */
#include "heap_sort.h"

#include <string.h>

enum { MOST = 128 };

struct heap {
    char *items;
    size_t size;
    bool (*before)(const void *a, const void *b);
};

static char *item(const struct heap *h, int64_t i)
{
    return h->items + (size_t)i * h->size;
}

static void swap(const struct heap *h, int64_t i, int64_t j)
{
    char kept[MOST];
    memcpy(kept, item(h, i), h->size);
    memcpy(item(h, i), item(h, j), h->size);
    memcpy(item(h, j), kept, h->size);
}

/* Lets item i sink among the first n until no child comes after it. */
static void sink(const struct heap *h, int64_t i, int64_t n)
{
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && h->before(item(h, child), item(h, child + 1))) child++;
        if (!h->before(item(h, i), item(h, child))) return;
        swap(h, i, child);
    }
}

void stria__heap_sort(void *items, int64_t n, size_t size,
                      bool (*before)(const void *a, const void *b))
{
    const struct heap h = {items, size, before};
    for (int64_t i = n / 2 - 1; i >= 0; i--)
        sink(&h, i, n);
    for (int64_t end = n - 1; end > 0; end--) {
        swap(&h, 0, end);
        sink(&h, 0, end);
    }
}
