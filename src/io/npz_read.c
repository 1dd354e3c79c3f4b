/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads members of .npz archives. libzip finds and inflates them; the header is that of a .npy file
 * whose size is the member's. Stored members are read without libzip's checksum.
 */
#include "io/npz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "view/array.h"
#include "io/npy_file.h"
#include "base/integers.h"
#include "base/status.h"
#include "plan/threads.h"

struct stria_npz {
    zip_t *zip;
    struct npz_source source;
    stria_allocator allocator;
};

stria_status stria__npz_fail(zip_error_t *error, const char *what)
{
    stria_status status;
    switch (stria__zip.error_code_zip(error)) {
    case ZIP_ER_MEMORY: status = STRIA_ERR_MEMORY; break;
    case ZIP_ER_OPEN:
    case ZIP_ER_READ:
    case ZIP_ER_SEEK:
    case ZIP_ER_WRITE:
    case ZIP_ER_CLOSE:
    case ZIP_ER_RENAME:
    case ZIP_ER_TMPOPEN: status = STRIA_ERR_IO; break;
    case ZIP_ER_COMPNOTSUPP:
    case ZIP_ER_ENCRNOTSUPP:
    case ZIP_ER_MULTIDISK:
    case ZIP_ER_NOPASSWD:
    case ZIP_ER_OPNOTSUPP: status = STRIA_ERR_UNSUPPORTED; break;
    default: status = STRIA_ERR_FORMAT;
    }
    return stria__fail(status, "npz: %.120s: %.200s", what, stria__zip.error_strerror(error));
}

/* ---- open ------------------------------------------------------------------------------------ */

/*
 * libzip takes memory for as many members as the end of an archive counts, and for 65536 more where
 * its directory has more than that. Each takes MEMBER bytes of the directory at least.
 */
enum { END = 22, LOCATOR = 20, END64 = 56, TAIL = (64 << 10) + END + LOCATOR, MEMBER = 46 };

static stria_status refuse_count(const struct npz_source *s, uint64_t count)
{
    return stria__fail(STRIA_ERR_FORMAT,
                       "npz: %llu members are counted in %lld bytes, which have not that many",
                       (unsigned long long)count, (long long)s->size);
}

/* Refuses a small directory with more than `count` members; libzip refuses its other errors. */
static stria_status walk_directory(const struct npz_source *s, uint64_t count, int64_t at,
                                   int64_t size)
{
    unsigned char member[MEMBER];
    const int64_t end = at + size;
    if (end > s->size || size > MEMBER * (int64_t)UINT16_MAX) return STRIA_OK;
    for (uint64_t n = 0; at < end; n++, at += MEMBER) {
        if (n == count) return refuse_count(s, count);
        if (end - at < MEMBER) break;
        STRIA_TRY(stria__read_at(s->fd, member, MEMBER, at));
        if (memcmp(member, "PK\1\2", 4) != 0) break;
        /* The lengths of name, extra fields and comment. */
        for (int length = 28; length < 34; length += 2)
            at += (int64_t)little_endian(member + length, 2);
    }
    return STRIA_OK;
}

static stria_status check_end(const struct npz_source *s, const unsigned char *end)
{
    const uint64_t count = little_endian(end + 10, 2), most = (uint64_t)s->size / MEMBER;
    if (count > most || little_endian(end + 8, 2) > most) return refuse_count(s, count);
    return walk_directory(s, count, (int64_t)little_endian(end + 16, 4),
                          (int64_t)little_endian(end + 12, 4));
}

/* Checks the 64-bit end record that a locator points to. */
static stria_status check_end64(const struct npz_source *s, const unsigned char *locator)
{
    unsigned char end[END64];
    const uint64_t at = little_endian(locator + 8, 8), most = (uint64_t)s->size / MEMBER;
    if (s->size < END64 || at > (uint64_t)(s->size - END64)) return STRIA_OK;
    STRIA_TRY(stria__read_at(s->fd, end, END64, (int64_t)at));
    const uint64_t count = little_endian(end + 32, 8);
    const bool is_end = !memcmp(end, "PK\6\6", 4);
    return is_end && (count > most || little_endian(end + 24, 8) > most) ? refuse_count(s, count)
                                                                         : STRIA_OK;
}

