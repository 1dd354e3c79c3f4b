/* SPDX-License-Identifier: BSD-3-Clause */
/* The headers that nearly every file of the tool needs. */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "command.h"
#include "interrupt.h"
#include "json_values.h"
#include "must.h"
#include "report.h"
#include "terminal.h"
