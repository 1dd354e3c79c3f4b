/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "must.h"

/* The built-in files. */
static const char *const suites[] = {"ttc",         "layouts", "convert",  "fill", "small",
                                     "elementwise", "reduce",  "contract", "sort"};
enum { SUITES = sizeof suites / sizeof *suites };

static const char everything[] = "all";

static stria_status no_such_suite(const char *name, struct failure *failure)
{
    char names[100] = "";
    for (int i = 0; i < SUITES; i++)
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s, ", suites[i]);
    return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                               "there is no suite '%.60s'; there are %sand %s for every one", name,
                               names, everything);
}

stria_status suite_add_named(struct suite_list *list, const char *name, struct failure *failure)
{
    bool found = false;
    for (int i = 0; i < SUITES; i++) {
        if (strcmp(name, suites[i]) && strcmp(name, everything)) continue;
        json_t *const file = json_loads(embedded_text(suites[i]), 0, NULL);
        const stria_status status = suite_add_json(list, file, suites[i], failure);
        json_decref(file);
        STRIA_TRY(status);
        found = true;
    }
    return found ? STRIA_OK : no_such_suite(name, failure);
}

void suite_add(struct suite_list *list, struct suite_case c)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->items = must_realloc(list->items, list->room * sizeof *list->items);
    }
    list->items[list->count++] = c;
}

void suite_filter(struct suite_list *list, const char *text)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct suite_case *c = &list->items[i];
        if (strstr(c->suite, text) || strstr(c->group, text) || strstr(c->name, text))
            list->items[kept++] = *c;
    }
    list->count = kept;
}

void suite_free(struct suite_list *list)
{
    free(list->items);
    stria__pool_free(&list->pool);
}
