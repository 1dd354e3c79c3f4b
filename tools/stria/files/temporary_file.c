/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "temporary_file.h"

#include <errno.h>
#include <unistd.h>

#include "stria/raw.h"
#include "tool.h"

static int make_file(char path[TEMPORARY_PATH], struct failure *failure)
{
    const char *folder = getenv("TMPDIR");
#ifdef _WIN32
    if (!folder || !*folder) folder = getenv("TEMP");
#endif
    const int length =
        snprintf(path, TEMPORARY_PATH, "%s/stria-XXXXXX", folder && *folder ? folder : "/var/tmp");
    const int fd = length > 0 && length < TEMPORARY_PATH ? mkstemp(path) : -1;
    if (fd < 0)
        (void)stria__fail_request(failure, STRIA_ERR_IO, "no temporary file in TMPDIR or /var/tmp");
    return fd;
}

#ifdef _WIN32
int nameless_open(struct failure *failure)
{
    (void)stria__fail_request(failure, STRIA_ERR_IO,
                              "this wants a file without a name, which Windows does not have; name "
                              "a file instead of standard input, or raise --memory");
    return -1;
}
#else
/* No signal comes while the file has a name. */
int nameless_open(struct failure *failure)
{
    char path[TEMPORARY_PATH];
    interrupt_hold();
    const int fd = make_file(path, failure);
    if (fd >= 0) (void)unlink(path);
    interrupt_let_go();
    return fd;
}
#endif

stria_status nameless_map(stria_array *out, int fd, const stria_view *a)
{
    char path[40];
    (void)snprintf(path, sizeof path, DESCRIPTOR_PATH, fd);
    return stria_raw_read(out, path, a->dtype, a->ndim, a->shape, 0, STRIA_NPY_MAP, NULL);
}

stria_status temporary_path(char path[TEMPORARY_PATH], struct failure *failure)
{
    const int fd = make_file(path, failure);
    if (fd >= 0) (void)close(fd);
    return fd < 0 ? STRIA_ERR_IO : STRIA_OK;
}

stria_status copy_bytes(int to, int from, struct failure *failure)
{
    static char room[64 << 10];
    ssize_t n = 0, done = 0, wrote = 0;
    do {
        if (done >= n) done = 0, n = read(from, room, sizeof room);
        if (n > 0) wrote = write(to, room + done, (unsigned)(n - done));
        if (n > 0 && wrote > 0) done += wrote;
    } while (n > 0 ? wrote >= 0 || errno == EINTR : n < 0 && errno == EINTR);
    if (n == 0) return STRIA_OK;
    return fail_found(failure, STRIA_ERR_IO, "a pipe cannot be %s: %s", n < 0 ? "read" : "written",
                      strerror(errno));
}
