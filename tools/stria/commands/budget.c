/* SPDX-License-Identifier: BSD-3-Clause */
#include "budget.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/alloc.h"
#include "system.h"

static stria_allocator below; /* The allocator that really allocates. */
static int64_t limit = INT64_MAX;
static atomic_int_least64_t used;
static bool refused;

/* ---- sizes ----------------------------------------------------------------------------------- */

bool read_size(int64_t *out, const char *text)
{
    static const char units[] = "KMGTPE";
    char *end;
    const double number = strtod(text, &end);
    if (end == text || !(number >= 0)) return false;
    double scale = 1;
    const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
    if (unit) {
        scale = ldexp(1, 10 * (int)(unit - units + 1));
        end++;
        if (*end == 'i') end++;
    }
    if (*end == 'B' || *end == 'b') end++;
    if (*end || number * scale >= 0x1p62) return false;
    *out = (int64_t)(number * scale);
    return true;
}

const char *size_text(int64_t bytes, char text[32])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    int unit = -1;
    while (value >= 1024 && unit < 5) {
        value /= 1024;
        unit++;
    }
    if (unit < 0)
        (void)snprintf(text, 32, "%" PRId64 " bytes", bytes);
    else
        (void)snprintf(text, 32, value < 10 && value != floor(value) ? "%.1f %s" : "%.0f %s", value,
                       units[unit]);
    return text;
}

/* ---- the limit of memory --------------------------------------------------------------------- */

static void *counted_alloc(size_t size, size_t alignment, void *context)
{
    (void)context;
    if (size > (size_t)INT64_MAX / 2) return NULL;
    const int64_t bytes = (int64_t)size, before = atomic_fetch_add(&used, bytes);
    void *memory = NULL;
    if (before + bytes <= limit)
        memory = below.alloc(size, alignment, below.context);
    else
        refused = true;
    if (!memory) atomic_fetch_sub(&used, bytes);
    return memory;
}

static void counted_free(void *memory, size_t size, void *context)
{
    (void)context;
    atomic_fetch_sub(&used, (int64_t)size);
    below.free(memory, size, below.context);
}

void budget_start(int64_t memory, int64_t seconds)
{
    static const stria_allocator counted = {counted_alloc, counted_free, NULL};
    const int64_t least = 64 << 20; /* Small arrays can be made even on a full machine. */
    limit = memory ? memory : system_free_memory() / 4;
    if (!memory && limit < least) limit = least;
    stria_get_allocator(&below);
    const stria_status status = stria_set_allocator(&counted);
    (void)status;     /* Both functions exist, so that the status is OK. */
    if (seconds != 0) /* The handler is in interrupt.c. */
        system_alarm((unsigned)(seconds < 0 ? BUDGET_SECONDS : seconds));
}

int64_t budget_memory(void)
{
    return limit;
}

int64_t budget_left(void)
{
    const int64_t now = atomic_load(&used);
    return now < limit ? limit - now : 0;
}

void budget_explain(struct failure *failure)
{
    char text[32];
    if (failure->code != STRIA_ERR_MEMORY || !refused) return;
    const size_t length = strlen(failure->message);
    (void)snprintf(failure->message + length, sizeof failure->message - length,
                   "; the budget for arrays is %s, --memory SIZE raises it",
                   size_text(limit, text));
}
