/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/zip_library.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "base/status.h"
#include "base/system.h"

struct zip_library stria__zip;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static bool loaded;

static bool find_symbol(void *out, void *library, const char *name)
{
    void *const address = stria__library_symbol(library, name);
    /* POSIX's way to make a function pointer of a data pointer, which C does not allow. */
    memcpy(out, &address, sizeof address);
    return address;
}

/* Loads libzip, which then stays loaded. */
static bool load_libzip(void)
{
    void *const library = stria__library_open(STRIA_ZIP_NAME);
    return library
#define FIND(name) &&find_symbol(&stria__zip.name, library, "zip_" #name)
        STRIA__ZIP_FUNCTIONS(FIND);
#undef FIND
}

stria_status stria__zip_load(void)
{
    (void)pthread_mutex_lock(&loading);
    loaded = loaded || load_libzip();
    const bool there = loaded;
    (void)pthread_mutex_unlock(&loading);
    return there ? STRIA_OK
                 : stria__fail(STRIA_ERR_UNSUPPORTED, "npz: " STRIA_ZIP_NAME " cannot be loaded");
}
