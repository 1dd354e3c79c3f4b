/* SPDX-License-Identifier: BSD-3-Clause */
/* What text is evaluated with: views by name, and whose rules operators and bare names follow. */
#ifndef STRIA_LANG_ENVIRONMENT_H
#define STRIA_LANG_ENVIRONMENT_H

#include "names.h"

struct named_view {
    const char *name;
    const stria_view *view;
};

struct environment {
    const struct named_view *views; /* a chain without a head starts at views[0]; its name is ""
                                       where there is none to start at */
    size_t count;                   /* at least 1 */
    enum world rules;               /* ANY is PyTorch's */
};

bool stria__environment_has_x(const struct environment *environment);
/* Returns the view of that name, or NULL. */
const stria_view *stria__environment_find(const struct environment *environment, const char *name);
/* Returns the name of the first view whose memory the buffer is, or NULL. */
const char *stria__environment_owner(const struct environment *environment,
                                     const stria_buffer *buffer);
/* Makes an array with the bounds and the geometry of a, and no memory. */
stria_status stria__meta_of(stria_array *out, const stria_view *a);
/* Says why a view cannot have that name; NULL where it can. */
const char *stria__environment_refuses(const char *name);

#endif
