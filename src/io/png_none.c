/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of png.h in a library that is built without libpng: both refuse. */
#include "base/status.h"
#include "plan/threads.h"
#include "stria/png.h"

static stria_status refuse_picture(void)
{
    return stria__fail(STRIA_ERR_UNSUPPORTED, "png: this library was built without libpng; install "
                                              "it (libpng-dev) and build again");
}

stria_status stria_png_read(stria_array *out, const char *path, stria_npy_mode mode,
                            const stria_exec *exec)
{
    TAKES_EXEC(exec, "png_read");
    (void)out, (void)path, (void)mode;
    return refuse_picture();
}

stria_status stria_png_write(const char *path, const stria_view *a, const stria_exec *exec)
{
    (void)path, (void)a, (void)exec;
    return refuse_picture();
}
