/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Few blocks are kept, the newest last, in a table that one thread at a time uses. A thread that
 * finds it in use goes on without it, so that nobody waits: neither a signal handler, nor a child
 * that was forked while another thread of its parent was here.
 */
#include "kept.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "status.h"
#include "system.h"
#include "stria/alloc.h"

enum {
    BLOCKS = 16,
    PASSED = 16,            /* a block is freed after requests of so many times its bytes */
    PART = 16,              /* of memory, or of the address space, is kept at most */
    LIMIT_LEAST = 64 << 20, /* unless these are small */
    NOT_SET = -1
};

/* Sanitizers want to see what is given back, and used again. */
#if defined __SANITIZE_ADDRESS__
#define KEEPS false
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define KEEPS false
#endif
#endif
#ifndef KEEPS
#define KEEPS true
#endif

struct block {
    void *at;
    size_t size, passed; /* passed: bytes of requests that other blocks or none took */
};

static atomic_flag in_use = ATOMIC_FLAG_INIT;
static struct block kept[BLOCKS]; /* the newest last */
static int count;
static atomic_int_least64_t bytes; /* of all */
static atomic_int_least64_t limit = NOT_SET;

/* ---- the limit ------------------------------------------------------------------------------- */

static int64_t default_limit(void)
{
    const double memory = stria__physical_memory();
    const int64_t space = stria__address_space_limit();
    double most = memory > LIMIT_LEAST * PART ? memory / PART : LIMIT_LEAST;
    if (space >= 0 && (double)space / PART < most) most = (double)space / PART;
    return KEEPS ? (int64_t)most : 0;
}

int64_t stria_keep_limit(void)
{
    int64_t most = atomic_load_explicit(&limit, memory_order_relaxed);
    if (most == NOT_SET) {
        most = default_limit();
        atomic_store_explicit(&limit, most, memory_order_relaxed);
    }
    return most;
}

int64_t stria_kept(void)
{
    return atomic_load_explicit(&bytes, memory_order_relaxed);
}

bool stria__kept_fits(size_t size)
{
    return size <= (uint64_t)stria_keep_limit();
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Blocks that leave the table, which are freed where it is no longer in use. */
struct leaving {
    void *at[BLOCKS];
    int count;
};

static bool enter(struct leaving *out)
{
    out->count = 0;
    return !atomic_flag_test_and_set(&in_use);
}

/* Whoever wants the table to become smaller tries it for a while, in which any thread leaves that
 * runs. */
static bool enter_patiently(struct leaving *out)
{
    enum { TRIES = 10000 };
    for (int i = 0; i < TRIES; i++)
        if (enter(out)) return true;
    return false;
}

static void *take_out(int i)
{
    void *const at = kept[i].at;
    atomic_fetch_sub_explicit(&bytes, (int64_t)kept[i].size, memory_order_relaxed);
    count--;
    memmove(&kept[i], &kept[i + 1], (size_t)(count - i) * sizeof *kept);
    return at;
}

/* Drops the oldest blocks until there are at most so many of so many bytes. */
static void drop_to(struct leaving *out, int blocks, int64_t most)
{
    while (count > 0 && (count > blocks || stria_kept() > most))
        out->at[out->count++] = take_out(0);
}

/*
 * Frees what leaves. A limit that somebody set while this thread was in the table is seen once the
 * table is free, or they found it free: all of these accesses have one order.
 */
static bool leave(struct leaving *out)
{
    bool dropped = false;
    do {
        drop_to(out, BLOCKS, stria_keep_limit());
        atomic_flag_clear(&in_use);
        for (int i = 0; i < out->count; i++)
            stria__system_free(out->at[i]);
        dropped |= out->count > 0;
    } while (stria_kept() > atomic_load(&limit) && enter(out));
    return dropped;
}

void *stria__kept_take(size_t size, size_t alignment)
{
    struct leaving out;
    void *found = NULL;
    if (stria_kept() == 0 || !enter(&out)) return NULL;
    for (int i = 0; i < count;) {
        struct block *const b = &kept[i];
        if (!found && b->size == size && (uintptr_t)b->at % alignment == 0)
            found = take_out(i); /* the oldest: temporaries of a loop then share one block */
        else if ((b->passed += size) / PASSED > b->size)
            out.at[out.count++] = take_out(i);
        else
            i++;
    }
    (void)leave(&out);
    return found;
}

bool stria__kept_put(void *memory, size_t size)
{
    struct leaving out;
    if (!stria__kept_fits(size) || !enter(&out)) return false;
    const bool fits = stria__kept_fits(size); /* also a limit that came since */
    if (fits) {
        drop_to(&out, BLOCKS - 1, stria_keep_limit() - (int64_t)size);
        kept[count++] = (struct block){.at = memory, .size = size};
        atomic_fetch_add_explicit(&bytes, (int64_t)size, memory_order_relaxed);
    }
    (void)leave(&out);
    return fits;
}

bool stria__kept_drop(void)
{
    struct leaving out;
    if (!enter_patiently(&out)) return false;
    drop_to(&out, 0, 0);
    return leave(&out);
}

stria_status stria_set_keep_limit(int64_t most)
{
    struct leaving out;
    if (most < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "keep limit: %lld bytes, must not be negative",
                           (long long)most);
    atomic_store(&limit, most);
    if (enter_patiently(&out)) (void)leave(&out);
    return STRIA_OK;
}