/* Checks everything that libzip could take for the end record. */
static stria_status check_ends(const struct npz_source *s)
{
    const int64_t size = least(s->size, TAIL);
    OWNED_MEMORY(memory, (size_t)size);
    if (!memory.at) return stria__fail(STRIA_ERR_MEMORY, "npz: out of memory for an archive");
    STRIA_TRY(stria__read_at(s->fd, memory.at, size, s->size - size));
    const unsigned char *const end = (unsigned char *)memory.at + size, *at = memory.at;
    for (; end - at >= END && (at = memchr(at, 'P', (size_t)(end - at))); at++) {
        const bool locator = end - at >= LOCATOR + END && !memcmp(at, "PK\6\7", 4);
        if (locator) STRIA_TRY(check_end64(s, at));
        if (locator && !memcmp(at + LOCATOR, "PK\5\6", 4))
            at += LOCATOR; /* The 64-bit end record is the one that counts. */
        else if (end - at >= END && !memcmp(at, "PK\5\6", 4))
            STRIA_TRY(check_end(s, at));
    }
    return STRIA_OK;
}

static stria_status open_source(stria_npz *npz)
{
    struct npz_source *const s = &npz->source;
    zip_source_t *const source = stria__npz_source(s, s->fd, s->size);
    if (source) npz->zip = stria__zip.open_from_source(source, 0, &s->error);
    if (npz->zip) return STRIA_OK;
    const stria_status status = stria__npz_fail(&s->error, "open");
    stria__zip.source_free(source);
    stria__zip.error_fini(&s->error);
    return status;
}

static stria_status open_zip(stria_npz *npz, const char *path)
{
    struct npz_source *const s = &npz->source;
    STRIA_TRY(stria__open_regular(&s->fd, &s->size, path, false));
    stria_status status =
        s->size > 0 ? check_ends(s) : stria__fail(STRIA_ERR_FORMAT, "npz: the file is empty");
    if (status == STRIA_OK) status = open_source(npz);
    if (status != STRIA_OK) (void)close(s->fd);
    return status;
}

stria_status stria_npz_open(stria_npz **out, const char *path)
{
    if (!out || !path) return stria__fail(STRIA_ERR_ARGUMENT, "npz: out or path is NULL");
    STRIA_TRY(stria__zip_load());
    const stria_allocator allocator = stria__allocator();
    stria_npz *npz = allocator.alloc(sizeof *npz, STRIA_ALIGNMENT, allocator.context);
    if (!npz) return stria__fail(STRIA_ERR_MEMORY, "npz: out of memory for an archive");
    *npz = (stria_npz){.allocator = allocator};
    const stria_status status = open_zip(npz, path);
    if (status == STRIA_OK)
        *out = npz;
    else
        allocator.free(npz, sizeof *npz, allocator.context);
    return stria__with_path(status, path);
}

void stria_npz_release(stria_npz *npz)
{
    if (!npz) return;
    stria__zip.discard(npz->zip);
    stria__zip.error_fini(&npz->source.error);
    (void)close(npz->source.fd); /* Nothing was written, so a failing close loses nothing. */
    npz->allocator.free(npz, sizeof *npz, npz->allocator.context);
}

int64_t stria_npz_count(const stria_npz *npz)
{
    return npz ? stria__zip.get_num_entries(npz->zip, 0) : 0;
}

const char *stria_npz_name(const stria_npz *npz, int64_t i)
{
    if (i < 0 || i >= stria_npz_count(npz)) return NULL;
    return stria__zip.get_name(npz->zip, (zip_uint64_t)i, 0);
}

/* ---- the member ------------------------------------------------------------------------------ */

/* Counts the members of that name; *at is the index of the last one. */
static int64_t count_called(int64_t *at, const stria_npz *npz, const char *name, const char *suffix)
{
    const size_t length = strlen(name);
    int64_t found = 0;
    for (int64_t i = 0, n = stria_npz_count(npz); i < n; i++) {
        const char *member = stria_npz_name(npz, i);
        if (!member || strncmp(member, name, length) != 0 || strcmp(member + length, suffix) != 0)
            continue;
        *at = i;
        found++;
    }
    return found;
}

static stria_status locate(int64_t *at, const stria_npz *npz, const char *name)
{
    const char *suffix = "";
    int64_t found = count_called(at, npz, name, suffix);
    if (!found) found = count_called(at, npz, name, suffix = ".npy");
    if (found == 1) return STRIA_OK;
    if (found > 1)
        return stria__fail(STRIA_ERR_FORMAT, "npz: %lld members are called '%.100s%s'",
                           (long long)found, name, suffix);
    const char *first = stria_npz_name(npz, 0);
    return stria__fail(STRIA_ERR_ARGUMENT, "npz: no member '%.100s' among %lld%s%.100s%s", name,
                       (long long)stria_npz_count(npz), first ? ", the first of which is '" : "",
                       first ? first : "", first ? "'" : "");
}

