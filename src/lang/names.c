/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool stria__name_is_module(const char *name, enum world *world)
{
    static const struct {
        const char *name;
        enum world world;
    } modules[] = {
        {"torch", WORLD_TORCH}, {"np", WORLD_NUMPY}, {"numpy", WORLD_NUMPY}, {"stria", WORLD_ANY}};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (strcmp(name, modules[i].name)) continue;
        *world = modules[i].world;
        return true;
    }
    return false;
}

bool stria__name_is_folder(const char *name)
{
    static const char *const folders[] = {"Tensor", "ndarray",    "lib",         "stride_tricks",
                                          "ops",    "aten",       "array_utils", "special",
                                          "nn",     "functional", "random"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strcmp(name, folders[i])) return true;
    return false;
}

/* Bare letters are codes in NumPy's strings only; in an EXPR they are names of arrays. */
static bool named_dtype(stria_dtype *out, const char *name, enum world world)
{
    static const char *const modules[] = {
        [WORLD_ANY] = "stria", [WORLD_TORCH] = "torch", [WORLD_NUMPY] = "np"};
    char text[128];
    if (!name[0] || !name[1]) return false;
    const int length = snprintf(text, sizeof text, "%s.%s", modules[world], name);
    return length < (int)sizeof text && stria_dtype_parse(out, text) == STRIA_OK;
}

static bool named_format(struct value *out, const char *name)
{
    static const struct {
        const char *name;
        stria_order order;
    } formats[] = {{"contiguous_format", STRIA_ORDER_C},
                   {"preserve_format", STRIA_ORDER_PRESERVE},
                   {"channels_last", STRIA_ORDER_CHANNELS_LAST},
                   {"channels_last_3d", STRIA_ORDER_CHANNELS_LAST_3D}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(name, formats[i].name)) continue;
        out->kind = VALUE_FORMAT;
        out->order = formats[i].order;
        return true;
    }
    return false;
}

/* Classes that a view may have, as NumPy has them. */
static bool named_class(struct value *out, const char *name, enum world world)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } classes[] = {
        {"matrix", STRIA_CLASS_MATRIX}, {"recarray", STRIA_CLASS_RECARRAY}, {"ndarray", 0}};
    for (size_t i = 0; world == WORLD_NUMPY && i < sizeof classes / sizeof *classes; i++) {
        if (strcmp(name, classes[i].name)) continue;
        out->kind = VALUE_CLASS;
        out->class_bits = classes[i].bits;
        return true;
    }
    return false;
}

/* Of both modules, and bare, where no view has the name. */
static bool named_number(struct value *out, const char *name)
{
    static const struct {
        const char *name;
        double value;
    } numbers[] = {{"inf", (double)INFINITY},
                   {"nan", (double)NAN},
                   {"pi", 0x1.921fb54442d18p+1},
                   {"e", 0x1.5bf0a8b145769p+1}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name)) continue;
        out->kind = VALUE_FLOAT;
        out->number.real = numbers[i].value;
        return true;
    }
    return false;
}

bool stria__name_value(struct value *out, const char *name, enum world world)
{
    if (!strcmp(name, "None") || !strcmp(name, "newaxis")) {
        out->kind = VALUE_NONE;
    } else if (!strcmp(name, "True") || !strcmp(name, "False")) {
        out->kind = VALUE_BOOL;
        out->truth = *name == 'T';
    } else if (!strcmp(name, "Ellipsis")) {
        out->kind = VALUE_ELLIPSIS;
    } else if (!strcmp(name, "strided")) {
        out->kind = VALUE_OTHER;
    } else if (!named_number(out, name) && !named_format(out, name) &&
               !named_class(out, name, world)) {
        stria_dtype dtype;
        if (!named_dtype(&dtype, name, world)) return false;
        out->kind = VALUE_DTYPE;
        out->dtype = dtype;
    }
    return true;
}

/* NumPy's meaning first, which '=' asks for: between quotes 'i8' has eight bytes. */
stria_status stria__name_dtype(stria_dtype *out, const struct value *string,
                               struct failure *failure)
{
    const char *text = string->string.text;
    char marked[32];
    const int length = snprintf(marked, sizeof marked, "=%s", text);
    if (*text && strlen(text) == string->string.length &&
        ((length < (int)sizeof marked && stria_dtype_parse(out, marked) == STRIA_OK) ||
         stria_dtype_parse(out, text) == STRIA_OK))
        return STRIA_OK;
    return stria__fail_at(failure, STRIA_ERR_FORMAT, string->at,
                          "'%.60s' is not a dtype; write '<f4', 'float32', f32, torch.float32, ...",
                          text);
}
