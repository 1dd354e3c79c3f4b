/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts an array in order, in a temporary file of its size, where its file is large beside the
 * budget of memory and its elements are needed in another order than the file has: read element by
 * element, each page of the file would come as often as it has elements.
 */
#pragma once

#include "lang/waiting.h"

/*
 * Tells whether a lies in such a file and has its smallest steps along another dim than the last
 * one of the set `dims`, with so long steps along that one that a page has room for only a few.
 */
bool is_across(const stria_view *a, uint64_t dims);

/*
 * Makes the same elements in C order if is_across: a map of a temporary file in TMPDIR or /var/tmp
 * that has no name any more. False also if there is no room for one.
 */
extern const struct reordering turned_files;
