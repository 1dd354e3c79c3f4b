/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A document of figures, read: what `stria bench --json` writes, or bench/compare.py with further
 * rows for other libraries. Text is made from this and from nothing else; report.py makes pages.
 */
#ifndef STRIA_TOOL_BENCH_REPORT_H
#define STRIA_TOOL_BENCH_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "lang/failure.h"
#include "lang/pool.h"
#include "timing.h"

/* Texts are borrowed from the document, or live in the report's pool. */

struct report_row {
    const char *name;
    bool peer;    /* another library's */
    bool planned; /* one that had a plan ready */
    double times; /* of another library: its time in times of the subject's */
    struct quartiles seconds, cpu, speed, to_memcpy, to_flat; /* cpu: 0 where nobody tells */
};

struct report_case {
    const char *suite, *group, *name, *dtype, *to, *shape, *expr, *strategy, *lies_in, *best_flat;
    bool trusted; /* another process had the CPU in half of the rounds at most */
    double bytes, rounds, preempted;
    double flops; /* of contractions; 0: there are none */
    size_t count;
    struct report_row *rows;
    const struct report_row *subject, *planned, *flat; /* of rows; planned may be NULL */
};

struct report_call {
    const char *name;
    bool trusted;
    struct quartiles seconds;
};

/* Cases of one suite and one group: geometric mean and lowest of the subjects' ratios to memcpy. */
struct report_group {
    const char *suite, *name;
    size_t first, count; /* of the cases, which are in the order of their groups */
    size_t untrusted;    /* cases */
    double mean, lowest;
    const char *lowest_name;
};

/*
 * One other library: over the cases that it has, how long it takes in times of the subject, or, if
 * it had a plan ready, of the subject's plan where there is one. The document may tell, by rounds
 * and passes; otherwise it is the ratio of the medians.
 */
struct report_peer {
    const char *name;
    size_t count, faster; /* cases; those where it is faster */
    double mean, lowest;
    const char *lowest_name;
};

struct bench_report {
    struct pool pool;
    const char *cpu, *system, *caches, *stria, *compiler, *libc, *isa;
    const char *commit; /* "" where the document does not tell */
    const char *blas;   /* that contractions take; NULL: there are none */
    int cores, threads;
    size_t ncases, ncalls, ngroups, npeers;
    struct report_case *cases;
    struct report_call *calls;
    struct report_group *groups;
    struct report_peer *peers;
};

/* FORMAT, with the case and the member named. The document must live as long as the report. */
stria_status bench_report_read(struct bench_report *out, const json_t *document,
                               struct failure *failure);
void bench_report_free(struct bench_report *report);

/* Reads one case, for showing it as soon as it is measured. */
stria_status bench_report_read_case(struct report_case *out, const json_t *object,
                                    struct pool *pool, struct failure *failure);

/* Orders the cases by group and finds groups and peers; bench_report_read does. */
void bench_report_summarize(struct bench_report *report);

/* [{"suite","group","cases","mean","lowest","lowest_case"}] */
json_t *bench_report_groups_json(const struct bench_report *report);

/* The heading of the table that bench_text_case fills. */
void bench_text_head(void);
/* One line: speed, quartiles, ratios, where it lies. */
void bench_text_case(const struct report_case *c);
/* All that was measured for a case, one line each. */
void bench_text_rows(const struct report_case *c);
/* What comes after the cases: calls, groups, other libraries, the machine. */
void bench_text_summary(const struct bench_report *report);

#endif
