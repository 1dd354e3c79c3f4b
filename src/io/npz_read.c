/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads .npz archives: the end of the file tells where the directory is, the directory has a record
 * of each member, and a member is a .npy file, whose header is compared with the size that the
 * record tells. Nothing takes more memory than the bytes of the archive can have content for.
 */
#define ZLIB_CONST /* its input is not written to */
#include <libdeflate.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "io/npy_file.h"
#include "io/zip.h"
#include "stria/npz.h"
#include "view/array.h"

#define FAIL(...) stria__fail(STRIA_ERR_FORMAT, "npz: " __VA_ARGS__)

struct member {
    const char *name;
    uint64_t at, size, packed; /* place of the header, bytes of the .npy file and in the archive */
    uint32_t sum;
    int flags, method;
};

struct stria_npz {
    int fd;
    int64_t size;         /* bytes of the archive */
    struct memory memory; /* of this struct, the members and the directory, which has their names */
    int64_t count;
    struct member members[];
};

/* ---- open ------------------------------------------------------------------------------------ */

/* The directory, as the end of an archive tells of it. */
struct ending {
    uint64_t count, at, size;
    int64_t end; /* place of that end in the file */
};

static bool is_marked(const unsigned char *at, const char *mark)
{
    return !memcmp(at, mark, 4);
}

/* Reads the end with 64 bits that a locator points to. */
static stria_status read_end64(struct ending *e, int fd, const unsigned char *locator)
{
    unsigned char end[ZIP_END64];
    const uint64_t at = little_endian(locator + 8, 8);
    if (e->end < ZIP_END64 || at > (uint64_t)(e->end - ZIP_END64))
        return FAIL("not a zip archive: its end is beyond the file");
    STRIA_TRY(stria__read_at(fd, end, ZIP_END64, (int64_t)at));
    if (!is_marked(end, ZIP_END64_MARK)) return FAIL("not a zip archive: its end is missing");
    *e = (struct ending){little_endian(end + 32, 8), little_endian(end + 48, 8),
                         little_endian(end + 40, 8), (int64_t)at};
    return STRIA_OK;
}

/* Finds the last record of the file that may be its end; a comment may follow. */
static stria_status find_end(struct ending *e, int fd, int64_t size)
{
    enum { TAIL = (64 << 10) + ZIP_END + ZIP_LOCATOR };
    const int64_t have = least(size, TAIL);
    OWNED_MEMORY(tail, (size_t)have);
    if (!tail.at) return stria__fail(STRIA_ERR_MEMORY, "npz: out of memory for an archive");
    STRIA_TRY(stria__read_at(fd, tail.at, have, size - have));
    const unsigned char *const begin = tail.at;
    int64_t at = have - ZIP_END;
    while (at >= 0 && !is_marked(begin + at, ZIP_END_MARK))
        at--;
    if (at < 0) return FAIL("not a zip archive: its end is missing");
    const unsigned char *const end = begin + at;
    *e = (struct ending){little_endian(end + 10, 2), little_endian(end + 16, 4),
                         little_endian(end + 12, 4), size - have + at};
    if (at >= ZIP_LOCATOR && is_marked(end - ZIP_LOCATOR, ZIP_LOCATOR_MARK))
        STRIA_TRY(read_end64(e, fd, end - ZIP_LOCATOR));
    if (e->at > (uint64_t)e->end || e->size > (uint64_t)e->end - e->at)
        return FAIL("a directory of %llu bytes at byte %llu of an archive of %lld",
                    (unsigned long long)e->size, (unsigned long long)e->at, (long long)size);
    if (e->count <= e->size / ZIP_MEMBER) return STRIA_OK;
    return FAIL("%llu members are counted in %llu bytes, which have not that many",
                (unsigned long long)e->count, (unsigned long long)e->size);
}

/* Takes the numbers of 64 bits from the extra fields: those that the record leaves out. */
static void read_wide(struct member *m, const unsigned char *at, int64_t size)
{
    uint64_t *const numbers[] = {&m->size, &m->packed, &m->at};
    for (int64_t length; size >= 4; at += 4 + length, size -= 4 + length) {
        const uint64_t kind = little_endian(at, 2);
        length = (int64_t)little_endian(at + 2, 2);
        if (length > size - 4) return;
        int64_t used = 0;
        for (int i = 0; i < 3 && kind == ZIP_WIDE; i++)
            if (*numbers[i] == UINT32_MAX && used + 8 <= length) {
                *numbers[i] = little_endian(at + 4 + used, 8);
                used += 8;
            }
    }
}

