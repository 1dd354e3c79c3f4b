/* SPDX-License-Identifier: BSD-3-Clause */
/* What is found out about the nodes of a graph while it is prepared. */
#ifndef STRIA_GRAPH_CUT_H
#define STRIA_GRAPH_CUT_H

#include "graph/graph.h"

/* Facts that are found about a node. */
struct mark {
    bool needed, kept;
    bool ends;    /* an operation that a pass writes: a result, or one that a later part reads */
    bool done;    /* a step before this one computes it */
    int place;    /* in the list of needed nodes */
    int readers;  /* operands that it is */
    int results;  /* results that it is */
    int last;     /* the place of the last reader */
    int together; /* the place where its part begins */
    int leaves;   /* of the part that begins at this place: arrays that it reads */
    int user;     /* what reads it, as a number; NOBODY, SEVERAL */
    int level;
    int stamp;  /* of the part or the expression that it was last found in */
    int number; /* in the expression that was made last */
    double cycles;
};

struct cutting {
    stria_graph *g;
    struct mark *mark;
    int count, *list; /* the needed nodes that are computed */
    int *alive;       /* how many arrays of before a place are read from there on */
};

static inline struct mark *mark_of(const struct cutting *c, int place)
{
    return &c->mark[c->list[place]];
}

static inline const struct graph_node *node_at(const struct cutting *c, int place)
{
    return c->g->node[c->list[place]];
}

/* Finds what is needed, what is computed together, and what is kept as an array; parts.c. */
void stria__graph_choose(struct cutting *c);

/* Finds when each array is read last, and which results are written where they belong; lives.c. */
void stria__graph_find_lives(struct cutting *c);

#endif
