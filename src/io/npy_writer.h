/* SPDX-License-Identifier: BSD-3-Clause */
/* A .npy file that is being written: the header first, then blocks of its data. */
#pragma once

#include "io/atomic_file.h"
#include "base/alloc.h"
#include "stria/npy.h"

struct stria_npy_writer {
    struct atomic_file file; /* Unused for a stream. */
    int fd;
    bool stream; /* The descriptor cannot seek, so that data is only appended. */
    /* Dims are in the order of the file: for Fortran order they, and those of blocks, are
     * reversed. */
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
    bool fortran;
    stria_dtype dtype; /* Owned. */
    int64_t data_at;   /* Bytes of the header. */
    int64_t at;        /* Current offset of fd. */
    int64_t left;      /* Bytes of data that are still to come. */
    /* End of the last run so far, and end of what the disk has begun to write. */
    int64_t end, complete;
    struct memory stage, own; /* Owned: memory for gathered data, and for this struct. */
};

/* Describes a file that is written block by block. */
struct npy_form {
    stria_dtype dtype;
    int ndim;
    const int64_t *shape;
    bool fortran;
    bool bare; /* The file has elements without a header. */
};

/* Checks the form and makes a writer to the file at path, or to fd if path is NULL. */
stria_status stria__npy_writer_new(stria_npy_writer **out, const char *path, int fd,
                                   const struct npy_form *form);

/* Writes a whole view; bare: without a header, in C order. */
stria_status stria__npy_write(const char *path, int fd, const stria_view *a, bool bare);
