/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reference-counted memory. A buffer made here is one allocation: the header in the first cache
 * line, the data in the following ones. A wrapped buffer is the header alone.
 */
#include "stria/buffer.h"

#include <assert.h>

#include "base/alloc.h"
#include "buffer.h"
#include "dtype/record.h"
#include "base/status.h"
#include "base/system.h"

enum { COUNTED = 4096 /* bytes of a buffer from which it counts as memory in use */ };
static atomic_int_least64_t in_use;

static void count(size_t allocated, int sign)
{
    if (allocated < COUNTED) return;
    (void)atomic_fetch_add_explicit(&in_use, sign * (int64_t)allocated, memory_order_relaxed);
}

int64_t stria_bytes_in_use(void)
{
    return atomic_load_explicit(&in_use, memory_order_relaxed);
}

enum { HEADER = (sizeof(stria_buffer) + STRIA_ALIGNMENT - 1) / STRIA_ALIGNMENT * STRIA_ALIGNMENT };

void stria__buffer_begin(stria_buffer *buffer, const stria_allocator *allocator, size_t allocated,
                         char *data, int64_t size)
{
    *buffer =
        (stria_buffer){.data = data, .size = size, .allocator = *allocator, .allocated = allocated};
    atomic_init(&buffer->references, 1);
    atomic_init(&buffer->readonly, false);
    count(allocated, 1);
}

static stria_buffer *allocate(int64_t room, size_t alignment)
{
    const stria_allocator allocator = stria__allocator();
    const size_t size = (size_t)HEADER + (size_t)room;
    uint64_t budget;
    if (!stria__budget_take(&budget, size)) return NULL;
    stria_buffer *buffer = allocator.alloc(size, alignment, allocator.context);
    if (!buffer) {
        stria__budget_give(budget, size);
        return NULL;
    }
    stria__buffer_begin(buffer, &allocator, size, (char *)buffer + HEADER, room);
    buffer->budget = budget;
    return buffer;
}

static stria_status refuse_memory(int64_t size)
{
    const int64_t limit = stria__address_space_limit();
    if (limit < 0)
        return stria__fail(STRIA_ERR_MEMORY, "buffer: out of memory for %lld bytes",
                           (long long)size);
    return stria__fail(STRIA_ERR_MEMORY,
                       "buffer: out of memory for %lld bytes; the address space of the process is "
                       "limited to %lld bytes (ulimit -v)",
                       (long long)size, (long long)limit);
}

stria_status stria_buffer_make(stria_buffer **out, int64_t size)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "buffer: out is NULL");
    if (size < 0)
        return stria__fail(STRIA_ERR_SHAPE, "buffer: a size of %lld bytes is negative",
                           (long long)size);
    if (size > PTRDIFF_MAX - HEADER)
        return stria__fail(STRIA_ERR_OVERFLOW, "buffer: %lld bytes exceed the address space",
                           (long long)size);
    stria_buffer *buffer = allocate(size, STRIA_ALIGNMENT);
    if (!buffer) return refuse_memory(size);
    *out = buffer;
    return STRIA_OK;
}

stria_status stria_buffer_wrap(stria_buffer **out, void *data, int64_t size, bool readonly,
                               void (*deleter)(void *data, int64_t size, void *context),
                               void *context)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "buffer: out is NULL");
    if (size < 0)
        return stria__fail(STRIA_ERR_SHAPE, "buffer: a size of %lld bytes is negative",
                           (long long)size);
    if (!data && size > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "buffer: data is NULL with a size of %lld bytes",
                           (long long)size);
    if ((uint64_t)size > (uint64_t)UINTPTR_MAX - (uintptr_t)data)
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "buffer: %lld bytes from address %p wrap around the address space",
                           (long long)size, data);
    stria_buffer *buffer = allocate(0, _Alignof(max_align_t));
    if (!buffer) return stria__fail(STRIA_ERR_MEMORY, "buffer: out of memory for a header");
    buffer->data = data;
    buffer->size = size;
    atomic_init(&buffer->readonly, readonly);
    buffer->deleter = deleter;
    buffer->context = context;
    *out = buffer;
    return STRIA_OK;
}

