/* SPDX-License-Identifier: BSD-3-Clause */
/* What many cases come to: their groups, and every other library over the cases that it has. */
#include <math.h>
#include <string.h>

#include "bench_report.h"
#include "json.h"
#include "must.h"

static bool same_group(const struct report_case *a, const struct report_case *b)
{
    return !strcmp(a->suite, b->suite) && !strcmp(a->group, b->group);
}

/* Brings the cases of a group together, without changing the order otherwise. */
static void order_by_group(struct bench_report *r)
{
    for (size_t i = 1; i < r->ncases; i++) {
        const struct report_case moved = r->cases[i];
        size_t to = i;
        while (to > 0 && !same_group(&r->cases[to - 1], &moved))
            to--;
        if (to == 0) continue;
        memmove(&r->cases[to + 1], &r->cases[to], (i - to) * sizeof moved);
        r->cases[to] = moved;
    }
}

static void find_groups(struct bench_report *r)
{
    r->groups = must_take_array(&r->pool, r->ncases + 1, sizeof *r->groups);
    for (size_t i = 0; i < r->ncases; i++) {
        const struct report_case *c = &r->cases[i];
        struct report_group *g = &r->groups[r->ngroups - (r->ngroups > 0)];
        if (!i || !same_group(c, c - 1)) {
            g = &r->groups[r->ngroups++];
            *g = (struct report_group){.suite = c->suite,
                                       .name = c->group,
                                       .first = i,
                                       .lowest = INFINITY,
                                       .lowest_name = ""};
        }
        const double ratio = c->subject->to_memcpy.median;
        if (ratio < g->lowest) {
            g->lowest = ratio;
            g->lowest_name = c->name;
        }
        g->mean += log(ratio);
        g->count++;
        g->untrusted += !c->trusted;
    }
    for (size_t i = 0; i < r->ngroups; i++)
        r->groups[i].mean = exp(r->groups[i].mean / (double)r->groups[i].count);
}

static struct report_peer *peer_named(struct bench_report *r, const char *name)
{
    for (size_t i = 0; i < r->npeers; i++)
        if (!strcmp(r->peers[i].name, name)) return &r->peers[i];
    struct report_peer *p = &r->peers[r->npeers++];
    *p = (struct report_peer){.name = name, .lowest = INFINITY};
    return p;
}

static void find_peers(struct bench_report *r)
{
    size_t rows = 0;
    for (size_t i = 0; i < r->ncases; i++)
        rows += r->cases[i].count;
    r->peers = must_take_array(&r->pool, rows + 1, sizeof *r->peers);
    for (size_t i = 0; i < r->ncases; i++) {
        const struct report_case *c = &r->cases[i];
        for (size_t k = 0; k < c->count; k++) {
            if (!c->rows[k].peer) continue;
            struct report_peer *p = peer_named(r, c->rows[k].name);
            const double times = c->rows[k].times;
            if (times < p->lowest) {
                p->lowest = times;
                p->lowest_name = c->name;
            }
            p->faster += times < 1;
            p->mean += log(times);
            p->count++;
        }
    }
    for (size_t i = 0; i < r->npeers; i++)
        r->peers[i].mean = exp(r->peers[i].mean / (double)r->peers[i].count);
}

void bench_report_summarize(struct bench_report *report)
{
    order_by_group(report);
    find_groups(report);
    find_peers(report);
}

json_t *bench_report_groups_json(const struct bench_report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->ngroups; i++) {
        const struct report_group *g = &report->groups[i];
        json_t *object = json_object();
        json_put(object, "suite", json_string(g->suite));
        json_put(object, "group", json_string(g->name));
        json_put(object, "cases", json_integer((json_int_t)g->count));
        json_put(object, "untrusted", json_integer((json_int_t)g->untrusted));
        json_put(object, "mean", json_real(g->mean));
        json_put(object, "lowest", json_real(g->lowest));
        json_put(object, "lowest_case", json_string(g->lowest_name));
        (void)json_array_append_new(list, object);
    }
    return list;
}
