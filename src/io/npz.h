/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files about .npz archives share. */
#ifndef STRIA_SRC_IO_NPZ_H
#define STRIA_SRC_IO_NPZ_H

#include <zip.h>

#include "io/atomic_file.h"
#include "stria/alloc.h"
#include "stria/npz.h"

/* Sets the status and message for an error of libzip. */
stria_status stria__npz_fail(zip_error_t *error, const char *what);

/* The file that an archive is read from, as libzip sees it. */
struct npz_source {
    int fd; /* borrowed */
    int64_t size;
    int64_t at;   /* where libzip stands */
    int64_t last; /* where its last read began */
    zip_error_t error;
};

/* Makes the source; *source lives until the archive is closed or discarded. NULL: see its error. */
zip_source_t *stria__npz_source(struct npz_source *source, int fd, int64_t size);

/* The file that an archive is written to, as libzip sees it. */
struct npz_target {
    struct atomic_file file;
    const char *path;
    bool begun;
    int64_t at;  /* where libzip stands */
    int64_t end; /* the size of the file */
    stria_allocator allocator;
    char *room; /* owned: bytes that are not yet written; they begin at `from` */
    int64_t from, used;
    stria_status status; /* why libzip failed; the message is that of this thread */
    zip_error_t error;
};

/* Makes the source; *target lives until the archive is closed or discarded. NULL: MEMORY. */
zip_source_t *stria__npz_target(struct npz_target *target, const char *path);

/* A member that is being written: its .npy file as a stream of bytes. */
struct npz_member {
    const stria_view *view;
    stria_view items; /* in the order of the file */
    int outer;        /* dims that are counted; the others are within one chunk */
    int64_t index[STRIA_MAX_NDIM];
    int64_t rows;        /* of dim outer - 1 in a chunk */
    stria_buffer *stage; /* owned while libzip reads: the header first, then chunks */
    int64_t room;        /* bytes of the stage */
    int64_t used, ready; /* bytes in it that libzip has had, and all */
    int64_t size, left;  /* bytes of the .npy file, and those that no chunk has had */
    stria_status status;
    zip_error_t error;
};

/* Prepares the stream; there is nothing to release. UNSUPPORTED, MEMORY. */
stria_status stria__npz_member(struct npz_member *m, const stria_view *a);
zip_int64_t stria__npz_member_call(void *context, void *data, zip_uint64_t size,
                                   zip_source_cmd_t command);

#endif
