/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The copies that are measured: a source view of a dense array, and a destination that is dense, or
 * a view of a dense array, too.
 */
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stria/stria.h"

namespace bench
{

using shape = std::vector<int64_t>;
using view_of = std::function<stria_view(const stria_view &)>;

struct copy_case {
    std::string name;
    stria_kind kind;
    shape from;     /* Shape of the array that the source is a view of. */
    view_of source; /* The view; empty: the whole array. */
    /* Shape of the array that the destination is a view of; empty: dense, with the source's
     * shape. */
    shape into;
    view_of target;
};

const std::vector<copy_case> &copy_cases();

/* Make the views of a case in two buffers, which may be meta buffers. */
stria_view source_view(const copy_case &c, stria_buffer *buffer);
stria_view target_view(const copy_case &c, const stria_view &source, stria_buffer *buffer);
/* Return the bytes of the two arrays. */
int64_t source_bytes(const copy_case &c);
int64_t target_bytes(const copy_case &c, const stria_view &source);

/* Returns the bytes of the items that a copy writes. */
int64_t bytes_written(const copy_case &c);

} // namespace bench
