/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations that the files about safetensors share. */
#pragma once

#include "base/heap_sort.h"
#include "base/text_reader.h"
#include "stria/alloc.h"
#include "stria/safetensors.h"

enum {
    SAFETENSORS_LENGTH = 8,             /* Bytes of the header's length, which come first. */
    SAFETENSORS_HEADER_MAX = 100000000, /* Limit of the format's reference. */
    SAFETENSORS_MIN_ENTRY = 40          /* Shortest possible entry of the header. */
};

/* One array of the header. */
struct safetensor {
    const char *name;
    const char *shape; /* Points to its list of sizes in the header's text. */
    /* Offsets of its first byte and of the byte behind its last one in the data. */
    int64_t begin, end;
    stria_kind kind;
};

/* A text of the metadata. */
struct safetensors_text {
    const char *key, *value;
};

/* The checked header. All that it points to lies in memory. */
struct safetensors_header {
    struct safetensor *tensors; /* Sorted by the place of their data. */
    struct safetensors_text *texts;
    int64_t count, ntexts;
    const char *text;
    int64_t size; /* Bytes of the text. */
};

/* Returns the format's name for a kind of dtype, NULL for none, and its place in the format's
 * order. */
const char *stria__safetensors_dtype(stria_kind kind, int *rank);

/* Returns a reader that begins at a place in the header's text, which a 0 terminates. */
static inline struct reader stria__safetensors_reader(const struct safetensors_header *h,
                                                      const char *at)
{
    return (struct reader){.begin = h->text,
                           .at = at,
                           .end = h->text + h->size,
                           .op = "the header",
                           .strict = true,
                           .json = true};
}

/*
 * Reads a header of size bytes for data_size bytes of data. room: for strings, as long as the text.
 * tensors and texts have room for size / SAFETENSORS_MIN_ENTRY + 1 and size / 6 + 1.
 */
stria_status stria__safetensors_parse(struct safetensors_header *h, char *room, int64_t data_size);
