/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes .npz archives: members, each behind its header, and a directory of them. Room is left for
 * a header, which is written when the member is: the checksum is known then, and how long the
 * member is where it is deflated. While one thread writes what is stored, another one sums it up.
 */
#define ZLIB_CONST /* its input is not written to */
#include <libdeflate.h>
#include <string.h>
#include <zlib.h>

#include "base/heap_sort.h"
#include "io/atomic_file.h"
#include "io/npy_header.h"
#include "io/watch.h"
#include "io/zip.h"
#include "ops/stream.h"
#include "plan/threads.h"
#include "stria/npz.h"
#include "view/view.h"

#define REFUSE(...) stria__fail(STRIA_ERR_ARGUMENT, "npz: " __VA_ARGS__)

enum {
    STAGE = 1 << 20,   /* bytes of a view that is not dense */
    ROOM = 1 << 20,    /* bytes of the file that are gathered */
    SMALL = 64 << 10,  /* bytes that are not worth a system call of their own, and of deflate */
    ALONE = 256 << 10, /* bytes that are summed up and then written or packed, in a cache */
    TOGETHER =
        16 << 20,   /* bytes that are worth a question to who watches, and to wake up the disk */
    NAME = 4096,    /* bytes of a name at most */
    ALIGNMENT = 64, /* of stored arrays, which are mapped where they lie */
    ALIGN_FIELD = 0xd935, /* the extra field that zipalign fills with zeros */
    RECORD = ZIP_MEMBER + NAME + 4 + 32 + 4 + 2 * ALIGNMENT,
    DAY = 1 << 5 | 1 /* the first one of 1980, as numpy.savez has it: equal arrays make equal
                        files */
};

/* Sizes and places beyond this have 64 bits; deflate adds less than the rest to what it packs. */
static const int64_t most = 4000000000;

struct member {
    const char *name; /* ".npy" follows */
    int64_t at, size, packed;
    uint32_t sum;
    bool deflated, wide; /* its records have numbers of 64 bits */
};

struct archive {
    struct atomic_file file;
    const stria_watch *watch;
    struct member *member; /* the one that is written */
    bool apart;            /* its memory may be read by several threads */
    int64_t end;           /* bytes of the file so far */
    int64_t complete;      /* how many of them the disk has begun with */
    int64_t used;          /* how many of them, the last ones, are in the room still */
    char *stage, *room;
    unsigned char *packed;
    z_stream deflate;
};

/* ---- bytes ----------------------------------------------------------------------------------- */

static stria_status flush(struct archive *a)
{
    STRIA_TRY(stria__write_at(a->file.fd, a->room, a->used, a->end - a->used));
    a->used = 0;
    return STRIA_OK;
}

/* Writes bytes at the end of the file, few of them together with others. */
static stria_status put(struct archive *a, const void *bytes, int64_t size)
{
    if (size > SMALL || size > ROOM - a->used) STRIA_TRY(flush(a));
    if (size > SMALL) {
        STRIA_TRY(stria__write_at(a->file.fd, bytes, size, a->end));
    } else {
        memcpy(a->room + a->used, bytes, (size_t)size);
        a->used += size;
    }
    a->end += size;
    if (a->end - a->complete < TOGETHER) return STRIA_OK;
    stria__files->write_back(a->file.fd, a->complete, a->end - a->complete);
    a->complete = a->end;
    return STRIA_OK;
}

/* Writes bytes that have their place already, as a whole in the room or before it. */
static stria_status put_at(struct archive *a, const void *bytes, int64_t size, int64_t at)
{
    const int64_t from = a->end - a->used;
    if (at < from) return stria__write_at(a->file.fd, bytes, size, at);
    memcpy(a->room + (at - from), bytes, (size_t)size);
    return STRIA_OK;
}

/* ---- records --------------------------------------------------------------------------------- */

struct record {
    unsigned char bytes[RECORD];
    int64_t size;
};

static void add(struct record *r, int bytes, int64_t number)
{
    for (int i = 0; i < bytes; i++)
        r->bytes[r->size++] = (unsigned char)((uint64_t)number >> (8 * i));
}

static void add_bytes(struct record *r, const char *bytes, size_t size)
{
    memcpy(r->bytes + r->size, bytes, size);
    r->size += (int64_t)size;
}

