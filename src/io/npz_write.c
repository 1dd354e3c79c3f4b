/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes .npz archives: a target, members, and libzip between them. */
#include <string.h>

#include "view/buffer.h"
#include "io/npz.h"
#include "plan/threads.h"
#include "base/status.h"
#include "view/view.h"
#include "plan/threads.h"

#define REFUSE(...) stria__fail(STRIA_ERR_ARGUMENT, "npz: " __VA_ARGS__)

static stria_status check_members(int64_t count, const char *const *names,
                                  const stria_view *const *views, stria_npz_packing packing)
{
    if (count < 1 || count > INT32_MAX)
        return REFUSE("%lld arrays; an archive has at least one", (long long)count);
    if (!names || !views) return REFUSE("names or views is NULL");
    if (packing != STRIA_NPZ_STORED && packing != STRIA_NPZ_DEFLATED)
        return REFUSE("%d is not a way of packing", (int)packing);
    for (int64_t i = 0; i < count; i++) {
        const char *name = names[i];
        if (!name || !*name || *name == '/')
            return REFUSE("name %lld is %s; a name begins with a letter", (long long)i,
                          !name    ? "NULL"
                          : !*name ? "empty"
                                   : "a path from the root");
        if (strlen(name) > 4096) return REFUSE("name %lld has more than 4096 bytes", (long long)i);
        STRIA_TRY(stria__check_view(views[i], "npz", "the view"));
    }
    return STRIA_OK;
}

/*
 * Aligns the data of a stored member to 64 bytes, as in a .npy file, because stored arrays are
 * mapped where they lie. The gap is filled by an extra field of the kind that zipalign writes: the
 * alignment in two bytes, and zeros.
 */
static stria_status align(zip_t *zip, zip_uint64_t at, const char *file, int64_t size,
                          int64_t *offset)
{
    enum { LOCAL_HEADER = 30, ZIP64 = 20, FIELD = 4, LEAST = 2, KIND = 0xd935, ALIGNMENT = 64 };
    const unsigned char zeros[2 * ALIGNMENT] = {ALIGNMENT};
    const int64_t begin =
        *offset + LOCAL_HEADER + (int64_t)strlen(file) + (size >= UINT32_MAX ? ZIP64 : 0);
    int64_t fill = (ALIGNMENT - (begin + FIELD) % ALIGNMENT) % ALIGNMENT;
    if (fill < LEAST) fill += ALIGNMENT;
    *offset = begin + FIELD + fill + size;
    if (stria__zip.file_extra_field_set(zip, at, KIND, ZIP_EXTRA_FIELD_NEW, zeros,
                                        (zip_uint16_t)fill, ZIP_FL_LOCAL) != 0)
        return stria__npz_fail(stria__zip.get_error(zip), file);
    return STRIA_OK;
}

/* Adds a member that begins at *offset of the archive; if it is stored, *offset moves on to the
 * next one. */
static stria_status add_member(zip_t *zip, const char *name, struct npz_member *member,
                               stria_npz_packing packing, int64_t *offset)
{
    const bool stored = packing == STRIA_NPZ_STORED;
    char file[4096 + 8];
    const size_t length = strlen(name);
    memcpy(file, name, length);
    memcpy(file + length, ".npy", 5);
    zip_source_t *source = stria__zip.source_function(
        zip, member->target ? stria__npz_stored_call : stria__npz_member_call, member);
    if (!source) return stria__npz_fail(stria__zip.get_error(zip), name);
    const zip_int64_t at = stria__zip.file_add(zip, file, source, ZIP_FL_ENC_UTF_8);
    if (at < 0) {
        stria__zip.source_free(source);
        if (stria__zip.error_code_zip(stria__zip.get_error(zip)) == ZIP_ER_EXISTS)
            return REFUSE("the name '%.100s' is there twice", name);
        return stria__npz_fail(stria__zip.get_error(zip), name);
    }
    const zip_int32_t method = stored && !member->target ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
    if (stria__zip.set_file_compression(zip, (zip_uint64_t)at, method, 0) != 0)
        return stria__npz_fail(stria__zip.get_error(zip), name);
    /* The first day of 1980, as numpy.savez has it: equal arrays make equal files. */
    if (stria__zip.file_set_dostime(zip, (zip_uint64_t)at, 0, 1 << 5 | 1, 0) != 0)
        return stria__npz_fail(stria__zip.get_error(zip), name);
    if (!stored) return STRIA_OK;
    return align(zip, (zip_uint64_t)at, file, member->size, offset);
}