/* Deflate makes at most 1032 bytes of one; a member that claims more would only take memory. */
enum { MOST_PER_BYTE = 1032, SLACK = 1 << 10 };

static stria_status check_stat(const zip_stat_t *st, int64_t archive)
{
    const zip_uint64_t wanted =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((st->valid & wanted) != wanted || st->size > INT64_MAX || st->comp_size > INT64_MAX)
        return stria__fail(STRIA_ERR_FORMAT, "npz: the archive does not tell the member's sizes");
    if (st->comp_size > (zip_uint64_t)archive)
        return stria__fail(STRIA_ERR_FORMAT,
                           "npz: the member takes %llu bytes of an archive of %lld bytes",
                           (unsigned long long)st->comp_size, (long long)archive);
    if (st->encryption_method != ZIP_EM_NONE)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npz: the member is encrypted; decrypt the archive first");
    if (st->comp_method == ZIP_CM_STORE && st->size != st->comp_size)
        return stria__fail(STRIA_ERR_FORMAT,
                           "npz: a stored member of %llu bytes takes %llu bytes of the archive",
                           (unsigned long long)st->size, (unsigned long long)st->comp_size);
    if (st->comp_method == ZIP_CM_STORE) return STRIA_OK;
    if (st->comp_method != ZIP_CM_DEFLATE)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npz: packed by method %d; stored and deflated members are read",
                           (int)st->comp_method);
    if (st->size > SLACK && (st->size - SLACK) / MOST_PER_BYTE > st->comp_size)
        return stria__fail(STRIA_ERR_FORMAT,
                           "npz: %llu deflated bytes cannot hold the %llu bytes that are claimed",
                           (unsigned long long)st->comp_size, (unsigned long long)st->size);
    return STRIA_OK;
}

/* Reads exactly size bytes. */
static stria_status read_bytes(zip_file_t *file, void *out, int64_t size)
{
    enum { AT_ONCE = 1 << 30 };
    for (int64_t done = 0; done < size;) {
        const int64_t left = size - done, part = left < AT_ONCE ? left : AT_ONCE;
        const zip_int64_t n = stria__zip.fread(file, (char *)out + done, (zip_uint64_t)part);
        if (n < 0) return stria__npz_fail(stria__zip.file_get_error(file), "read");
        if (n == 0)
            return stria__fail(STRIA_ERR_FORMAT, "npz: the member ends %lld bytes early",
                               (long long)left);
        done += n;
    }
    return STRIA_OK;
}

/* Reads to the end of the member, where libzip compares the checksum. */
static stria_status expect_end(zip_file_t *file)
{
    char byte;
    const zip_int64_t n = stria__zip.fread(file, &byte, 1);
    if (n < 0) return stria__npz_fail(stria__zip.file_get_error(file), "read");
    if (n > 0) return stria__fail(STRIA_ERR_FORMAT, "npz: the member is longer than it claims");
    return STRIA_OK;
}

static stria_status read_part(void *file, void *out, int64_t size, int64_t at)
{
    (void)at;
    return read_bytes(file, out, size);
}

static stria_status read_header(struct npy_header *out, zip_file_t *file, int64_t size)
{
    STRIA_TRY(stria__npy_read_header(out, read_part, file, size, NPY_PREAMBLE_MAX));
    if (out->nbytes == size - out->data_at) return STRIA_OK;
    return stria__fail(STRIA_ERR_FORMAT,
                       "npz: the shape needs %lld bytes, and the member has %lld after its header",
                       (long long)out->nbytes, (long long)(size - out->data_at));
}

/*
 * Reads stored data without its checksum, which takes longer than reading it. libzip sums up what
 * is read from the start without a gap: the first byte of the data is left for the end.
 */
static stria_status read_unsummed(zip_file_t *file, char *out, const struct npy_header *h)
{
    if (h->nbytes == 0) return STRIA_OK;
    if (stria__zip.fseek(file, h->data_at + 1, SEEK_SET) != 0)
        return stria__npz_fail(stria__zip.file_get_error(file), "seek");
    STRIA_TRY(read_bytes(file, out + 1, h->nbytes - 1));
    if (stria__zip.fseek(file, h->data_at, SEEK_SET) != 0)
        return stria__npz_fail(stria__zip.file_get_error(file), "seek");
    return read_bytes(file, out, 1);
}

