/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "stria/csv.h"

/* Returns ARGUMENT for a character that numbers are written with, or 0. */
stria_status stria__csv_check_delimiter(char delimiter);
