/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pictures in PNG files, by libpng; without it these functions refuse. Samples are as they are
 * stored: no colour management, no gamma. Files are untrusted.
 */
#ifndef STRIA_PNG_H
#define STRIA_PNG_H

#include "npy.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads the picture in the regular file at path: u8, or u16 where samples have 16 bits, of shape
 * (height, width) for gray, or (height, width, channels) for gray and alpha (2), RGB (3) and RGBA
 * (4). Gray of fewer bits is scaled to 0 .. 255, palettes become RGB, and a transparent colour an
 * alpha channel. mode is READ or HEADER. *out is owned by the caller. FORMAT (malformed, shorter
 * than it says, or larger than its bytes can be), IO, UNSUPPORTED (not a regular file; no libpng),
 * ARGUMENT (another mode), MEMORY.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_png_read(stria_array *out, const char *path,
                                                                 stria_npy_mode mode,
                                                                 const stria_exec *exec);

/*
 * Writes a picture of such a shape: u8, u16, or bool as 0 and 255. (height, width, 1) is gray, too.
 * The file is replaced as atomically as stria_npy_write does it. exec may be NULL. UNSUPPORTED
 * (other dtypes, meta buffers; no libpng), SHAPE (other shapes, no or more than 2^31 - 1 rows or
 * columns), IO, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_png_write(const char *path, const stria_view *a,
                                                      const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
