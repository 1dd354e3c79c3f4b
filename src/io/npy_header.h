/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The header of a .npy file:
 *
 *     \x93NUMPY  major  minor  length (2 bytes in version 1, then 4; little-endian)  text
 *     text: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   spaces   newline
 *
 * Preamble, text and data size are read in this order, and each step checks all it can before the
 * next one.
 */
#pragma once

#include "base/charset.h"
#include "stria/record.h"
#include "stria/view.h"
#include "base/text_reader.h"
#include "base/text_writer.h"

enum {
    NPY_TEXT_MAX = 64 << 10, /* Longest text that is read, in bytes; NumPy writes under 2 KiB. */
    NPY_PREAMBLE_MAX = 12,   /* Most bytes before the text. */
    NPY_DATA_ALIGNMENT = 64, /* The data begins at a multiple of this, as in NumPy. */
    NPY_DESCR_MAX = 32       /* Room for the string of a plain dtype and its end. */
};

struct npy_preamble {
    int major;
    int64_t text_at, text_size; /* Offset and bytes of the text, which lies within the file. */
};

/*
 * Reads the preamble from the first `have` bytes of a file of file_size; 12 are enough. FORMAT,
 * UNSUPPORTED.
 */
stria_status stria__npy_preamble(struct npy_preamble *out, const void *bytes, int64_t have,
                                 int64_t file_size);

struct npy_header {
    stria_dtype dtype; /* Owned; stria_dtype_release frees a record. */
    bool fortran;
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
    int64_t data_at, nbytes; /* Offset of the data and its bytes, which lie within the file. */
};

static inline void npy_header_drop(const struct npy_header *header)
{
    stria_dtype_release(header->dtype);
}

/* Declares a header whose dtype is released at the end of the block. */
#define OWNED_HEADER(name)                                                                         \
    __attribute__((cleanup(npy_header_drop))) struct npy_header name;                              \
    (name).dtype.record = NULL

/* Reads the text and compares it with the size of the file. FORMAT, UNSUPPORTED. */
stria_status stria__npy_header(struct npy_header *out, const struct npy_preamble *preamble,
                               const char *text, int64_t file_size);

/* Reads `size` bytes from byte `at` of a file; a stream stands there already. */
typedef stria_status stria__npy_reader(void *from, void *out, int64_t size, int64_t at);

/*
 * Reads the header of a file of file_size bytes (INT64_MAX if unknown). The first read takes
 * `ahead` bytes, which must be at least those of a preamble.
 */
stria_status stria__npy_read_header(struct npy_header *out, stria__npy_reader *read, void *from,
                                    int64_t file_size, int64_t ahead);

/*
 * Makes the view of the data that the header describes; element [0, ..., 0] lies at offset in
 * buffer.
 */
stria_status stria__npy_view(stria_view *out, const struct npy_header *header, stria_buffer *buffer,
                             int64_t offset);

/* Refuses items of 0 bytes wherever a dtype becomes that of a file. UNSUPPORTED. */
stria_status stria__npy_check_items(stria_dtype dtype);

/* Parses the value of 'descr', a string or a list of fields; the caller owns the dtype. FORMAT,
 * UNSUPPORTED. */
stria_status stria__npy_descr_parse(stria_dtype *out, struct reader *r);
/*
 * Checks that a file can describe this dtype; raises *charset to what its names need. UNSUPPORTED.
 */
stria_status stria__npy_descr_check(stria_dtype dtype, enum charset *charset);
/* Prints the value of 'descr', with quotes. */
void stria__npy_descr_print(struct written *text, stria_dtype dtype);

/* Tells whether a file stores a in Fortran order: if its elements lie so, and not in C order. */
static inline bool stria__npy_is_fortran(const stria_view *a)
{
    return !stria_is_contiguous(a, STRIA_ORDER_C) && stria_is_contiguous(a, STRIA_ORDER_F);
}

/*
 * Composes the beginning of a file up to its data, as NumPy writes it, with room for the first size
 * (the last one in Fortran order) to grow to 21 digits in place. UNSUPPORTED when it exceeds
 * `room`.
 */
stria_status stria__npy_compose(char *out, size_t room, int64_t *size, stria_dtype dtype,
                                bool fortran, int ndim, const int64_t *shape);
