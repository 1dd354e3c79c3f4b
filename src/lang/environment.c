/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dtype/dtype.h"
#include "signature.h"
#include "stria/stria.h"
#include "syntax.h"
#include "view/view.h"

bool stria__name_is_module(const char *name, enum world *world)
{
    static const enum world worlds[] = {WORLD_TORCH, WORLD_NUMPY, WORLD_NUMPY, WORLD_ANY};
    const int module = stria__choice("torch|np|numpy|stria", name);
    if (module >= 0) *world = worlds[module];
    return module >= 0;
}

bool stria__name_is_folder(const char *name)
{
    return stria__choice(
               "Tensor|ndarray|lib|stride_tricks|ops|aten|array_utils|special|nn|functional|"
               "random",
               name) >= 0;
}

/* Finds a dtype by a bare name. Single letters mean dtypes only in NumPy's strings; in an EXPR they
 * are names of arrays. */
static bool named_dtype(stria_dtype *out, const char *name, enum world world)
{
    static const char *const modules[] = {
        [WORLD_ANY] = "stria", [WORLD_TORCH] = "torch", [WORLD_NUMPY] = "np"};
    char text[128];
    if (!name[0] || !name[1]) return false;
    const int length = snprintf(text, sizeof text, "%s.%s", modules[world], name);
    return length < (int)sizeof text && stria_dtype_parse(out, text) == STRIA_OK;
}

/* Names that stand for a value, bare (if no view has the name) and in both modules, or in one
 * module. */
static const struct {
    const char *name;
    struct value value;
    enum world only; /* The only module that has it; ANY: both. */
} names[] = {
    {"None", {.kind = VALUE_NONE}, WORLD_ANY},
    {"newaxis", {.kind = VALUE_NONE}, WORLD_ANY},
    {"True", {.kind = VALUE_BOOL, .truth = true}, WORLD_ANY},
    {"False", {.kind = VALUE_BOOL}, WORLD_ANY},
    {"Ellipsis", {.kind = VALUE_ELLIPSIS}, WORLD_ANY},
    {"strided", {.kind = VALUE_OTHER}, WORLD_ANY},
    {"inf", {.kind = VALUE_FLOAT, .number = {(double)INFINITY, 0}}, WORLD_ANY},
    {"nan", {.kind = VALUE_FLOAT, .number = {(double)NAN, 0}}, WORLD_ANY},
    {"pi", {.kind = VALUE_FLOAT, .number = {0x1.921fb54442d18p+1, 0}}, WORLD_ANY},
    {"e", {.kind = VALUE_FLOAT, .number = {0x1.5bf0a8b145769p+1, 0}}, WORLD_ANY},
    {"contiguous_format", {.kind = VALUE_FORMAT, .order = STRIA_ORDER_C}, WORLD_ANY},
    {"preserve_format", {.kind = VALUE_FORMAT, .order = STRIA_ORDER_PRESERVE}, WORLD_ANY},
    {"channels_last", {.kind = VALUE_FORMAT, .order = STRIA_ORDER_CHANNELS_LAST}, WORLD_ANY},
    {"channels_last_3d", {.kind = VALUE_FORMAT, .order = STRIA_ORDER_CHANNELS_LAST_3D}, WORLD_ANY},
    {"matrix", {.kind = VALUE_CLASS, .class_bits = STRIA_CLASS_MATRIX}, WORLD_NUMPY},
    {"recarray", {.kind = VALUE_CLASS, .class_bits = STRIA_CLASS_RECARRAY}, WORLD_NUMPY},
    {"ndarray", {.kind = VALUE_CLASS}, WORLD_NUMPY},
};

bool stria__name_value(struct value *out, const char *name, enum world world)
{
    const size_t at = out->at;
    stria_dtype dtype;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (*name != *names[i].name || (names[i].only && names[i].only != world) ||
            strcmp(name, names[i].name))
            continue;
        *out = names[i].value;
        out->at = at;
        return true;
    }
    if (!named_dtype(&dtype, name, world)) return false;
    *out = (struct value){.kind = VALUE_DTYPE, .at = at, .dtype = dtype};
    return true;
}

/* NumPy's meaning comes first: between quotes 'i8' has eight bytes. */
stria_status stria__name_dtype(stria_dtype *out, const struct value *string,
                               struct failure *failure)
{
    const char *text = string->string.text;
    if (strlen(text) == string->string.length && (stria__dtype_parse_numpy(out, text) == STRIA_OK ||
                                                  stria_dtype_parse(out, text) == STRIA_OK))
        return STRIA_OK;
    return stria__fail_at(failure, STRIA_ERR_DTYPE, string->at,
                          "'%.60s' is not a dtype; write '<f4', 'float32', f32, torch.float32, ...",
                          text);
}

/* ---- views by name --------------------------------------------------------------------------- */

bool stria__environment_has_x(const struct environment *environment)
{
    return *environment->views[0].name;
}

const stria_view *stria__environment_find(const struct environment *environment, const char *name)
{
    for (size_t i = 0; i < environment->count; i++)
        if (!strcmp(environment->views[i].name, name)) return environment->views[i].view;
    return NULL;
}

const char *stria__environment_owner(const struct environment *environment,
                                     const stria_buffer *buffer)
{
    for (size_t i = 0; i < environment->count; i++)
        if (environment->views[i].view->buffer == buffer) return environment->views[i].name;
    return NULL;
}

static bool is_word(const char *name)
{
    enum world world;
    struct value value = {0};
    return stria__name_is_module(name, &world) || stria__operation_is_word(name) ||
           (stria__name_value(&value, name, WORLD_ANY) && value.kind != VALUE_DTYPE &&
            value.kind != VALUE_FLOAT);
}

const char *stria__environment_refuses(const char *name)
{
    return !stria__is_identifier(name) ? "is not a name"
           : is_word(name)             ? "means something else in text"
                                       : NULL;
}
