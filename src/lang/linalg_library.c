/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libstria_linalg is looked for once: linked, named by STRIA_LINALG, beside libstria, or where the
 * dynamic linker finds libraries. It stays loaded.
 */
#include "lang/linalg_library.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/system.h"
#include "stria/version.h"

#ifndef __APPLE__ /* whose linker wants each name to be in some library */
#pragma weak stria_linalg_table
#endif

#define TEXT(number) #number
#define TEXT_OF(x)   TEXT(x)
#define LIBRARY                                                                                    \
    STRIA__LIBRARY("libstria_linalg", TEXT_OF(STRIA_VERSION_MAJOR) "." TEXT_OF(STRIA_ABI))

static const struct stria_linalg_table *found;
static char why[200];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The table of a library, or with NULL of whatever the program has loaded. */
static const struct stria_linalg_table *table_of(void *library)
{
    typedef const struct stria_linalg_table *table_function(void);
    void *const address = stria__library_symbol(library, "stria_linalg_table");
    table_function *function = NULL;
    memcpy(&function, &address, sizeof function); /* POSIX's way to cast it. */
    return function ? function() : NULL;
}

static bool is_of_this_library(const struct stria_linalg_table *table)
{
    return table->version == stria_version_number() && table->library == stria_version;
}

static const struct stria_linalg_table *linked_table(void)
{
#ifdef __APPLE__ /* where another copy of the library in the program may be found first */
    const struct stria_linalg_table *const table = table_of(NULL);
    return table && is_of_this_library(table) ? table : NULL;
#else
    return stria_linalg_table ? stria_linalg_table() : NULL;
#endif
}

static bool take_library(const char *path)
{
    void *const library = stria__library_open(path);
    if (!library) return false;
    const struct stria_linalg_table *const table = table_of(library);
    if (table && is_of_this_library(table))
        found = table;
    else
        (void)snprintf(why, sizeof why,
                       !table ? "%.100s is no libstria_linalg"
                       : table->version != stria_version_number()
                           ? "%.100s is of another version"
                           : "%.100s works with another libstria than the one of this program, "
                             "which is to link libstria_linalg.a",
                       path);
    if (!found) stria__library_close(library);
    return true;
}

static void look_for_library(void)
{
    found = linked_table();
    if (found) return;
    const char *const named = getenv("STRIA_LINALG");
    if (named && *named) {
        if (!take_library(named)) (void)snprintf(why, sizeof why, "there is no %.100s", named);
        return;
    }
    static const char here;
    char folder[900], path[1024];
    if (stria__folder_of(&here, folder, sizeof folder)) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, LIBRARY);
        if (take_library(path)) return;
    }
    (void)take_library(LIBRARY);
}

stria_status stria__linalg(const struct stria_linalg_table **out)
{
    (void)pthread_once(&once, look_for_library);
    *out = found;
    if (found) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "this is a function of libstria_linalg, which is not there%s%s; install %s "
                       "beside libstria, or name it in STRIA_LINALG",
                       *why ? ": " : "", why, LIBRARY);
}