static stria_status read_summed(zip_file_t *file, char *out, const struct npy_header *h)
{
    STRIA_TRY(read_bytes(file, out, h->nbytes));
    return expect_end(file);
}

/*
 * Finds the data of a stored member in the archive: libzip's read of its first byte tells where the
 * .npy file begins.
 */
static bool find_data(int64_t *at, const struct npz_source *source, zip_file_t *file,
                      const struct npy_header *h)
{
    char byte, first[NPY_PREAMBLE_MAX], there[NPY_PREAMBLE_MAX];
    if (stria__zip.fseek(file, 0, SEEK_SET) != 0 ||
        stria__zip.fread(file, first, sizeof first) != (zip_int64_t)sizeof first ||
        stria__zip.fseek(file, h->data_at, SEEK_SET) != 0 || stria__zip.fread(file, &byte, 1) != 1)
        return false;
    *at = source->last;
    const int64_t begin = *at - h->data_at;
    return begin >= 0 && h->nbytes <= source->size - *at &&
           stria__files->pread(source->fd, there, sizeof there, (off_t)begin) ==
               (ssize_t)sizeof there &&
           !memcmp(first, there, sizeof first);
}

/* Maps the data of a member; if that is not possible, sets *mapped to false and returns OK. */
static stria_status map_member(stria_array *out, bool *mapped, const struct npz_source *source,
                               zip_file_t *file, const struct npy_header *h)
{
    struct npy_header in_archive = *h;
    *mapped = false;
    if (h->nbytes == 0 || !find_data(&in_archive.data_at, source, file, h)) return STRIA_OK;
    return stria__npy_map(source->fd, &in_archive, STRIA_NPY_MAP, mapped, out);
}

static stria_status take_member(stria_array *out, zip_file_t *file, const struct npy_header *h,
                                stria_npz_mode mode, bool summed)
{
    if (mode == STRIA_NPZ_HEADER) return stria__npy_meta(out, h);
    OWNED_BUFFER(buffer);
    STRIA_TRY(stria_buffer_make(&buffer, h->nbytes));
    STRIA_TRY((summed ? read_summed : read_unsummed)(file, (char *)stria_buffer_data(buffer), h));
    return stria__npy_array(out, h, buffer);
}

static stria_status read_member(stria_array *out, stria_npz *npz, const char *name,
                                stria_npz_mode mode)
{
    int64_t at = 0;
    zip_stat_t st;
    STRIA_TRY(locate(&at, npz, name));
    if (stria__zip.stat_index(npz->zip, (zip_uint64_t)at, 0, &st) != 0)
        return stria__npz_fail(stria__zip.get_error(npz->zip), "stat");
    STRIA_TRY(check_stat(&st, npz->source.size));
    const bool summed = st.comp_method != ZIP_CM_STORE || mode == STRIA_NPZ_CHECK;
    zip_file_t *file = stria__zip.fopen_index(npz->zip, (zip_uint64_t)at, 0);
    if (!file) return stria__npz_fail(stria__zip.get_error(npz->zip), "open");
    OWNED_HEADER(header);
    stria_status status = read_header(&header, file, (int64_t)st.size);
    if (status == STRIA_OK) {
        bool mapped = false;
        if (mode == STRIA_NPZ_MAP && !summed)
            status = map_member(out, &mapped, &npz->source, file, &header);
        if (status == STRIA_OK && !mapped) status = take_member(out, file, &header, mode, summed);
    }
    (void)stria__zip.fclose(file); /* Nothing was written, so a failing close loses nothing. */
    return status;
}

stria_status stria_npz_read(stria_array *out, stria_npz *npz, const char *name, stria_npz_mode mode,
                            const stria_exec *exec)
{
    TAKES_EXEC(exec, "npz_read");
    if (!out || !npz || !name)
        return stria__fail(STRIA_ERR_ARGUMENT, "npz: out, the archive or name is NULL");
    if ((int)mode < STRIA_NPZ_READ || mode > STRIA_NPZ_MAP)
        return stria__fail(STRIA_ERR_ARGUMENT, "npz: %d is not a mode of reading", (int)mode);
    return stria__with_path(read_member(out, npz, name, mode), name);
}
