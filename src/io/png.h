/* SPDX-License-Identifier: BSD-3-Clause */
/* Failures of libpng, for reading and writing pictures. */
#pragma once

#include <png.h>
#include <setjmp.h>

#include "stria/png.h"

/* Stores an error of libpng, and the place that it jumps back to. */
struct png_failure {
    jmp_buf jump;
    char text[120];
};

/* Both are passed to png_create_read_struct and png_create_write_struct, with a struct
 * png_failure. */
void stria__png_failed(png_structp png, png_const_charp text) __attribute__((noreturn));
void stria__png_warned(png_structp png, png_const_charp text);
