/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of npz.h in a library that is built without libzip: all refuse. */
#include "stria/npz.h"

#include "base/status.h"
#include "plan/threads.h"

static stria_status refuse_archive(void)
{
    return stria__fail(STRIA_ERR_UNSUPPORTED, "npz: this library was built without libzip and "
                                              "libdeflate; install them (libzip-dev, "
                                              "libdeflate-dev) and build again");
}

stria_status stria_npz_open(stria_npz **out, const char *path)
{
    (void)out, (void)path;
    return refuse_archive();
}

void stria_npz_release(stria_npz *npz)
{
    (void)npz;
}

int64_t stria_npz_count(const stria_npz *npz)
{
    (void)npz;
    return 0;
}

const char *stria_npz_name(const stria_npz *npz, int64_t i)
{
    (void)npz, (void)i;
    return NULL;
}

stria_status stria_npz_read(stria_array *out, stria_npz *npz, const char *name, stria_npz_mode mode,
                            const stria_exec *exec)
{
    TAKES_EXEC(exec, "npz_read");
    (void)out, (void)npz, (void)name, (void)mode;
    return refuse_archive();
}

stria_status stria_npz_write(const char *path, int count, const char *const *names,
                             const stria_view *const *views, stria_npz_packing packing,
                             const stria_exec *exec)
{
    (void)path, (void)count, (void)names, (void)views, (void)packing, (void)exec;
    return refuse_archive();
}