static void add_either(struct record *r, bool wide, int64_t number)
{
    add(r, 4, wide ? UINT32_MAX : number);
}

static bool is_ascii(const char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name >= 0x80) return false;
    return true;
}

/* Adds what both records of a member have: from the version on to how long its name and the extra
 * fields are. */
static void add_member(struct record *r, const struct member *m, int64_t extra)
{
    add(r, 2, m->wide ? 45 : 20);
    add(r, 2, is_ascii(m->name) ? 0 : ZIP_IS_UTF8);
    add(r, 2, m->deflated ? ZIP_DEFLATED : ZIP_STORED);
    add(r, 4, (int64_t)DAY << 16);
    add(r, 4, m->sum);
    add_either(r, m->wide, m->packed);
    add_either(r, m->wide, m->size);
    add(r, 2, (int64_t)strlen(m->name) + 4);
    add(r, 2, extra);
}

static void add_name(struct record *r, const struct member *m)
{
    add_bytes(r, m->name, strlen(m->name));
    add_bytes(r, ".npy", 4);
}

/* Adds the extra field of a wide member, with its place or without. */
static void add_wide(struct record *r, const struct member *m, int64_t size)
{
    if (!m->wide) return;
    add(r, 2, ZIP_WIDE);
    add(r, 2, size);
    add(r, 8, m->size);
    add(r, 8, m->packed);
    if (size > 16) add(r, 8, m->at);
}

/* The header in front of a member, after which what is stored is aligned. */
static void compose_header(struct record *r, const struct member *m)
{
    enum { FIELD = 4, LEAST = 2 };
    const int64_t wide = m->wide ? FIELD + 16 : 0;
    const int64_t begin = m->at + ZIP_LOCAL + (int64_t)strlen(m->name) + 4 + wide + FIELD;
    int64_t fill = round_up(begin, ALIGNMENT) - begin;
    if (fill < LEAST) fill += ALIGNMENT;
    r->size = 0;
    add_bytes(r, ZIP_LOCAL_MARK, 4);
    add_member(r, m, wide + (m->deflated ? 0 : FIELD + fill));
    add_name(r, m);
    add_wide(r, m, 16);
    if (m->deflated) return;
    add(r, 2, ALIGN_FIELD);
    add(r, 2, fill);
    for (int64_t left = fill, number = ALIGNMENT; left > 0; left--, number = 0)
        add(r, 1, number);
}

static stria_status put_directory(struct archive *a, const struct member *members, int64_t count)
{
    enum { BY_UNIX = 3 << 8 | 45 };
    const int64_t rights = (int64_t)0100644 << 16, begin = a->end;
    struct record r;
    for (int64_t i = 0; i < count; i++) {
        const struct member *const m = &members[i];
        r.size = 0;
        add_bytes(&r, ZIP_MEMBER_MARK, 4);
        add(&r, 2, BY_UNIX);
        add_member(&r, m, m->wide ? 4 + 24 : 0);
        add(&r, 6, 0); /* comment, disk, inner attributes */
        add(&r, 4, rights);
        add_either(&r, m->wide, m->at);
        add_name(&r, m);
        add_wide(&r, m, 24);
        STRIA_TRY(put(a, r.bytes, r.size));
    }
    const int64_t size = a->end - begin;
    const bool wide = count >= UINT16_MAX || a->end > most;
    r.size = 0;
    if (wide) {
        add_bytes(&r, ZIP_END64_MARK, 4);
        add(&r, 8, ZIP_END64 - 12);
        add(&r, 2, BY_UNIX);
        add(&r, 2, 45);
        add(&r, 8, 0); /* disks */
        add(&r, 8, count);
        add(&r, 8, count);
        add(&r, 8, size);
        add(&r, 8, begin);
        add_bytes(&r, ZIP_LOCATOR_MARK, 4);
        add(&r, 4, 0);
        add(&r, 8, a->end);
        add(&r, 4, 1);
    }
    add_bytes(&r, ZIP_END_MARK, 4);
    add(&r, 4, 0);
    add(&r, 2, wide ? UINT16_MAX : count);
    add(&r, 2, wide ? UINT16_MAX : count);
    add_either(&r, wide, size);
    add_either(&r, wide, begin);
    add(&r, 2, 0);
    return put(a, r.bytes, r.size);
}

