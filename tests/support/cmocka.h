/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of cmocka, with those that it wants before it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
