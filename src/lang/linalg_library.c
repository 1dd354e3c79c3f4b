/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libstria_linalg is looked for once: linked, named by STRIA_LINALG, beside libstria, or where the
 * dynamic linker finds libraries. It stays loaded. dlopen is a weak symbol, as in
 * ops/contract/blas.c.
 */
#define _GNU_SOURCE /* Declares dladdr. */
#include "lang/linalg_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "stria/version.h"

#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose
#pragma weak dladdr
#pragma weak stria_linalg_table

#define TEXT(number) #number
#define TEXT_OF(x)   TEXT(x)
#define SONAME       "libstria_linalg.so." TEXT_OF(STRIA_VERSION_MAJOR) "." TEXT_OF(STRIA_ABI)

static const struct stria_linalg_table *found;
static char why[200];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool take_library(const char *path)
{
    typedef const struct stria_linalg_table *table_function(void);
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    void *const address = dlsym(library, "stria_linalg_table");
    table_function *function = NULL;
    memcpy(&function, &address, sizeof function); /* POSIX's way to cast it. */
    const struct stria_linalg_table *const table = function ? function() : NULL;
    if (table && table->version == stria_version_number() && table->library == stria_version)
        found = table;
    else
        (void)snprintf(why, sizeof why,
                       !table ? "%.100s is no libstria_linalg"
                       : table->version != stria_version_number()
                           ? "%.100s is of another version"
                           : "%.100s works with another libstria than the one of this program, "
                             "which is to link libstria_linalg.a",
                       path);
    if (!found) (void)dlclose(library);
    return true;
}

static void look_for_library(void)
{
    if (stria_linalg_table) {
        found = stria_linalg_table();
        return;
    }
    if (!dlopen || !dlsym || !dlclose) return;
    const char *const named = getenv("STRIA_LINALG");
    if (named && *named) {
        if (!take_library(named)) (void)snprintf(why, sizeof why, "there is no %.100s", named);
        return;
    }
    Dl_info self;
    char path[1024];
    const char *slash = NULL;
    static const char here;
    if (dladdr && dladdr(&here, &self) && self.dli_fname) slash = strrchr(self.dli_fname, '/');
    if (slash &&
        (size_t)snprintf(path, sizeof path, "%.*s/%s", (int)(slash - self.dli_fname),
                         self.dli_fname, SONAME) < sizeof path &&
        take_library(path))
        return;
    (void)take_library(SONAME);
}

stria_status stria__linalg(const struct stria_linalg_table **out)
{
    (void)pthread_once(&once, look_for_library);
    *out = found;
    if (found) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "this is a function of libstria_linalg, which is not there%s%s; install %s "
                       "beside libstria, or name it in STRIA_LINALG",
                       *why ? ": " : "", why, SONAME);
}
