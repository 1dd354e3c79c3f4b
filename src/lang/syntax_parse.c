/* SPDX-License-Identifier: BSD-3-Clause */
/* EXPR as a tree, by recursive descent with a bound on its depth; chains of postfixes are lists. */
#include <string.h>

#include "stack.h"
#include "syntax.h"

struct parser {
    struct lexer lexer;
    struct token now;
    size_t begin;    /* Byte of the first token. */
    size_t end;      /* End of the previous token. */
    int depth;       /* Nesting of brackets and signs. */
    int nested;      /* Nesting of those and of right operands. */
    int most;        /* Limit of nested. */
    uintptr_t least; /* Lowest address that the stack may reach. */
};

/* A list while it is made. */
struct list {
    struct node *first, *last;
    uint32_t count;
};

static stria_status parse_value(struct parser *p, struct node **out);

static stria_status advance(struct parser *p)
{
    p->end = p->now.end;
    return stria__lex(&p->lexer, &p->now);
}

static bool at_mark(const struct parser *p, char mark)
{
    return p->now.kind == TOKEN_MARK && p->now.mark == mark;
}

static struct node *new_node(struct parser *p, enum node_kind kind)
{
    struct node *node = stria__pool_take(p->lexer.pool, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->start = (uint32_t)p->now.start;
    node->end = (uint32_t)p->now.end;
    return node;
}

/* Appends a node, and those that follow it by next. */
static void append(struct list *list, struct node *node)
{
    if (list->last)
        list->last->next = node;
    else
        list->first = node;
    for (; node; node = node->next, list->count++)
        list->last = node;
}

static void adopt(struct node *node, const struct list *list)
{
    node->first = list->first;
    node->count = list->count;
}

static stria_status unexpected(struct parser *p, const char *wanted)
{
    const struct token *t = &p->now;
    if (t->kind == TOKEN_END)
        return stria__fail_at(p->lexer.failure, STRIA_ERR_FORMAT, t->start,
                              "%s expected, but the text ends", wanted);
    return stria__fail_at(p->lexer.failure, STRIA_ERR_FORMAT, t->start, "%s expected before '%.*s'",
                          wanted, (int)(t->end - t->start > 40 ? 40 : t->end - t->start),
                          p->lexer.source + t->start);
}

static stria_status expect_mark(struct parser *p, char mark, struct node *closes)
{
    if (!at_mark(p, mark)) {
        const char wanted[] = {'\'', mark, '\'', 0};
        return unexpected(p, wanted);
    }
    if (closes) closes->end = (uint32_t)p->now.end;
    return advance(p);
}

static stria_status too_deep(struct parser *p, int most)
{
    return stria__fail_at(p->lexer.failure, STRIA_ERR_FORMAT, p->now.start,
                          "brackets, signs and right operands are nested deeper than %d", most);
}

/* Counts the nesting of a right operand, since the parser calls itself for it. */
static stria_status enter_operand(struct parser *p)
{
    if (!stria__stack_is_left(p->least)) return stria__fail_deep(p->lexer.failure, p->now.start);
    return ++p->nested > p->most ? too_deep(p, p->most) : STRIA_OK;
}

static stria_status enter(struct parser *p)
{
    if (++p->depth > EXPR_MAX_DEPTH) return too_deep(p, EXPR_MAX_DEPTH);
    return enter_operand(p);
}

static void leave_level(struct parser *p)
{
    p->depth--;
    p->nested--;
}

/* Takes a comma after an item, unless the list closes here. */
static stria_status separate(struct parser *p, char close)
{
    if (at_mark(p, close)) return STRIA_OK;
    if (!at_mark(p, ',')) {
        const char wanted[] = {'\'', ',', '\'', ' ', 'o', 'r', ' ', '\'', close, '\'', 0};
        return unexpected(p, wanted);
    }
    return advance(p);
}

/* Parses one item, or several linked by next; before is the last of those in front, or NULL. */
typedef stria_status parse_item(struct parser *p, const struct node *before, struct node **out);

/* Parses the bracket at the cursor, and items with commas between them up to the closing one. */
static stria_status parse_brackets(struct parser *p, enum node_kind kind, char close,
                                   parse_item *parse, struct node **out)
{
    struct node *const node = *out = new_node(p, kind);
    struct list list = {0};
    TRY_MEMORY(node);
    STRIA_TRY(enter(p));
    STRIA_TRY(advance(p));
    if (kind == NODE_SUBSCRIPT && at_mark(p, close)) return unexpected(p, "an index");
    while (!at_mark(p, close)) {
        struct node *item = NULL;
        STRIA_TRY(parse(p, list.last, &item));
        append(&list, item);
        node->comma = node->comma || at_mark(p, ',');
        STRIA_TRY(separate(p, close));
    }
    adopt(node, &list);
    STRIA_TRY(expect_mark(p, close, node));
    leave_level(p);
    return STRIA_OK;
}

static stria_status parse_element(struct parser *p, const struct node *before, struct node **out)
{
    (void)before;
    return parse_value(p, out);
}

/* ( ) is a tuple when it is empty or has a comma, else it only groups. */
static stria_status parse_parentheses(struct parser *p, struct node **out)
{
    STRIA_TRY(parse_brackets(p, NODE_TUPLE, ')', parse_element, out));
    if ((*out)->count == 1 && !(*out)->comma) *out = (*out)->first;
    return STRIA_OK;
}

/* Parses key: value. */
static stria_status parse_pair(struct parser *p, const struct node *before, struct node **out)
{
    (void)before;
    STRIA_TRY(parse_value(p, out));
    STRIA_TRY(expect_mark(p, ':', NULL));
    return parse_value(p, &(*out)->next);
}

static stria_status parse_atom(struct parser *p, struct node **out)
{
    static const enum node_kind kinds[] = {
        [TOKEN_NAME] = NODE_NAME,     [TOKEN_INT] = NODE_INT,
        [TOKEN_FLOAT] = NODE_FLOAT,   [TOKEN_IMAGINARY] = NODE_IMAGINARY,
        [TOKEN_STRING] = NODE_STRING, [TOKEN_ELLIPSIS] = NODE_ELLIPSIS,
    };
    if (at_mark(p, '(')) return parse_parentheses(p, out);
    if (at_mark(p, '[')) return parse_brackets(p, NODE_LIST, ']', parse_element, out);
    if (at_mark(p, '{')) return parse_brackets(p, NODE_DICT, '}', parse_pair, out);
    const bool word = p->now.kind == TOKEN_NAME && stria__operation_is_word(p->now.text);
    if (p->now.kind == TOKEN_END || p->now.kind == TOKEN_MARK || word)
        return unexpected(p, "a value");
    struct node *node = *out = new_node(p, kinds[p->now.kind]);
    TRY_MEMORY(node);
    node->magnitude = p->now.magnitude;
    node->huge = p->now.huge;
    node->number = p->now.number;
    node->text = p->now.text;
    node->length = p->now.length;
    return advance(p);
}

static stria_status parse_attribute(struct parser *p, struct node **out)
{
    struct node *node = *out = new_node(p, NODE_ATTRIBUTE);
    TRY_MEMORY(node);
    STRIA_TRY(advance(p));
    if (p->now.kind != TOKEN_NAME) return unexpected(p, "a name after '.'");
    node->text = p->now.text;
    node->length = p->now.length;
    node->end = (uint32_t)p->now.end;
    return advance(p);
}

/* Tells whether NAME = ... follows. */
static bool at_keyword(const struct parser *p)
{
    struct lexer ahead = p->lexer;
    struct failure unused = {0};
    ahead.failure = &unused;
    struct token token;
    return p->now.kind == TOKEN_NAME && stria__lex(&ahead, &token) == STRIA_OK &&
           token.kind == TOKEN_MARK && token.mark == '=';
}

static stria_status parse_star(struct parser *p, struct node **out)
{
    struct node *node = *out = new_node(p, NODE_STAR);
    TRY_MEMORY(node);
    STRIA_TRY(advance(p));
    return parse_value(p, &node->a);
}

static stria_status parse_keyword(struct parser *p, struct node **out)
{
    struct node *node = *out = new_node(p, NODE_KEYWORD);
    TRY_MEMORY(node);
    node->text = p->now.text;
    node->length = p->now.length;
    STRIA_TRY(advance(p));
    STRIA_TRY(advance(p));
    return parse_value(p, &node->a);
}

static stria_status parse_argument(struct parser *p, const struct node *before, struct node **out)
{
    const size_t at = p->now.start;
    if (at_keyword(p)) return parse_keyword(p, out);
    STRIA_TRY(at_mark(p, '*') ? parse_star(p, out) : parse_value(p, out));
    if (!before || before->kind != NODE_KEYWORD) return STRIA_OK;
    return stria__fail_at(p->lexer.failure, STRIA_ERR_FORMAT, at,
                          "a positional argument follows a keyword argument");
}

static bool at_part(const struct parser *p)
{
    return !at_mark(p, ':') && !at_mark(p, ',') && !at_mark(p, ']');
}

static stria_status parse_index(struct parser *p, const struct node *before, struct node **out)
{
    (void)before;
    struct node *parts[3] = {NULL, NULL, NULL};
    struct node *slice = new_node(p, NODE_SLICE);
    TRY_MEMORY(slice);
    if (at_part(p)) STRIA_TRY(parse_value(p, &parts[0]));
    if (!at_mark(p, ':')) {
        if (!parts[0]) return unexpected(p, "an index");
        *out = parts[0];
        return STRIA_OK;
    }
    for (int i = 1; i < 3 && at_mark(p, ':'); i++) {
        STRIA_TRY(advance(p));
        if (at_part(p)) STRIA_TRY(parse_value(p, &parts[i]));
    }
    slice->a = parts[0];
    slice->b = parts[1];
    slice->c = parts[2];
    *out = slice;
    return STRIA_OK;
}

static bool at_postfix(const struct parser *p)
{
    return at_mark(p, '.') || at_mark(p, '(') || at_mark(p, '[');
}

/*
 * Parses the postfixes of head; NULL stands for x. Without any, the value is head itself. A node
 * with parts reaches from the first token to the last, parentheses around its parts included.
 */
static stria_status parse_postfixes(struct parser *p, struct node *head, size_t start,
                                    struct node **out)
{
    struct list list = {0};
    while (at_postfix(p)) {
        struct node *postfix = NULL;
        STRIA_TRY(at_mark(p, '.') ? parse_attribute(p, &postfix)
                  : at_mark(p, '(')
                      ? parse_brackets(p, NODE_CALL, ')', parse_argument, &postfix)
                      : parse_brackets(p, NODE_SUBSCRIPT, ']', parse_index, &postfix));
        append(&list, postfix);
    }
    if (head && !list.count) {
        *out = head;
        return STRIA_OK;
    }
    struct node *chain = *out = new_node(p, NODE_CHAIN);
    TRY_MEMORY(chain);
    chain->a = head;
    adopt(chain, &list);
    chain->start = (uint32_t)start;
    chain->end = list.count ? list.last->end : chain->start;
    return STRIA_OK;
}

/* Parses an atom with its postfixes. At the start of the EXPR, postfixes without an atom are
 * x's. */
static stria_status parse_primary(struct parser *p, struct node **out)
{
    const size_t start = p->now.start;
    const bool first = start == p->begin;
    if (first && (at_mark(p, '.') || at_mark(p, '['))) return parse_postfixes(p, NULL, start, out);
    struct node *atom = NULL;
    STRIA_TRY(parse_atom(p, &atom));
    return parse_postfixes(p, atom, start, out);
}

typedef const struct operation *find_operator(const char *text, size_t length);

/* Returns the operator that the token is, if it binds at least as tightly as the level. */
static const struct operation *at_operator(const struct parser *p, find_operator *find,
                                           enum level least)
{
    const struct token *t = &p->now;
    if (t->kind != TOKEN_MARK && t->kind != TOKEN_NAME) return NULL;
    const struct operation *found = find(p->lexer.source + t->start, t->end - t->start);
    return found && found->level >= least ? found : NULL;
}

static stria_status parse_operators(struct parser *p, enum level least, struct node **out);

static stria_status parse_prefixed(struct parser *p, const struct operation *operation,
                                   struct node **out)
{
    struct node *node = *out = new_node(p, NODE_OPERATOR);
    TRY_MEMORY(node);
    node->operation = operation;
    node->at = node->start;
    STRIA_TRY(enter(p));
    STRIA_TRY(advance(p));
    STRIA_TRY(parse_operators(p, operation->level, &node->a));
    leave_level(p);
    node->end = (uint32_t)p->end;
    return STRIA_OK;
}

/* Parses the operator at the cursor and its right operand, and joins them to the left one, *out. */
static stria_status join_operand(struct parser *p, const struct operation *operation, size_t start,
                                 struct node **out)
{
    struct node *node = new_node(p, NODE_OPERATOR);
    TRY_MEMORY(node);
    node->operation = operation;
    node->at = node->start;
    node->a = *out;
    node->start = (uint32_t)start;
    (*out)->next = node;
    /* It binds from right to left, and its right operand may have a sign. */
    const bool power = operation->level == LEVEL_POWER;
    STRIA_TRY(power ? enter(p) : enter_operand(p));
    STRIA_TRY(advance(p));
    STRIA_TRY(parse_operators(p, power ? LEVEL_SIGN : operation->level + 1, &node->b));
    p->nested--;
    p->depth -= power;
    node->end = (uint32_t)p->end;
    *out = node;
    return STRIA_OK;
}

/* Makes a < b < c mean a < b and b < c: the second comparison begins at b and knows the first. */
static void chain_comparison(struct node *node, struct node *before)
{
    node->c = before;
    node->a = before->b;
}

/* Parses operands joined by operators of at least this level, by precedence climbing. */
static stria_status parse_operators(struct parser *p, enum level least, struct node **out)
{
    const struct operation *operation = at_operator(p, stria__operation_before, least);
    const size_t start = p->now.start;
    struct node *compared = NULL;
    STRIA_TRY(operation ? parse_prefixed(p, operation, out) : parse_primary(p, out));
    while ((operation = at_operator(p, stria__operation_between, least)) != NULL) {
        struct node *before = compared && compared == *out ? compared : NULL;
        STRIA_TRY(join_operand(p, operation, start, out));
        if (operation->level != LEVEL_COMPARISON) continue;
        compared = *out;
        if (before) chain_comparison(compared, before);
    }
    return STRIA_OK;
}

static stria_status parse_value(struct parser *p, struct node **out)
{
    return parse_operators(p, LEVEL_OR, out);
}

const struct node *stria__row_begin(const struct node *last)
{
    while (last->kind == NODE_OPERATOR && last->b)
        last = last->c ? last->c : last->a;
    return last;
}

stria_status stria__syntax_parse(struct node **out, const char *source, int most, struct pool *pool,
                                 struct failure *failure)
{
    if (strlen(source) > EXPR_MAX_LENGTH)
        return stria__fail_request(failure, STRIA_ERR_OVERFLOW,
                                   "the text has %zu bytes; at most %d", strlen(source),
                                   EXPR_MAX_LENGTH);
    struct parser p = {.lexer = {.source = source, .pool = pool, .failure = failure},
                       .most = most,
                       .least = stria__stack_least(STACK_OF_READING)};
    STRIA_TRY(advance(&p));
    p.begin = p.now.start;
    if (p.now.kind == TOKEN_END)
        STRIA_TRY(parse_postfixes(&p, NULL, p.begin, out)); /* Empty text stands for x. */
    else
        STRIA_TRY(parse_value(&p, out));
    if (p.now.kind != TOKEN_END)
        return unexpected(&p, "the end of the text, an operator, or a '.', '(' or '['");
    return STRIA_OK;
}
