/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that are found out about the nodes of a graph while it is prepared. */
#pragma once

#include "graph/graph.h"

/* Facts that are found about a node. */
struct mark {
    bool needed, kept;
    bool ends;    /* A pass writes it: it is a result, or a later part reads it. */
    bool aside;   /* Other nodes are computed with it while it is written. */
    bool done;    /* An earlier step computes it. */
    int place;    /* Its place in the list of needed nodes. */
    int readers;  /* Number of operands of other nodes that are this node. */
    int results;  /* Number of results that are this node. */
    int last;     /* Place of the node that reads it last. */
    int together; /* Place where its part begins. */
    int leaves;   /* Number of arrays that the part reads which begins at this place. */
    int user;     /* Number of the pass or node that reads it, NOBODY or SEVERAL. */
    int level;
    int stamp;  /* Number of the part or expression that it was last found in. */
    int number; /* Its number in the expression that was made last. */
    double cycles;
};

struct cutting {
    stria_graph *g;
    struct mark *mark;
    int count, *list; /* Lists the needed nodes that are computed. */
    /* Number of arrays made before a place that are read from there on, for each place. */
    int *alive;
};

static inline struct mark *mark_of(const struct cutting *c, int place)
{
    return &c->mark[c->list[place]];
}

static inline const struct graph_node *node_at(const struct cutting *c, int place)
{
    return c->g->node[c->list[place]];
}

/* Finds what is needed, what is computed together, and what is kept as an array (parts.c). */
void stria__graph_choose(struct cutting *c);

/* Finds when each array is read last, and which results are written directly to their places
 * (lives.c). */
void stria__graph_find_lives(struct cutting *c);
