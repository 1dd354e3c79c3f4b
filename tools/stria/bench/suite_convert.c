/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies to another dtype: 16 Mi elements from memory, 16 Ki in the L2 cache, and transposed. */
#include <stdio.h>
#include <string.h>

#include "must.h"
#include "suite.h"

struct pair {
    const char *from, *to;
};

static const struct pair pairs[] = {
    {"f32", "f16"}, {"f16", "f32"}, {"f32", "bf16"}, {"bf16", "f32"}, {"u8", "f32"},
    {"f32", "u8"},  {"f64", "f32"}, {"f32", "f64"},  {"i32", "f32"},  {"i64", "f32"},
};

static const char *name_of(struct suite_list *list, const struct pair *p, const char *where)
{
    char name[60];
    const int length = snprintf(name, sizeof name, "%s to %s, %s", p->from, p->to, where);
    return must_text(&list->pool, name, (size_t)length);
}

/* In cache the arithmetic shows, so what differs in it is judged apart. */
static const char *group_in_cache(const struct pair *p)
{
    const bool narrow_from = !strcmp(p->from, "f16") || !strcmp(p->from, "bf16");
    const bool narrow_to = !strcmp(p->to, "f16") || !strcmp(p->to, "bf16");
    if (narrow_to) return "convert in cache, f32 to 2-byte float";
    if (narrow_from) return "convert in cache, 2-byte float to f32";
    return !strcmp(p->from, "u8") ? "convert in cache, u8 to f32" : "convert in cache, others";
}

static void add(struct suite_list *list)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct pair *p = &pairs[i];
        struct suite_case c = {.suite = "convert", .dtype = p->from, .to = p->to, .expr = ""};
        c.group = "convert from DRAM";
        c.name = name_of(list, p, "16Mi");
        c.shape = "16777216";
        suite_add(list, c);
        c.group = group_in_cache(p);
        c.name = name_of(list, p, "16Ki");
        c.shape = "16384";
        suite_add(list, c);
    }
    static const struct pair turned[] = {{"f32", "bf16"}, {"f32", "f16"}};
    for (size_t i = 0; i < sizeof turned / sizeof *turned; i++)
        suite_add(list, (struct suite_case){.suite = "convert",
                                            .group = "convert f32.T to 2-byte float",
                                            .name = name_of(list, &turned[i], "4096x4096 .T"),
                                            .dtype = turned[i].from,
                                            .to = turned[i].to,
                                            .shape = "4096,4096",
                                            .expr = ".T"});
}

const struct suite convert_suite = {"convert", add};
