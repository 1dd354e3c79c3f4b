/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a .npy file: refused, or an array that lies within them and survives a round trip.
 * Built with libFuzzer where clang has it (STRIA_FUZZ), otherwise a program that runs it on files.
 */
#include "npy_round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    npy_round_trip(data, size);
    return 0;
}
