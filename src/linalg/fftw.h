/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTW, where STRIA_FFT names one. */
#pragma once

#include "linalg/fft_plan.h"
#include "stria/status.h"

/* Refuses a call where STRIA_FFT names what cannot be loaded. */
stria_status stria__fftw(const char *op);
/* Whether there is an FFTW of this precision for lines of this length. */
bool stria__fftw_has(const struct fft_plan *p);
/* Makes its plans of both directions; false: no memory. They are released in either case. */
bool stria__fftw_plan(struct fft_plan *p);
void stria__fftw_release(const struct fft_plan *p);
/* The functions of plans that stria__fftw_plan has made. */
extern const struct fft_precision stria__fftw_rows;
