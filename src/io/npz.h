/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations that the files about .npz archives share. */
#pragma once

#include "base/alloc.h"
#include "io/atomic_file.h"
#include "io/zip_library.h"
#include "stria/npz.h"

struct npz_member;

/* Sets the status and message for an error of libzip. */
stria_status stria__npz_fail(zip_error_t *error, const char *what);

/* The file that an archive is read from, as libzip sees it. */
struct npz_source {
    int fd; /* Borrowed. */
    int64_t size;
    int64_t at;   /* Current position of libzip. */
    int64_t last; /* Offset at which its last read began. */
    zip_error_t error;
};

/* Sets *error, and returns the value by which libzip knows of an error. */
zip_int64_t stria__npz_refuse(zip_error_t *error, int code, int cause);
/* Tells libzip the size of a source, the only fact known about it. */
zip_int64_t stria__npz_tell_size(zip_stat_t *st, int64_t size);

/* Moves *at as libzip asks, in a file of `end` bytes; -1 with *error set if that fails. */
zip_int64_t stria__npz_seek(int64_t *at, int64_t end, void *data, zip_uint64_t size,
                            zip_error_t *error);

/* Makes the source; *source must live until the archive is closed or discarded. NULL: see its
 * error. */
zip_source_t *stria__npz_source(struct npz_source *source, int fd, int64_t size);

/* The file that an archive is written to, as libzip sees it. */
struct npz_target {
    struct atomic_file file;
    const char *path;
    bool begun;
    int64_t at;         /* Current position of libzip. */
    int64_t end;        /* Size of the file. */
    int64_t complete;   /* End of what the disk has begun to write. */
    struct memory room; /* Owned: bytes that are not yet written and belong at offset `from`. */
    int64_t from, used;
    int64_t header_at;                /* Offset of the member header that libzip wrote last. */
    const struct npz_member *members; /* Borrowed; their number follows. */
    int64_t count;
    stria_status status; /* Why libzip failed; the message is this thread's. */
    zip_error_t error;
};

/* Makes the source; *target must live until the archive is closed or discarded. NULL: MEMORY. */
zip_source_t *stria__npz_target(struct npz_target *target, const char *path);

/* Makes tests pretend that this libzip does not let members write themselves. */
void stria__npz_distrust(bool yes);

/* Writes bytes at libzip's position, and moves it on. */
stria_status stria__npz_put(struct npz_target *t, const void *bytes, int64_t size);

/* A member that is being written, as a .npy file. */
struct npz_member {
    const stria_view *view;
    const stria_exec *exec; /* NULL: nobody */
    stria_view items;       /* its dims are in the order of the file */
    int64_t size;           /* bytes of the .npy file */
    int64_t room;           /* bytes of the stage */
    stria_status status;
    zip_error_t error;

    /* The members from here on are used if the member is stored and writes itself. */
    struct npz_target *target; /* NULL: libzip reads the member. */
    int64_t header_at;         /* Offset of the local header that libzip writes in front of it. */
    uint32_t sum;              /* CRC-32 of the bytes written so far. */
    bool done;

    /* The members from here on are used if libzip reads the member as a stream of bytes. */
    int outer; /* Number of dims that count chunks; the others lie within a chunk. */
    int64_t index[STRIA_MAX_NDIM];
    int64_t rows;        /* Steps along dim outer - 1 in a chunk. */
    stria_buffer *stage; /* Owned while libzip reads; holds the header first, then chunks. */
    int64_t used, ready; /* Bytes of the stage that libzip has read, and bytes that it holds. */
    int64_t left;        /* Bytes of the .npy file that no chunk has held yet. */
};

/* Prepares the stream; there is nothing to release. UNSUPPORTED, MEMORY. */
stria_status stria__npz_member(struct npz_member *m, const stria_view *a);
/* Composes the header of the .npy file in `room` bytes at out. */
stria_status stria__npz_header(const struct npz_member *m, void *out, int64_t room, int64_t *size);
/* Returns the commands that both kinds of members support. */
zip_int64_t stria__npz_member_supports(void);
zip_int64_t stria__npz_stored_call(void *context, void *data, zip_uint64_t size,
                                   zip_source_cmd_t command);
zip_int64_t stria__npz_member_call(void *context, void *data, zip_uint64_t size,
                                   zip_source_cmd_t command);
