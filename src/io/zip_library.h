/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of libzip, which is loaded with the first archive: the libraries that come with it,
 * libcrypto among them, take 1 ms of the start of every program that is linked with it.
 */
#pragma once

#include <zip.h>

#include "stria/status.h"

#define STRIA__ZIP_FUNCTIONS(X)                                                                    \
    X(close)                                                                                       \
    X(discard)                                                                                     \
    X(error_code_zip)                                                                              \
    X(error_fini)                                                                                  \
    X(error_init)                                                                                  \
    X(error_set)                                                                                   \
    X(error_strerror)                                                                              \
    X(error_to_data)                                                                               \
    X(fclose)                                                                                      \
    X(file_add)                                                                                    \
    X(file_extra_field_set)                                                                        \
    X(file_get_error)                                                                              \
    X(file_set_dostime)                                                                            \
    X(fopen_index)                                                                                 \
    X(fread)                                                                                       \
    X(fseek)                                                                                       \
    X(get_error)                                                                                   \
    X(get_name)                                                                                    \
    X(get_num_entries)                                                                             \
    X(libzip_version)                                                                              \
    X(open_from_source)                                                                            \
    X(set_file_compression)                                                                        \
    X(source_free)                                                                                 \
    X(source_function)                                                                             \
    X(source_function_create)                                                                      \
    X(source_make_command_bitmap)                                                                  \
    X(source_seek_compute_offset)                                                                  \
    X(stat_index)                                                                                  \
    X(stat_init)

/* The member for zip_close is stria__zip.close, and so on. */
struct zip_library {
#define POINTER(name) __typeof__(zip_##name) *name;
    STRIA__ZIP_FUNCTIONS(POINTER)
#undef POINTER
};
extern struct zip_library stria__zip;

/* Fills in stria__zip, from any thread. UNSUPPORTED where there is no libzip. */
stria_status stria__zip_load(void);