/* ---- a member -------------------------------------------------------------------------------- */

struct part {
    struct archive *archive;
    const char *bytes;
    int64_t size;
    stria_status status;
};

/* The first task runs in the calling thread, which gets the message of a failed write. */
static void write_or_sum(void *data, int64_t task)
{
    struct part *const p = data;
    struct member *const m = p->archive->member;
    if (task == 0)
        p->status = put(p->archive, p->bytes, p->size);
    else
        m->sum = libdeflate_crc32(m->sum, p->bytes, (size_t)p->size);
}

static stria_status store(struct archive *a, const char *bytes, int64_t size)
{
    struct part p = {a, bytes, size, STRIA_OK};
    const int threads = a->apart
                            ? stria__threads_for(NULL, 3 * size, 0) /* read twice, written once */
                            : 1;
    a->member->packed += size;
    if (threads > 1) {
        stria__parallel(NULL, threads, 2, write_or_sum, &p);
        return p.status;
    }
    for (int64_t left = size; left > 0; left -= p.size, p.bytes += p.size) {
        p.size = least(left, ALONE);
        write_or_sum(&p, 1);
        write_or_sum(&p, 0);
        STRIA_TRY(p.status);
    }
    return STRIA_OK;
}

/* Packs bytes, at most ALONE; mode: whether more follow. */
static stria_status pack(struct archive *a, const void *bytes, int64_t size, int mode)
{
    z_stream *const z = &a->deflate;
    struct member *const m = a->member;
    m->sum = libdeflate_crc32(m->sum, bytes, (size_t)size);
    z->next_in = bytes;
    z->avail_in = (uInt)size;
    do {
        z->next_out = a->packed;
        z->avail_out = SMALL;
        (void)deflate(z, mode); /* which says no more than that there is nothing to do */
        const int64_t made = SMALL - (int64_t)z->avail_out;
        STRIA_TRY(put(a, a->packed, made));
        m->packed += made;
    } while (z->avail_out == 0);
    return STRIA_OK;
}

static stria_status sink(const void *bytes, int64_t size, void *context)
{
    struct archive *const a = context;
    const bool deflated = a->member->deflated;
    for (const char *at = bytes, *const end = at + size; at < end;) {
        const int64_t part = least(end - at, deflated ? ALONE : TOGETHER);
        STRIA_TRY(deflated ? pack(a, at, part, Z_NO_FLUSH) : store(a, at, part));
        at += part;
        STRIA_TRY(stria__go_on(a->watch, part));
    }
    return STRIA_OK;
}

/*
 * Memory that the library did not make may be brought page by page while it is read (see bring in
 * io/file_ops.c): a thread that reads elsewhere would drive away what another one is to write.
 */
static stria_status put_member(struct archive *a, struct member *m, const stria_view *view)
{
    const bool fortran = stria__npy_is_fortran(view);
    const struct stage through = {a->stage, STAGE, 0, STAGE, SMALL};
    stria_view items = *view;
    struct record r;
    int64_t header;
    STRIA_TRY(stria__npy_compose(a->stage, STAGE, &header, view->dtype, fortran, view->ndim,
                                 view->shape));
    if (fortran) STRIA_TRY(stria_T(&items, view));
    a->member = m;
    a->apart = view->buffer && stria__buffer_is_ours(view->buffer);
    m->at = a->end;
    m->size = header + stria_nbytes(view);
    m->wide = m->size > most || m->at > most;
    compose_header(&r, m);
    STRIA_TRY(put(a, r.bytes, r.size));
    if (m->deflated) (void)deflateReset(&a->deflate);
    STRIA_TRY(m->deflated ? pack(a, a->stage, header, Z_NO_FLUSH) : store(a, a->stage, header));
    STRIA_TRY(stria__stream(&items, through, sink, a));
    if (m->deflated) STRIA_TRY(pack(a, "", 0, Z_FINISH));
    compose_header(&r, m);
    return put_at(a, r.bytes, r.size, m->at);
}

/* ---- archives -------------------------------------------------------------------------------- */