/* Makes a meta buffer. Its address may be any aligned one that leaves room for every size below
 * PTRDIFF_MAX. */
#define META_ADDRESS ((char *)(uintptr_t)(1u << 21))

stria_status stria_buffer_meta(stria_buffer **out, int64_t size)
{
    STRIA_TRY(stria_buffer_wrap(out, META_ADDRESS, size, false, NULL, NULL));
    (*out)->meta = true;
    return STRIA_OK;
}

bool stria_buffer_is_meta(const stria_buffer *buffer)
{
    return stria__buffer_is_meta(buffer);
}

stria_buffer *stria_buffer_retain(stria_buffer *buffer)
{
    if (buffer) {
        const int64_t before =
            atomic_fetch_add_explicit(&buffer->references, 1, memory_order_relaxed);
        assert(before > 0 && before < INT64_MAX);
        (void)before;
    }
    return buffer;
}

void stria_buffer_release(stria_buffer *buffer)
{
    if (!buffer) return;
    if (atomic_fetch_sub_explicit(&buffer->references, 1, memory_order_release) != 1) return;
    atomic_thread_fence(memory_order_acquire);
    if (buffer->deleter) buffer->deleter(buffer->data, buffer->size, buffer->context);
    stria__record_release(buffer->record);
    const stria_allocator allocator = buffer->allocator;
    stria__budget_give(buffer->budget, buffer->allocated);
    count(buffer->allocated, -1);
    allocator.free(buffer, buffer->allocated, allocator.context);
}

char *stria_buffer_data(const stria_buffer *buffer)
{
    return buffer->data;
}

int64_t stria_buffer_size(const stria_buffer *buffer)
{
    return buffer->size;
}

stria_status stria__buffer_successor(stria_buffer **out, const stria_buffer *old, int64_t size)
{
    stria_buffer *made;
    STRIA_TRY(old->meta ? stria_buffer_meta(&made, size) : stria_buffer_make(&made, size));
    made->record = stria__record_retain(old->record);
    *out = made;
    return STRIA_OK;
}

static void release_other(void *data, int64_t size, void *context)
{
    (void)data;
    (void)size;
    stria_buffer_release(context);
}

stria_status stria__buffer_with_dtype(stria_buffer **out, stria_buffer *of, stria_dtype dtype)
{
    const bool readonly = stria_buffer_readonly(of);
    STRIA_TRY(stria_buffer_wrap(out, of->data, of->size, readonly, release_other, of));
    (*out)->meta = of->meta;
    (*out)->shares = true;
    stria__buffer_keep_dtype(*out, dtype);
    (void)stria_buffer_retain(of);
    return STRIA_OK;
}

bool stria__buffer_is_ours(const stria_buffer *buffer)
{
    return buffer->meta || buffer->data == (const char *)buffer + HEADER;
}

void stria__buffer_keep_dtype(stria_buffer *buffer, stria_dtype dtype)
{
    assert(!buffer->record);
    buffer->record = stria__record_retain(dtype.record);
}

bool stria_buffer_readonly(const stria_buffer *buffer)
{
    return stria__buffer_readonly(buffer);
}

/* Returns the buffer that owns the memory of this one: itself if it does. */
static stria_buffer *root_of(const stria_buffer *buffer)
{
    while (buffer && buffer->shares)
        buffer = buffer->context;
    return (stria_buffer *)(uintptr_t)buffer;
}

int64_t stria_buffer_writes(const stria_buffer *buffer)
{
    const stria_buffer *const root = root_of(buffer);
    if (!root || !stria__buffer_is_ours(root)) return -1;
    if (atomic_load_explicit(&root->exposed, memory_order_relaxed)) return -1;
    return atomic_load_explicit(&root->writes, memory_order_relaxed);
}

void stria_buffer_expose(stria_buffer *buffer)
{
    stria_buffer *const root = root_of(buffer);
    if (root) atomic_store_explicit(&root->exposed, true, memory_order_relaxed);
}

int64_t stria_buffer_references(const stria_buffer *buffer)
{
    return atomic_load_explicit(&buffer->references, memory_order_relaxed);
}

void stria_buffer_freeze(stria_buffer *buffer)
{
    atomic_store_explicit(&buffer->readonly, true, memory_order_relaxed);
}
