/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of four functions is looked for once, or set by the host. A library that was loaded
 * stays: products of other threads may be in it.
 */
#include "ops/contract/blas.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/cpu.h"
#include "machine/families.h"
#include "machine/machine.h"
#include "base/status.h"
#include "base/system.h"
#include "base/text_writer.h"
#include "simd/product.h"

static stria_blas found, given;            /* The table that look() found, and the host's. */
static _Atomic(const stria_blas *) in_use; /* NULL: the table that look() finds. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char name_of_found[256], missing[256]; /* STRIA_BLAS names what is missing. */

typedef char *ask_blas(void); /* The type of openblas_get_config and openblas_get_corename. */
static ask_blas *get_config, *get_core;
/* ssyrk and dsyrk of the library that was found; NULL where it has none. */
static stria_blas_function *squares[2];

/* Finds a function by its plain name, with the suffix of 64-bit integers, or as SciPy renames it.
 */
static stria_blas_function *symbol(void *library, const char *name, const char *suffix)
{
    static const char *const prefixes[] = {"", "scipy_"};
    for (int i = 0; i < 2; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "%s%s%s", prefixes[i], name, suffix);
        void *const address = stria__library_symbol(library, text);
        stria_blas_function *function = NULL;
        memcpy(&function, &address, sizeof function); /* POSIX's way to cast it. */
        if (function) return function;
    }
    return NULL;
}

/* Fills in the table from a library that has all four functions. */
static bool take_functions(stria_blas *out, void *library, const char *suffix)
{
    stria_blas_function *const core = symbol(library, "openblas_get_corename", suffix);
    stria_blas_function *const about = symbol(library, "openblas_get_config", suffix);
    get_core = (ask_blas *)core;
    get_config = (ask_blas *)about;
    /* An OpenBLAS of these names may have been built with integers of either width. */
    const bool wide = *suffix || (get_config && strstr(get_config(), "USE64BITINT"));
    out->sgemm = symbol(library, "cblas_sgemm", suffix);
    out->dgemm = symbol(library, "cblas_dgemm", suffix);
    out->cgemm = symbol(library, "cblas_cgemm", suffix);
    out->zgemm = symbol(library, "cblas_zgemm", suffix);
    out->sgemv = symbol(library, "cblas_sgemv", suffix);
    out->dgemv = symbol(library, "cblas_dgemv", suffix);
    out->cgemv = symbol(library, "cblas_cgemv", suffix);
    out->zgemv = symbol(library, "cblas_zgemv", suffix);
    squares[0] = symbol(library, "cblas_ssyrk", suffix);
    squares[1] = symbol(library, "cblas_dsyrk", suffix);
    out->int_bits = wide ? 64 : 32;
    return out->sgemm && out->dgemm && out->cgemm && out->zgemm;
}

static bool load(const char *name)
{
    void *const library = stria__library_open(name);
    if (!library) return false;
    if (take_functions(&found, library, "") || take_functions(&found, library, "64_")) {
        (void)snprintf(name_of_found, sizeof name_of_found, "%s", name);
        found.name = name_of_found;
        return true;
    }
    found = (stria_blas){.int_bits = 32};
    get_core = get_config = NULL;
    stria__library_close(library);
    return false;
}

static void look(void)
{
    static const char *const names[] = {
#ifdef STRIA_BLAS_NAME
        STRIA_BLAS_NAME,
#endif
        /* Not libblas.so.3, which may be the reference BLAS, which is slower than product.h. */
        STRIA__LIBRARY("libopenblas", "0"),
        STRIA__LIBRARY("libmkl_rt", "2"),
        STRIA__LIBRARY("libblis", "4"),
#if defined(__APPLE__)
        "libopenblas.dylib",
        "libblis.dylib",
#elif !defined(_WIN32)
        "libopenblas.so",
        "libblis.so",
#endif
    };
    const char *const named = getenv("STRIA_BLAS");
    found.int_bits = 32;
    if (named && *named) {
        if (strcmp(named, "none") != 0 && !load(named))
            (void)snprintf(missing, sizeof missing, "%s", named);
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], "none") == 0 || load(names[i])) return;
}

