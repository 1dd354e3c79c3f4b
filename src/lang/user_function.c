/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers functions of users: makes a row of the registry for each, at run time. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "ops/elementwise/user_op.h"
#include "rows/rows.h"
#include "base/status.h"

struct user_function {
    stria_function function;
    const struct form *first;
    struct form form;
    struct function row;
    char signature[300];
    atomic_bool complete;
};

static const struct theme theme = {"functions of the user", .gives = STRIA_GIVES_ARRAYS};
static struct user_function functions[STRIA_USER_FUNCTIONS];

const stria_function *stria__user_function(const char *name, size_t length)
{
    for (int i = 0; i < STRIA_USER_FUNCTIONS; i++) {
        const struct text_span *const own = &functions[i].function.name;
        if (atomic_load(&functions[i].complete) && own->length == length &&
            !memcmp(own->text, name, length))
            return &functions[i].function;
    }
    return NULL;
}

/* Tells whether the name already means something in text: an operation, a dtype, a number. */
static bool is_taken(const char *name)
{
    int op = 0;
    struct value value = {0};
    if (stria_function_find(name) || stria__eval_builtin(name) ||
        stria__name_value(&value, name, WORLD_ANY))
        return true;
    while (op < STRIA_OPS && strcmp(stria_op_name((stria_op)op), name) != 0)
        op++;
    return op < STRIA_OPS;
}

static stria_status check_name(const char *name)
{
    static const char copied[] = "_copy";
    if (!name) return stria__fail(STRIA_ERR_ARGUMENT, "register: there is no name");
    const size_t n = strlen(name);
    if (n >= USER_NAME)
        return stria__fail(STRIA_ERR_ARGUMENT, "register: a name of %zu bytes, takes %d", n,
                           USER_NAME - 1);
    const char *const why = stria__environment_refuses(name);
    if (why) return stria__fail(STRIA_ERR_ARGUMENT, "register: '%s' %s", name, why);
    if (name[0] == '_' || name[n - 1] == '_' ||
        (n >= sizeof copied && !strcmp(name + n + 1 - sizeof copied, copied)))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "register: '%s': names that begin or end in _, or end in _copy, have a "
                           "meaning of their own",
                           name);
    if (!is_taken(name)) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "register: there is a function %s already", name);
}

/* Makes the row of the function at `place`, and makes it known. */
static void complete(int place, const stria_user_function *f)
{
    struct user_function *const to = &functions[place];
    const stria_op op = (stria_op)(STRIA_OPS + place);
    size_t used = (size_t)snprintf(to->signature, sizeof to->signature, "%s(", stria_op_name(op));
    for (int k = 0; k < f->inputs; k++)
        used += (size_t)snprintf(to->signature + used, sizeof to->signature - used,
                                 k ? ", x%d:operand" : "self|x%d:operand", k + 1);
    (void)snprintf(to->signature + used, sizeof to->signature - used,
                   ", out:array?=None, where:operand?=None, casting:text='same_kind')");
    to->row = (struct function){.signature = to->signature,
                                .whose = "",
                                .run = stria__row_operation,
                                .c = "stria_user_register",
                                .doc = f->doc ? f->doc : "Computes what its user registered.",
                                .operation = (int)op,
                                .waits = ALL_WAIT};
    (void)stria__signature_read(&to->form.signature, to->signature);
    to->form.row = &to->row;
    to->form.theme = &theme;
    to->first = &to->form;
    to->function = (stria_function){
        .name = to->form.signature.names, .count = 1, .operation = (int)op, .forms = &to->first};
    atomic_store(&to->complete, true);
}

stria_status stria_user_register(stria_op *op, const stria_user_function *function)
{
    int place;
    if (!function) return stria__fail(STRIA_ERR_ARGUMENT, "register: function is NULL");
    STRIA_TRY(check_name(function->name));
    STRIA_TRY(stria__user_op_add(&place, function));
    complete(place, function);
    if (op) *op = (stria_op)(STRIA_OPS + place);
    return STRIA_OK;
}

stria_status stria_user_unregister(stria_op op)
{
    const int place = (int)op - STRIA_OPS;
    STRIA_TRY(stria__user_op_remove(place));
    atomic_store(&functions[place].complete, false);
    return STRIA_OK;
}
