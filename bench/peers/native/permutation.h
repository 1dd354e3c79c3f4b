/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Most libraries know one kind of copy: dst = dense array, permuted, both in C order. This finds
 * that form of a copy, if it has one, with as few dims as it takes.
 */
#pragma once

#include <cstring>
#include <vector>

#include "peer.h"

struct permutation {
    std::vector<int64_t> shape; /* Shape of the source, in C order. */
    std::vector<int> axes;      /* Dim i of dst is dim axes[i] of the source. */
    int itemsize = 0;
};

/* Returns the bytes of an item, 0 for names that are not listed. */
int item_size(const char *dtype);
/* Finds the permutation. False unless both are dense, of one dtype, and without negative or zero
 * strides. */
bool find_permutation(permutation &out, const peer_copy &copy);
