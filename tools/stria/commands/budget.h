/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits of a command: bytes of memory for arrays, and seconds. An EXPR of a few characters can ask
 * for terabytes or years; both limits have defaults, and options that raise them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lang/failure.h"

enum { BUDGET_SECONDS = 3600 };

/* Reads a size in bytes as people write it: 4096, 64K, 1.5G, 256MiB; K, M, G, T are powers of
 * 1024. */
bool read_size(int64_t *out, const char *text);
/* Writes a size such as "256 MiB", "1.5 GiB", "12 bytes". */
const char *size_text(int64_t bytes, char text[32]);

/*
 * Limits the memory of the library to `memory` bytes, 0 for a quarter of the free memory, and the
 * time to `seconds`, 0 for no limit, -1 for BUDGET_SECONDS.
 */
void budget_start(int64_t memory, int64_t seconds);
/* Returns the limit of memory; the second function, the part of it that is left. */
int64_t budget_memory(void);
int64_t budget_left(void);
/* Adds to a failure for lack of memory what the limit was and how to raise it. */
void budget_explain(struct failure *failure);
