/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of keys of 64 bits, each with the first place where it was. At most half of it is taken.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { KEYS_AHEAD = 64 /* So many keys are made, and their slots fetched, at once. */ };

struct key_slot {
    int64_t key, place; /* place: -1 if the slot is free */
};

struct key_table {
    struct key_slot *slots;
    int bits;
};

/* A small table has 8 slots or more for each key, so that the first one tells, and a large one 2.
 */
static inline int table_bits(int64_t n)
{
    enum { SMALL = 2048 };
    int bits = n <= SMALL ? 6 : 3;
    while (bits < 58 && INT64_C(1) << (bits - (n <= SMALL ? 3 : 1)) < n)
        bits++;
    return bits;
}

/* Tells whether the slots of keys are worth being fetched ahead. */
static inline bool table_is_far(const struct key_table *t)
{
    return t->bits > 14;
}

/* Returns the bytes of a table for n keys. */
static inline size_t table_bytes(int64_t n)
{
    return sizeof(struct key_slot) << table_bits(n);
}

/* Makes a table for n keys, whose memory has to be filled with bytes of ones. */
static inline struct key_table table_at(void *memory, int64_t n)
{
    return (struct key_table){memory, table_bits(n)};
}

static inline uint64_t table_slot(const struct key_table *t, int64_t key)
{
    const uint64_t mixed = (uint64_t)key ^ (uint64_t)key >> 32;
    return mixed * UINT64_C(0x9E3779B97F4A7C15) >> (64 - t->bits);
}

static inline void table_prefetch(const struct key_table *t, int64_t key)
{
    __builtin_prefetch(&t->slots[table_slot(t, key)]);
}

/* Returns the slot of a key, or the free one where it belongs. */
static inline struct key_slot *table_look(const struct key_table *t, int64_t key)
{
    uint64_t at = table_slot(t, key);
    while (t->slots[at].place >= 0 && t->slots[at].key != key)
        at = (at + 1) & ((UINT64_C(1) << t->bits) - 1);
    return &t->slots[at];
}

static inline void table_enter(struct key_table *t, int64_t key, int64_t place)
{
    struct key_slot *const slot = table_look(t, key);
    if (slot->place < 0) *slot = (struct key_slot){key, place};
}

/* Returns the first place of a key, or -1. */
static inline int64_t table_find(const struct key_table *t, int64_t key)
{
    return table_look(t, key)->place;
}