/*
 * Returns the first failure that this library knows, else libzip's. If members write themselves and
 * libzip fails, UNSUPPORTED is returned.
 */
static stria_status cause(zip_t *zip, const struct npz_target *target,
                          const struct npz_member *members, int64_t count)
{
    if (target->status != STRIA_OK) return target->status;
    for (int64_t i = 0; i < count; i++)
        if (members[i].status != STRIA_OK) return members[i].status;
    const stria_status status = stria__npz_fail(stria__zip.get_error(zip), "write");
    return count > 0 && members[0].target ? STRIA_ERR_UNSUPPORTED : status;
}

/* Writes all members to a new archive; themselves: stored members write themselves, which is
 * UNSUPPORTED if this libzip does not let them. */
static stria_status write_members(const char *path, int64_t count, const char *const *names,
                                  struct npz_member *members, stria_npz_packing packing,
                                  bool themselves)
{
    struct npz_target target;
    zip_source_t *source = stria__npz_target(&target, path);
    if (!source) return STRIA_ERR_MEMORY;
    target.members = members;
    target.count = count;
    zip_t *zip = stria__zip.open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &target.error);
    stria_status status = STRIA_OK;
    int64_t offset = 0;
    if (!zip) {
        status = stria__npz_fail(&target.error, "open");
        stria__zip.source_free(source);
        return status;
    }
    for (int64_t i = 0; i < count && status == STRIA_OK; i++) {
        if (themselves) members[i].target = &target;
        status = add_member(zip, names[i], &members[i], packing, &offset);
    }
    if (status == STRIA_OK && stria__zip.close(zip) != 0) {
        status = cause(zip, &target, members, count);
        stria__zip.discard(zip);
    } else if (status != STRIA_OK) {
        stria__zip.discard(zip);
    }
    stria__zip.error_fini(&target.error);
    return status;
}

static stria_status make_members(struct npz_member *members, int64_t count,
                                 const stria_view *const *views, const stria_exec *exec)
{
    for (int64_t i = 0; i < count; i++) {
        STRIA_TRY(stria__npz_member(&members[i], views[i]));
        members[i].exec = exec;
    }
    return STRIA_OK;
}

/* If stored members cannot write themselves, libzip writes them, at half of the speed. */
static stria_status write_all(const char *path, int64_t count, const char *const *names,
                              const stria_view *const *views, stria_npz_packing packing,
                              const stria_exec *exec)
{
    OWNED_BUFFER(room);
    STRIA_TRY(stria_buffer_make(&room, count * (int64_t)sizeof(struct npz_member)));
    struct npz_member *const members = (void *)stria_buffer_data(room);
    const bool stored = packing == STRIA_NPZ_STORED;
    STRIA_TRY(make_members(members, count, views, exec));
    const stria_status status = write_members(path, count, names, members, packing, stored);
    if (!stored || status != STRIA_ERR_UNSUPPORTED) return status;
    STRIA_TRY(make_members(members, count, views, exec));
    return write_members(path, count, names, members, packing, false);
}

stria_status stria_npz_write(const char *path, int count, const char *const *names,
                             const stria_view *const *views, stria_npz_packing packing,
                             const stria_exec *exec)
{
    if (!path) return REFUSE("path is NULL");
    OBEYS(exec);
    STRIA_TRY(stria__check_exec(exec, "npz"));
    STRIA_TRY(check_members(count, names, views, packing));
    STRIA_TRY(stria__zip_load());
    return stria__with_path(write_all(path, count, names, views, packing, exec), path);
}
