/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations that the files about .npz archives share. */
#ifndef STRIA_SRC_IO_NPZ_H
#define STRIA_SRC_IO_NPZ_H

#include "base/alloc.h"
#include "io/atomic_file.h"
#include "io/zip_library.h"
#include "stria/npz.h"

struct npz_member;

/* Sets the status and message for an error of libzip. */
stria_status stria__npz_fail(zip_error_t *error, const char *what);

/* The file that an archive is read from, as libzip sees it. */
struct npz_source {
    int fd; /* borrowed */
    int64_t size;
    int64_t at;   /* where libzip stands */
    int64_t last; /* offset at which its last read began */
    zip_error_t error;
};

/* Sets *error, and returns what tells libzip so. */
zip_int64_t stria__npz_refuse(zip_error_t *error, int code, int cause);
/* Tells libzip the size of a source, of which nothing else is known. */
zip_int64_t stria__npz_tell_size(zip_stat_t *st, int64_t size);

/* Moves *at as libzip asks, in a file of `end` bytes. -1: see *error. */
zip_int64_t stria__npz_seek(int64_t *at, int64_t end, void *data, zip_uint64_t size,
                            zip_error_t *error);

/* Makes the source; *source lives until the archive is closed or discarded. NULL: see its error. */
zip_source_t *stria__npz_source(struct npz_source *source, int fd, int64_t size);

/* The file that an archive is written to, as libzip sees it. */
struct npz_target {
    struct atomic_file file;
    const char *path;
    bool begun;
    int64_t at;         /* where libzip stands */
    int64_t end;        /* the size of the file */
    int64_t complete;   /* end of what the disk has begun to write */
    struct memory room; /* owned: bytes that are not yet written; they begin at `from` */
    int64_t from, used;
    int64_t header_at;                /* offset of the member's header that libzip wrote last */
    const struct npz_member *members; /* borrowed; count of them */
    int64_t count;
    stria_status status; /* why libzip failed; the message is that of this thread */
    zip_error_t error;
};

/* Makes the source; *target lives until the archive is closed or discarded. NULL: MEMORY. */
zip_source_t *stria__npz_target(struct npz_target *target, const char *path);

/* Takes this libzip, in tests, for one in whose archives members cannot write themselves. */
void stria__npz_distrust(bool yes);

/* Writes bytes where libzip stands, and moves on. */
stria_status stria__npz_put(struct npz_target *t, const void *bytes, int64_t size);

/* A member that is being written: a .npy file. */
struct npz_member {
    const stria_view *view;
    const stria_exec *exec; /* NULL: nobody */
    stria_view items;       /* its dims are in the order of the file */
    int64_t size;           /* bytes of the .npy file */
    int64_t room;           /* bytes of the stage */
    stria_status status;
    zip_error_t error;

    /* Stored members, which write themselves. */
    struct npz_target *target; /* NULL: libzip reads the member */
    int64_t header_at;         /* offset of what libzip writes in front of it */
    uint32_t sum;              /* CRC-32 of what was written */
    bool done;

    /* Others, as a stream of bytes. */
    int outer; /* dims that are counted; the others are within one chunk */
    int64_t index[STRIA_MAX_NDIM];
    int64_t rows;        /* steps of dim outer - 1 in a chunk */
    stria_buffer *stage; /* owned while libzip reads: the header first, then chunks */
    int64_t used, ready; /* bytes in it that libzip has had, and all */
    int64_t left;        /* bytes of the .npy file that no chunk has had */
};

/* Prepares the stream; there is nothing to release. UNSUPPORTED, MEMORY. */
stria_status stria__npz_member(struct npz_member *m, const stria_view *a);
/* Composes the header of the .npy file in `room` bytes at out. */
stria_status stria__npz_header(const struct npz_member *m, void *out, int64_t room, int64_t *size);
/* The commands that both kinds of members know. */
zip_int64_t stria__npz_member_supports(void);
zip_int64_t stria__npz_stored_call(void *context, void *data, zip_uint64_t size,
                                   zip_source_cmd_t command);
zip_int64_t stria__npz_member_call(void *context, void *data, zip_uint64_t size,
                                   zip_source_cmd_t command);

#endif
