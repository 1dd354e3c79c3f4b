/* SPDX-License-Identifier: BSD-3-Clause */
/* A .npy file that is being written: the header first, then blocks of its data. */
#ifndef STRIA_SRC_IO_NPY_WRITER_H
#define STRIA_SRC_IO_NPY_WRITER_H

#include "io/atomic_file.h"
#include "base/alloc.h"
#include "stria/npy.h"

struct stria_npy_writer {
    struct atomic_file file; /* unless stream */
    int fd;
    bool stream; /* fd cannot seek: what is written follows what was */
    int ndim;    /* dims are in the file's order: those of F, and its blocks, are reversed */
    int64_t shape[STRIA_MAX_NDIM];
    bool fortran;
    stria_dtype dtype;        /* owned */
    int64_t data_at;          /* bytes of the header */
    int64_t at;               /* offset of fd */
    int64_t left;             /* bytes of data that are still to come */
    int64_t end, complete;    /* of the last run so far; of what the disk has begun with */
    struct memory stage, own; /* owned: room for what is gathered, and of this struct */
};

/* A file that is written block by block. */
struct npy_form {
    stria_dtype dtype;
    int ndim;
    const int64_t *shape;
    bool fortran;
    bool bare; /* elements without a header */
};

/* Checks the form and makes a writer, to the file at path or, where that is NULL, to fd. */
stria_status stria__npy_writer_new(stria_npy_writer **out, const char *path, int fd,
                                   const struct npy_form *form);

/* Writes a view as a whole; bare: without a header, in C order. */
stria_status stria__npy_write(const char *path, int fd, const stria_view *a, bool bare);

#endif
