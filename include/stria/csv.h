/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of numbers as text: CSV, TSV, and columns between blanks. Numbers have a decimal point
 * whatever the locale is. Files are untrusted: what is no table of numbers is refused with its
 * line and column.
 */
#ifndef STRIA_CSV_H
#define STRIA_CSV_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads the table in the regular file at path: f64 of shape (rows, columns). Numbers are read to
 * the nearest f64; a field that is empty or says nan, na, n/a, null or none in any case is NaN, inf
 * and infinity are what they say, and a field may stand in double quotes. Blank lines and lines
 * that begin with # are left out, and so is a first line with a field that is none of these: a
 * header. delimiter stands between fields; ' ' stands for any number of blanks and tabs; 0: it is
 * looked for in the first line, a tab, a semicolon, a comma or blanks. *out is owned by the caller.
 * FORMAT (no line of numbers, a field that is no number, a row of another length than the first, an
 * open quote), ARGUMENT (a delimiter that numbers are written with), IO, UNSUPPORTED (not a regular
 * file), MEMORY. numpy.loadtxt, numpy.genfromtxt, pandas.read_csv.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_csv_read(stria_array *out, const char *path,
                                                                 char delimiter,
                                                                 const stria_exec *exec);

/* Does the same from size bytes in memory. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_csv_parse(stria_array *out,
                                                                  const void *text, int64_t size,
                                                                  char delimiter,
                                                                  const stria_exec *exec);

/*
 * Writes a line for each row of a, which has 2 dims or, for one number on each line, 1 or none:
 * bools as 0 and 1, integers, and floats with the fewest digits that read back; what is not finite
 * is nan, inf and -inf. delimiter stands between them, ',' for 0; header is the first line as it
 * is, NULL: there is none. The file is replaced as atomically as stria_npy_write does it. exec may
 * be NULL. UNSUPPORTED (other dtypes, meta buffers), SHAPE (3 dims and more), ARGUMENT (a delimiter
 * that numbers are written with, a header of several lines), IO, MEMORY. numpy.savetxt.
 */
STRIA_API STRIA_MUST_USE stria_status stria_csv_write(const char *path, const stria_view *a,
                                                      char delimiter, const char *header,
                                                      const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