/* Reads the record at *at, which is moved behind it, and makes a string of UTF-8 of its name. */
static stria_status read_member_record(struct member *m, unsigned char **at,
                                       const unsigned char *end)
{
    unsigned char *const r = *at;
    if (end - r < ZIP_MEMBER || !is_marked(r, ZIP_MEMBER_MARK))
        return FAIL("the directory of the archive has fewer members than it counts");
    const int64_t name = (int64_t)little_endian(r + 28, 2),
                  extra = (int64_t)little_endian(r + 30, 2),
                  comment = (int64_t)little_endian(r + 32, 2);
    if (name + extra + comment > end - r - ZIP_MEMBER)
        return FAIL("the directory of the archive ends in the name of a member");
    *m = (struct member){.name = (const char *)r,
                         .at = little_endian(r + 42, 4),
                         .size = little_endian(r + 24, 4),
                         .packed = little_endian(r + 20, 4),
                         .sum = (uint32_t)little_endian(r + 16, 4),
                         .flags = (int)little_endian(r + 8, 2),
                         .method = (int)little_endian(r + 10, 2)};
    read_wide(m, r + ZIP_MEMBER + name, extra);
    *at += ZIP_MEMBER + name + extra + comment;
    memmove(r, r + ZIP_MEMBER, (size_t)name);
    r[name] = 0;
    for (const char *odd; (odd = stria__utf8_fault(m->name, m->name + name));)
        r[odd - m->name] = '?';
    return STRIA_OK;
}

static stria_status read_directory(stria_npz *npz, const struct ending *e)
{
    unsigned char *at = (unsigned char *)(npz->members + e->count), *const end = at + e->size;
    STRIA_TRY(stria__read_at(npz->fd, at, (int64_t)e->size, (int64_t)e->at));
    for (; npz->count < (int64_t)e->count; npz->count++)
        STRIA_TRY(read_member_record(&npz->members[npz->count], &at, end));
    return at == end ? STRIA_OK : FAIL("the directory of the archive has more than it counts");
}

static stria_status open_archive(stria_npz **out, int fd, int64_t size)
{
    struct ending e = {0};
    if (size == 0) return FAIL("the file is empty");
    STRIA_TRY(find_end(&e, fd, size));
    const struct memory memory =
        stria__memory(sizeof(stria_npz) + (size_t)e.count * sizeof(struct member) + (size_t)e.size);
    stria_npz *const npz = memory.at;
    if (!npz) return stria__fail(STRIA_ERR_MEMORY, "npz: out of memory for an archive");
    *npz = (stria_npz){.fd = fd, .size = size, .memory = memory};
    const stria_status status = read_directory(npz, &e);
    if (status == STRIA_OK)
        *out = npz;
    else
        stria__memory_free(&memory);
    return status;
}

stria_status stria_npz_open(stria_npz **out, const char *path)
{
    int fd;
    int64_t size;
    if (!out || !path) return stria__fail(STRIA_ERR_ARGUMENT, "npz: out or path is NULL");
    stria_status status = stria__open_regular(&fd, &size, path, false);
    if (status == STRIA_OK) {
        status = open_archive(out, fd, size);
        if (status != STRIA_OK) (void)stria__files->close(fd);
    }
    return stria__with_path(status, path);
}

void stria_npz_close(stria_npz *npz)
{
    if (!npz) return;
    const struct memory memory = npz->memory;
    (void)stria__files->close(npz->fd); /* nothing was written */
    stria__memory_free(&memory);
}

int64_t stria_npz_count(const stria_npz *npz)
{
    return npz ? npz->count : 0;
}

const char *stria_npz_name(const stria_npz *npz, int64_t i)
{
    return i < 0 || i >= stria_npz_count(npz) ? NULL : npz->members[i].name;
}

/* ---- the member ------------------------------------------------------------------------------ */

/* The number of members of that name; *at is the last one's. */
static int64_t count_called(const struct member **at, const stria_npz *npz, const char *name,
                            const char *suffix)
{
    const size_t length = strlen(name);
    int64_t found = 0;
    for (int64_t i = 0; i < npz->count; i++) {
        const struct member *const m = &npz->members[i];
        if (strncmp(m->name, name, length) != 0 || strcmp(m->name + length, suffix) != 0) continue;
        *at = m;
        found++;
    }
    return found;
}

static stria_status locate(const struct member **at, const stria_npz *npz, const char *name)
{
    const char *suffix = "", *const first = stria_npz_name(npz, 0);
    int64_t found = count_called(at, npz, name, suffix);
    if (!found) found = count_called(at, npz, name, suffix = ".npy");
    if (found == 1) return STRIA_OK;
    if (found > 1)
        return FAIL("%lld members are called '%.100s%s'", (long long)found, name, suffix);
    return stria__fail(STRIA_ERR_ARGUMENT, "npz: no member '%.100s' among %lld%s%.100s%s", name,
                       (long long)npz->count, first ? ", the first of which is '" : "",
                       first ? first : "", first ? "'" : "");
}

