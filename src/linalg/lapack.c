/* SPDX-License-Identifier: BSD-3-Clause */
/* LAPACK is looked for once, as a BLAS is in ops/contract/blas.c, and stays loaded. */
#include "linalg/lapack.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"
#include "stria/linalg.h"

static struct lapack found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* How libraries write the name of a routine, with the type of numbers before it, and what OpenBLAS
 * tells of itself. */
static const struct spelling {
    const char *format;
    bool wide;
    const char *config, *parallel;
} spellings[] = {
    {"%c%s_", false, "openblas_get_config", "openblas_get_parallel"},
    {"scipy_%c%s_", false, "scipy_openblas_get_config", "scipy_openblas_get_parallel"},
    {"%c%s_64_", true, "openblas_get_config64_", "openblas_get_parallel64_"},
    {"scipy_%c%s_64_", true, "scipy_openblas_get_config64_", "scipy_openblas_get_parallel64_"}};

static lapack_function *function_of(void *library, const struct spelling *as, char type,
                                    const char *routine)
{
    char name[32];
    lapack_function *function = NULL;
    (void)snprintf(name, sizeof name, as->format, type, routine);
    void *const address = stria__library_symbol(library, name);
    memcpy(&function, &address, sizeof function); /* POSIX's way to cast it. */
    return function;
}

static bool take_functions(void *library, const struct spelling *as)
{
    static const char types[] = "sdcz";
#define ROUTINE(name, of_complex) {#name, #of_complex},
    static const char *const names[][2] = {LAPACK_ROUTINES(ROUTINE)};
#undef ROUTINE
    for (int t = 0; t < 4; t++)
        for (int r = 0; r < LAPACK_COUNT; r++) {
            found.of[t][r] = function_of(library, as, types[t], names[r][t > 1]);
            if (!found.of[t][r]) return false;
        }
    /* An OpenBLAS of these names may have been built with integers of 64 bits. */
    typedef char *ask_blas(void);
    ask_blas *config = NULL;
    void *const address = stria__library_symbol(library, as->config);
    memcpy(&config, &address, sizeof config);
    /* One that was built for a single thread may share its memory among callers. */
    typedef int ask_parallel(void);
    ask_parallel *parallel = NULL;
    void *const asked = stria__library_symbol(library, as->parallel);
    memcpy(&parallel, &asked, sizeof parallel);
    found.concurrent = !parallel || parallel() != 0;
    found.wide = as->wide || (config && strstr(config(), "USE64BITINT"));
    return true;
}

static bool load_library(const char *name)
{
    void *const library = stria__library_open(name);
    if (!library) return false;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (take_functions(library, &spellings[i])) {
            (void)snprintf(found.name, sizeof found.name, "%s", name);
            return true;
        }
    stria__library_close(library);
    return false;
}

static void look_for_lapack(void)
{
    static const char *const names[] = {"libopenblas.so.0", "libmkl_rt.so.2", "liblapack.so.3",
                                        "libopenblas.so", "liblapack.so"};
    const char *const named = getenv("STRIA_LAPACK"), *const blas = getenv("STRIA_BLAS");
    if (named && *named) {
        if (strcmp(named, "none") != 0 && !load_library(named))
            (void)snprintf(found.missing, sizeof found.missing, "%s", named);
        return;
    }
    if (blas && *blas && load_library(blas)) return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (load_library(names[i])) return;
}

stria_status stria__lapack(const struct lapack **out, const char *op)
{
    (void)pthread_once(&once, look_for_lapack);
    *out = &found;
    if (*found.name) return STRIA_OK;
    if (*found.missing)
        return stria_fail(STRIA_ERR_UNSUPPORTED, "%s: there is no LAPACK in STRIA_LAPACK, '%.200s'",
                          op, found.missing);
    return stria_fail(
        STRIA_ERR_UNSUPPORTED,
        "%s: there is no LAPACK; install OpenBLAS (Debian: libopenblas0), or name the "
        "file of one in STRIA_LAPACK",
        op);
}

stria_status stria_lapack_describe(char *text, size_t size, size_t *length)
{
    const struct lapack *l;
    char all[300] = "none";
    if (!text || size == 0)
        return stria_fail(STRIA_ERR_ARGUMENT, "lapack_describe: there is no room for text");
    if (stria__lapack(&l, "lapack_describe") == STRIA_OK)
        (void)snprintf(all, sizeof all, "%.250s, %d-bit integers", l->name, l->wide ? 64 : 32);
    const int used = snprintf(text, size, "%s", all);
    if (length) *length = (size_t)used;
    return STRIA_OK;
}