const stria_blas *stria__blas(void)
{
    const stria_blas *const set = atomic_load_explicit(&in_use, memory_order_acquire);
    if (set) return set;
    (void)pthread_once(&once, look);
    return &found;
}

/* OpenBLAS's names of CPUs without AVX. */
static const char oldest[] =
    " Katmai Coppermine Northwood Prescott Banias Atom Core2 Penryn Dunnington Nehalem Athlon "
    "Opteron Opteron_SSE3 Barcelona Bobcat Generic ";

static bool is_listed(const char *names, const char *core)
{
    char word[32];
    (void)snprintf(word, sizeof word, " %.28s ", core);
    return strstr(names, word) != NULL;
}

bool stria__blas_was_found(const stria_blas *blas)
{
    return blas == &found;
}

bool stria__blas_is_behind(const stria_blas *blas, stria_kind kind, int64_t side)
{
    static const char narrow[] =
        " Sandybridge Haswell Zen Bulldozer Piledriver Steamroller Excavator ";
    enum { WIDE = 128 /* Bytes of a tile's row. */ };
    if (blas != &found || !get_core || stria__product()->tile_row < WIDE) return false;
    if (kind == STRIA_F64 && side >= stria__machine()->own_products) return true;
    return is_listed(narrow, get_core()) || is_listed(oldest, get_core());
}

struct blas_functions stria__blas_for(const stria_blas *blas, stria_kind kind)
{
    switch (kind) {
    case STRIA_F32: return (struct blas_functions){blas->sgemm, blas->sgemv};
    case STRIA_F64: return (struct blas_functions){blas->dgemm, blas->dgemv};
    case STRIA_C64: return (struct blas_functions){blas->cgemm, blas->cgemv};
    case STRIA_C128: return (struct blas_functions){blas->zgemm, blas->zgemv};
    default: return (struct blas_functions){NULL, NULL};
    }
}

stria_status stria_set_blas(const stria_blas *blas)
{
    if (blas && blas->int_bits != 32 && blas->int_bits != 64)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "set_blas: integers of %d bits, must be 32 or 64 (ILP64)",
                           blas->int_bits);
    if (blas) STRIA_TRY(stria__check_reserved(blas->reserved, "set_blas: the table"));
    if (blas) given = *blas;
    atomic_store_explicit(&in_use, blas ? &given : NULL, memory_order_release);
    return STRIA_OK;
}

/*
 * The setting for kernels that use the CPU, where those of OpenBLAS do not; else "". It takes a CPU
 * that is newer than itself for one of these.
 */
static const char *remedy(const char *core)
{
    if (!is_listed(oldest, core) || !stria__cpu_avx2()) return "";
    return stria__cpu_avx512() ? " (slow here; set OPENBLAS_CORETYPE=SkylakeX)"
                               : " (slow here; set OPENBLAS_CORETYPE=Haswell)";
}

stria_status stria_blas_describe(char *text, size_t size, size_t *length)
{
    if (!text || size == 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "blas_describe: there is no room for text");
    struct written to = {text, size, 0};
    const stria_blas *const blas = stria__blas();
    const bool own = blas == &found;
    if (!blas->sgemm && !blas->dgemm && !blas->cgemm && !blas->zgemm) {
        const bool misses = own && *missing;
        stria__print(&to, "none%s%s%s", misses ? ": there is no BLAS in STRIA_BLAS, '" : "",
                     misses ? missing : "", misses ? "'" : "");
        if (length) *length = to.used;
        return STRIA_OK;
    }
    char about[64] = "";
    if (own && get_config) { /* "OpenBLAS 0.3.21 NO_LAPACKE ...": two words are kept. */
        const char *const words = get_config();
        const size_t first = strcspn(words, " ");
        const size_t both = words[first] ? first + 1 + strcspn(words + first + 1, " ") : first;
        (void)snprintf(about, sizeof about, ": %.*s", (int)(both < 40 ? both : 40), words);
    }
    const char *const core = own && get_core ? get_core() : NULL;
    stria__print(&to, "%s%s%s%s%s, %d-bit integers", blas->name ? blas->name : "the host's", about,
                 core ? ", kernels for " : "", core ? core : "", core ? remedy(core) : "",
                 blas->int_bits);
    if (length) *length = to.used;
    return STRIA_OK;
}

