/* SPDX-License-Identifier: BSD-3-Clause */
/* All of Stria: views that move no bytes, and an engine that moves them at memory speed. */
#ifndef STRIA_STRIA_H
#define STRIA_STRIA_H

#include "alloc.h"
#include "array.h"
#include "axes.h"
#include "broadcast.h"
#include "buffer.h"
#include "cast.h"
#include "complex.h"
#include "copy.h"
#include "dtype.h"
#include "elementwise.h"
#include "expr.h"
#include "fill.h"
#include "geometry.h"
#include "hash.h"
#include "in_place.h"
#include "indexing.h"
#include "join.h"
#include "npy.h"
#include "overlap.h"
#include "plan.h"
#include "promote.h"
#include "record.h"
#include "reduce.h"
#include "reinterpret.h"
#include "sparse.h"
#include "split.h"
#include "status.h"
#include "threads.h"
#include "version.h"
#include "view.h"
#include "window.h"

#endif
