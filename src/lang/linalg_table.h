/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of functions that libstria_linalg hands over. Both libraries are of one version. */
#ifndef STRIA_LANG_LINALG_TABLE_H
#define STRIA_LANG_LINALG_TABLE_H

#include "stria/fft.h"

typedef stria_status fft_into(const stria_view *out, const stria_view *a,
                              const stria_fft_options *options, const stria_exec *exec);
typedef stria_status fft_made(stria_array *out, const stria_view *a,
                              const stria_fft_options *options, const stria_exec *exec);

enum fft_function { FFT_FFT, FFT_IFFT, FFT_RFFT, FFT_IRFFT, FFT_HFFT, FFT_IHFFT, FFT_FUNCTIONS };

struct stria_linalg_table {
    int version;
    /* A function of the libstria that it works with, which is the caller's unless there are two. */
    const char *(*library)(void);
    fft_into *fft[FFT_FUNCTIONS];
    fft_made *fft_new[FFT_FUNCTIONS];
};

/* Returns the table; declared weak where calls by name look for it. */
STRIA_API const struct stria_linalg_table *stria_linalg_table(void);

#endif