static stria_status check_member(int64_t i, const char *name, const stria_view *view)
{
    if (!name || !*name || *name == '/')
        return REFUSE("name %lld is %s; a name begins with a letter", (long long)i,
                      !name    ? "NULL"
                      : !*name ? "empty"
                               : "a path from the root");
    const size_t length = strlen(name);
    if (length > NAME) return REFUSE("name %lld has more than 4096 bytes", (long long)i);
    if (stria__utf8_fault(name, name + length))
        return REFUSE("the name '%.100s' is not UTF-8", name);
    STRIA_TRY(stria__check_view(view, "npz", "the view"));
    if (!stria_buffer_is_meta(view->buffer)) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED, "npz: a meta buffer has no elements to write");
}

static stria_status check_members(int64_t count, const char *const *names,
                                  const stria_view *const *views, stria_npz_packing packing)
{
    if (count < 1 || count > INT32_MAX)
        return REFUSE("%lld arrays; an archive has at least one", (long long)count);
    if (!names || !views) return REFUSE("names or views is NULL");
    if (packing != STRIA_NPZ_STORED && packing != STRIA_NPZ_DEFLATED)
        return REFUSE("%d is not a way of packing", (int)packing);
    for (int64_t i = 0; i < count; i++)
        STRIA_TRY(check_member(i, names[i], views[i]));
    return STRIA_OK;
}

static bool name_before(const void *a, const void *b)
{
    return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name) < 0;
}

static void name_members(struct member *members, int64_t count, const char *const *names,
                         stria_npz_packing packing)
{
    for (int64_t i = 0; i < count; i++)
        members[i] = (struct member){.name = names[i], .deflated = packing == STRIA_NPZ_DEFLATED};
}

static stria_status put_all(struct archive *a, struct member *members, int64_t count,
                            const stria_view *const *views)
{
    for (int64_t i = 0; i < count; i++)
        STRIA_TRY(put_member(a, &members[i], views[i]));
    STRIA_TRY(put_directory(a, members, count));
    return flush(a);
}

static stria_status write_file(struct archive *a, const char *path, struct member *members,
                               int64_t count, const stria_view *const *views)
{
    if (deflateInit2(&a->deflate, Z_DEFAULT_COMPRESSION, Z_DEFLATED, ZIP_RAW_WINDOW, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return stria__fail(STRIA_ERR_MEMORY, "npz: out of memory for deflate");
    stria_status status = stria__atomic_begin(&a->file, path);
    if (status == STRIA_OK) status = stria__atomic_end(&a->file, put_all(a, members, count, views));
    (void)deflateEnd(&a->deflate);
    return status;
}

static stria_status write_all(const char *path, int64_t count, const char *const *names,
                              const stria_view *const *views, stria_npz_packing packing,
                              const stria_watch *watch)
{
    OWNED_BUFFER(list);
    OWNED_BUFFER(memory);
    STRIA_TRY(stria_buffer_new(&list, count * (int64_t)sizeof(struct member)));
    STRIA_TRY(stria_buffer_new(&memory, STAGE + ROOM + SMALL));
    struct member *const members = (void *)stria_buffer_data(list);
    struct archive a = {.watch = watch, .stage = stria_buffer_data(memory)};
    a.room = a.stage + STAGE;
    a.packed = (unsigned char *)a.room + ROOM;
    name_members(members, count, names, packing);
    stria__heap_sort(members, count, sizeof *members, name_before);
    for (int64_t i = 1; i < count; i++)
        if (!strcmp(members[i - 1].name, members[i].name))
            return REFUSE("the name '%.100s' is there twice", members[i].name);
    name_members(members, count, names, packing);
    return write_file(&a, path, members, count, views);
}

stria_status stria_npz_write_watched(const char *path, int64_t count, const char *const *names,
                                     const stria_view *const *views, stria_npz_packing packing,
                                     const stria_watch *watch)
{
    if (!path) return REFUSE("path is NULL");
    STRIA_TRY(stria__check_watch(watch, "npz"));
    STRIA_TRY(check_members(count, names, views, packing));
    return stria__with_path(write_all(path, count, names, views, packing, watch), path);
}

stria_status stria_npz_write(const char *path, int64_t count, const char *const *names,
                             const stria_view *const *views, stria_npz_packing packing)
{
    return stria_npz_write_watched(path, count, names, views, packing, NULL);
}