/* ---- one product ----------------------------------------------------------------------------- */

/* The types of the four functions with integers of one width. */
#define GEMM(integer, width)                                                                       \
    typedef void sgemm_##width(int, int, int, integer, integer, integer, float, const float *,     \
                               integer, const float *, integer, float, float *, integer);          \
    typedef void dgemm_##width(int, int, int, integer, integer, integer, double, const double *,   \
                               integer, const double *, integer, double, double *, integer);       \
    typedef void zgemm_##width(int, int, int, integer, integer, integer, const void *,             \
                               const void *, integer, const void *, integer, const void *, void *, \
                               integer);                                                           \
    static void multiply_##width(stria_blas_function *f, const struct blas_product *p)             \
    {                                                                                              \
        static const double one_f64[] = {1, 0}, zero_f64[] = {0, 0};                               \
        static const float one_f32[] = {1, 0}, zero_f32[] = {0, 0};                                \
        const integer m = (integer)p->m, n = (integer)p->n, k = (integer)p->k,                     \
                      la = (integer)p->ld_a, lb = (integer)p->ld_b, lc = (integer)p->ld_c;         \
        if (p->kind == STRIA_F32)                                                                  \
            ((sgemm_##width *)f)(BLAS_ROWS, p->how_a, p->how_b, m, n, k, 1, p->a, la, p->b, lb,    \
                                 p->add ? 1 : 0, p->c, lc);                                        \
        else if (p->kind == STRIA_F64)                                                             \
            ((dgemm_##width *)f)(BLAS_ROWS, p->how_a, p->how_b, m, n, k, 1, p->a, la, p->b, lb,    \
                                 p->add ? 1 : 0, p->c, lc);                                        \
        else {                                                                                     \
            const bool wide = p->kind == STRIA_C128;                                               \
            const void *const one = wide ? (const void *)one_f64 : one_f32;                        \
            const void *const zero = wide ? (const void *)zero_f64 : zero_f32;                     \
            ((zgemm_##width *)f)(BLAS_ROWS, p->how_a, p->how_b, m, n, k, one, p->a, la, p->b, lb,  \
                                 p->add ? one : zero, p->c, lc);                                   \
        }                                                                                          \
    }

/* A matrix stored by columns is a transposed one by rows, of n rows and m columns. */
#define GEMV(integer, width)                                                                       \
    typedef void sgemv_##width(int, int, integer, integer, float, const float *, integer,          \
                               const float *, integer, float, float *, integer);                   \
    typedef void dgemv_##width(int, int, integer, integer, double, const double *, integer,        \
                               const double *, integer, double, double *, integer);                \
    typedef void zgemv_##width(int, int, integer, integer, const void *, const void *, integer,    \
                               const void *, integer, const void *, void *, integer);              \
    static void vector_##width(stria_blas_function *f, const struct blas_vector *p)                \
    {                                                                                              \
        static const double one_f64[] = {1, 0}, zero[] = {0, 0};                                   \
        static const float one_f32[] = {1, 0};                                                     \
        const bool turned = p->how != BLAS_PLAIN;                                                  \
        const integer m = (integer)(turned ? p->n : p->m), n = (integer)(turned ? p->m : p->n),    \
                      ld = (integer)p->ld, x = (integer)p->step_x, y = (integer)p->step_y;         \
        if (p->kind == STRIA_F32)                                                                  \
            ((sgemv_##width *)f)(BLAS_ROWS, p->how, m, n, 1, p->a, ld, p->x, x, 0, p->y, y);       \
        else if (p->kind == STRIA_F64)                                                             \
            ((dgemv_##width *)f)(BLAS_ROWS, p->how, m, n, 1, p->a, ld, p->x, x, 0, p->y, y);       \
        else                                                                                       \
            ((zgemv_##width *)f)(BLAS_ROWS, p->how, m, n,                                          \
                                 p->kind == STRIA_C128 ? (const void *)one_f64 : one_f32, p->a,    \
                                 ld, p->x, x, zero, p->y, y);                                      \
    }

/* A matrix times itself, transposed: the triangle above the diagonal. */
#define SYRK(integer, width)                                                                       \
    typedef void ssyrk_##width(int, int, int, integer, integer, float, const float *, integer,     \
                               float, float *, integer);                                           \
    typedef void dsyrk_##width(int, int, int, integer, integer, double, const double *, integer,   \
                               double, double *, integer);                                         \
    static void square_##width(const struct blas_product *p)                                       \
    {                                                                                              \
        const integer n = (integer)p->n, k = (integer)p->k, la = (integer)p->ld_a,                 \
                      lc = (integer)p->ld_c;                                                       \
        if (p->kind == STRIA_F32)                                                                  \
            ((ssyrk_##width *)squares[0])(BLAS_ROWS, BLAS_UPPER, p->how_a, n, k, 1, p->a, la,      \
                                          p->add ? 1 : 0, p->c, lc);                               \
        else                                                                                       \
            ((dsyrk_##width *)squares[1])(BLAS_ROWS, BLAS_UPPER, p->how_a, n, k, 1, p->a, la,      \
                                          p->add ? 1 : 0, p->c, lc);                               \
    }
SYRK(int32_t, 32)
SYRK(int64_t, 64)
GEMM(int32_t, 32)
GEMM(int64_t, 64)
GEMV(int32_t, 32)
GEMV(int64_t, 64)

/* Tells whether the second matrix is the first one, transposed, so that half of C is computed. */
static bool is_square(const stria_blas *blas, const struct blas_product *p)
{
    enum { LEAST = 32 };
    return blas == &found && (p->kind == STRIA_F32 || p->kind == STRIA_F64) && p->a == p->b &&
           p->m == p->n && p->m >= LEAST && p->ld_a == p->ld_b && p->how_a != p->how_b &&
           squares[p->kind == STRIA_F64];
}

/* Copies what lies above the diagonal of C to below it, tile by tile. */
static void mirror(const struct blas_product *p)
{
    enum { TILE = 16 };
    const int64_t n = p->n, ld = p->ld_c;
    for (int64_t from = 0; from < n; from += TILE)
        for (int64_t row = from; row < n; row++)
            for (int64_t i = from; i < from + TILE && i < row; i++)
                if (p->kind == STRIA_F64)
                    ((double *)p->c)[row * ld + i] = ((double *)p->c)[i * ld + row];
                else
                    ((float *)p->c)[row * ld + i] = ((float *)p->c)[i * ld + row];
}

void stria__blas_multiply(const stria_blas *blas, const struct blas_product *p)
{
    if (is_square(blas, p)) {
        (blas->int_bits == 64 ? square_64 : square_32)(p);
        mirror(p);
        return;
    }
    (blas->int_bits == 64 ? multiply_64 : multiply_32)(stria__blas_for(blas, p->kind).gemm, p);
}

void stria__blas_multiply_vector(const stria_blas *blas, const struct blas_vector *p)
{
    (blas->int_bits == 64 ? vector_64 : vector_32)(stria__blas_for(blas, p->kind).gemv, p);
}