/* Refuses what the record of a member cannot mean. */
static stria_status check_member(const struct member *m, int64_t archive)
{
    enum { MOST_PER_BYTE = 1032, SLACK = 1 << 10 }; /* deflate makes at most so many bytes of one */
    const unsigned long long size = m->size, packed = m->packed;
    if (packed > (uint64_t)archive)
        return FAIL("the member takes %llu bytes of an archive of %lld bytes", packed,
                    (long long)archive);
    if (m->flags & ZIP_IS_ENCRYPTED)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npz: the member is encrypted; decrypt the archive first");
    if (m->method == ZIP_STORED && size != packed)
        return FAIL("a stored member of %llu bytes takes %llu bytes of the archive", size, packed);
    if (m->method == ZIP_STORED) return STRIA_OK;
    if (m->method != ZIP_DEFLATED)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "npz: packed by method %d; stored and deflated members are read",
                           m->method);
    if (size > INT64_MAX || (size > SLACK && (size - SLACK) / MOST_PER_BYTE > packed))
        return FAIL("%llu deflated bytes cannot hold the %llu bytes that are claimed", packed,
                    size);
    return STRIA_OK;
}

/* Finds the bytes of a member behind the header that stands in front of them. */
static stria_status find_bytes(int64_t *at, const stria_npz *npz, const struct member *m)
{
    unsigned char header[ZIP_LOCAL];
    if (npz->size < ZIP_LOCAL || m->at > (uint64_t)(npz->size - ZIP_LOCAL))
        return FAIL("the member begins beyond the archive");
    STRIA_TRY(stria__read_at(npz->fd, header, ZIP_LOCAL, (int64_t)m->at));
    if (!is_marked(header, ZIP_LOCAL_MARK)) return FAIL("the member has no header");
    *at = (int64_t)(m->at + ZIP_LOCAL + little_endian(header + 26, 2) +
                    little_endian(header + 28, 2));
    return *at <= npz->size - (int64_t)m->packed ? STRIA_OK
                                                 : FAIL("the member ends beyond the archive");
}

static stria_status check_sum(const struct member *m, uint32_t sum)
{
    if (sum == m->sum) return STRIA_OK;
    return FAIL("the CRC of the member is %08x, the archive says %08x", (unsigned)sum,
                (unsigned)m->sum);
}

/* The bytes of a member that are read on or, where it is stored, from anywhere. */
struct bytes {
    const struct member *member;
    int fd;
    int64_t begin;       /* of the member in the archive */
    int64_t used;        /* bytes that were taken to be inflated */
    unsigned char *room; /* where these lie */
    uint32_t sum;        /* of what was inflated */
    z_stream inflate;
};

static stria_status read_stored(void *from, void *out, int64_t size, int64_t at)
{
    const struct bytes *const b = from;
    return stria__read_at(b->fd, out, size, b->begin + at);
}

enum { ROOM = 64 << 10 };

/* Takes more of the packed bytes where all that were taken are used up. */
static stria_status take_packed(struct bytes *b)
{
    const int64_t part = least((int64_t)b->member->packed - b->used, ROOM);
    if (b->inflate.avail_in > 0 || part == 0) return STRIA_OK;
    STRIA_TRY(stria__read_at(b->fd, b->room, part, b->begin + b->used));
    b->used += part;
    b->inflate.next_in = b->room;
    b->inflate.avail_in = (uInt)part;
    return STRIA_OK;
}

/* Inflates up to 1 GiB; *made is 0 where no bytes are left. */
static stria_status inflate_some(struct bytes *b, void *out, int64_t size, int64_t *made)
{
    enum { AT_ONCE = 1 << 30 };
    z_stream *const z = &b->inflate;
    const uInt room = (uInt)least(size, AT_ONCE);
    int code;
    z->next_out = out;
    z->avail_out = room;
    do {
        STRIA_TRY(take_packed(b));
        code = inflate(z, Z_NO_FLUSH);
    } while (code == Z_OK && z->avail_out == room);
    *made = (int64_t)(room - z->avail_out);
    b->sum = libdeflate_crc32(b->sum, out, (size_t)*made);
    if (code == Z_MEM_ERROR) return stria__fail(STRIA_ERR_MEMORY, "npz: out of memory to inflate");
    if (code != Z_DATA_ERROR && code != Z_NEED_DICT) return STRIA_OK;
    return FAIL("the member cannot be inflated: %s", z->msg ? z->msg : "it wants a dictionary");
}

