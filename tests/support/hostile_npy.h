/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hostile .npy bytes: every input has a name, the status it must get and a word that the message
 * must contain. Each goes through memory, a file that is read and a file that is mapped, with at
 * most 64 KiB allocated.
 */
#pragma once

#include "stria/npy.h"

#define D            "{'descr': '<f4', 'fortran_order': False, 'shape': "
#define SHAPE(dims)  D dims ", }\n"
#define DESCR(value) "{'descr': " value ", 'fortran_order': False, 'shape': (2,), }\n"

#define FORMAT      STRIA_ERR_FORMAT
#define UNSUPPORTED STRIA_ERR_UNSUPPORTED

struct bytes {
    unsigned char *at; /* allocated by malloc */
    int64_t size;
};

struct bytes bytes_new(int64_t size);
/* Returns a file of version 1, 2 or 3 with that text as its header, and `data` zero bytes. */
struct bytes npy(int major, const char *text, int64_t text_size, int64_t data);

/* Reads b in every way, checks what comes of it, and frees it. The group's folder must exist. */
void check(const char *id, struct bytes b, stria_status expected, const char *word);
/* Checks one result; a refusal must have left array.view.ndim at 77. */
void refused_or_good(stria_status got, const stria_array *array, stria_status expected,
                     const char *word, const char *id, const char *way);
