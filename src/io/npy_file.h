/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of npy.h with a table of file calls as an argument, and what they share.
 */
#pragma once

#include "io/file_ops.h"
#include "io/npy_header.h"
#include "stria/npy.h"

/* Makes the array whose data lies in buffer. */
stria_status stria__npy_array(stria_array *out, const struct npy_header *h, stria_buffer *buffer);

/* Reads or maps the data that the header describes, from an open file. */
stria_status stria__npy_take(int fd, const struct npy_header *h, stria_npy_mode mode,
                             stria_array *out);

/* Makes an array of the header's shape without data, in a meta buffer. */
stria_status stria__npy_meta(stria_array *out, const struct npy_header *h);

/*
 * Maps the data of the open file. If its file system cannot map it in this mode, sets *mapped to
 * false and returns OK.
 */
stria_status stria__npy_map(int fd, const struct npy_header *h, stria_npy_mode mode, bool *mapped,
                            stria_array *out);