static stria_status read_inflated(void *from, void *out, int64_t size, int64_t at)
{
    (void)at;
    for (int64_t done = 0, made; done < size; done += made) {
        STRIA_TRY(inflate_some(from, (char *)out + done, size - done, &made));
        if (made == 0) return FAIL("the member ends %lld bytes early", (long long)(size - done));
    }
    return STRIA_OK;
}

static stria_status read_header(struct npy_header *h, stria__npy_reader *read, struct bytes *b,
                                int64_t ahead)
{
    const int64_t size = (int64_t)b->member->size;
    STRIA_TRY(stria__npy_read_header(h, read, b, size, ahead));
    if (h->nbytes == size - h->data_at) return STRIA_OK;
    return FAIL("the shape needs %lld bytes, and the member has %lld after its header",
                (long long)h->nbytes, (long long)(size - h->data_at));
}

/* Sums up a stored member: its header, and the data that was read already. */
static stria_status check_stored(const struct bytes *b, const struct npy_header *h,
                                 const void *data)
{
    char part[4096];
    uint32_t sum = 0;
    for (int64_t at = b->begin, n; at < h->data_at; at += n) {
        n = least(h->data_at - at, sizeof part);
        STRIA_TRY(stria__read_at(b->fd, part, n, at));
        sum = libdeflate_crc32(sum, part, (size_t)n);
    }
    return check_sum(b->member, libdeflate_crc32(sum, data, (size_t)h->nbytes));
}

static stria_status take_stored(stria_array *out, struct bytes *b, stria_npz_mode mode)
{
    static const stria_npy_mode modes[] = {[STRIA_NPZ_READ] = STRIA_NPY_READ,
                                           [STRIA_NPZ_CHECK] = STRIA_NPY_READ,
                                           [STRIA_NPZ_HEADER] = STRIA_NPY_HEADER,
                                           [STRIA_NPZ_MAP] = STRIA_NPY_MAP};
    OWNED_ARRAY(made);
    OWNED_HEADER(h);
    STRIA_TRY(read_header(&h, read_stored, b, INT64_MAX));
    h.data_at += b->begin;
    const bool empty = mode == STRIA_NPZ_MAP && h.nbytes == 0;
    STRIA_TRY(stria__npy_take(b->fd, &h, empty ? STRIA_NPY_READ : modes[mode], &made));
    if (mode == STRIA_NPZ_CHECK) STRIA_TRY(check_stored(b, &h, made.view.data));
    array_share(out, &made.view);
    return STRIA_OK;
}

static stria_status take_inflated(stria_array *out, struct bytes *b, stria_npz_mode mode)
{
    char beyond;
    int64_t more;
    OWNED_BUFFER(buffer);
    OWNED_HEADER(h);
    STRIA_TRY(read_header(&h, read_inflated, b, NPY_PREAMBLE_MAX));
    if (mode == STRIA_NPZ_HEADER) return stria__npy_meta(out, &h);
    STRIA_TRY(stria_buffer_new(&buffer, h.nbytes));
    STRIA_TRY(read_inflated(b, stria_buffer_data(buffer), h.nbytes, 0));
    STRIA_TRY(inflate_some(b, &beyond, 1, &more));
    if (more) return FAIL("the member is longer than it claims");
    STRIA_TRY(check_sum(b->member, b->sum));
    return stria__npy_array(out, &h, buffer);
}

static stria_status read_member(stria_array *out, const stria_npz *npz, const char *name,
                                stria_npz_mode mode)
{
    struct bytes b = {.fd = npz->fd};
    STRIA_TRY(locate(&b.member, npz, name));
    STRIA_TRY(check_member(b.member, npz->size));
    STRIA_TRY(find_bytes(&b.begin, npz, b.member));
    if (b.member->method == ZIP_STORED) return take_stored(out, &b, mode);
    OWNED_MEMORY(room, ROOM);
    b.room = room.at;
    if (!room.at || inflateInit2(&b.inflate, ZIP_RAW_WINDOW) != Z_OK)
        return stria__fail(STRIA_ERR_MEMORY, "npz: out of memory to inflate");
    const stria_status status = take_inflated(out, &b, mode);
    (void)inflateEnd(&b.inflate);
    return status;
}

stria_status stria_npz_read(stria_array *out, stria_npz *npz, const char *name, stria_npz_mode mode)
{
    if (!out || !npz || !name)
        return stria__fail(STRIA_ERR_ARGUMENT, "npz: out, the archive or name is NULL");
    if ((int)mode < STRIA_NPZ_READ || mode > STRIA_NPZ_MAP)
        return stria__fail(STRIA_ERR_ARGUMENT, "npz: %d is not a mode of reading", (int)mode);
    return stria__with_path(read_member(out, npz, name, mode), name);
}
