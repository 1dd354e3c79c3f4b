/* SPDX-License-Identifier: BSD-3-Clause */
#include "option_tables.h"

#include <math.h>

#include "embedded.h"
#include "tool.h"

enum { MOST = 48, NAMED = 256 /* Codes of options without a letter. */ };

static int take_delimiter(void *request, const char *text)
{
    (void)request;
    common.delimiter = !strcmp(text, "tab") ? '\t' : !strcmp(text, "blank") ? ' ' : *text;
    if (*text && (!text[1] || common.delimiter != *text)) return -1;
    return usage_error("--delimiter is one character, tab or blank, not '%.60s'", text);
}

#define TO(member) offsetof(struct common, member)
static const struct flag common_flags[] = {
    {.name = "memory", .kind = FLAG_SIZE, .to = TO(memory)},
    {.name = "time", .kind = FLAG_NUMBER, .to = TO(seconds), .low = 0, .high = 1000000000},
    {.name = "color", .kind = FLAG_WORD, .to = TO(color), .words = "auto always never"},
    {.name = "quiet", .kind = FLAG_TRUE, .to = TO(quiet), .letter = 'q'},
    {.name = "version", .kind = FLAG_TELLS, .letter = 'V'},
    {.name = "help", .kind = FLAG_TELLS, .letter = 'h'},
    {0}};
static const struct flag raw_flags[] = {
    {.name = "dtype", .kind = FLAG_TEXT, .to = TO(raw.dtype)},
    {.name = "shape", .kind = FLAG_TEXT, .to = TO(raw.shape)},
    {.name = "offset", .kind = FLAG_NUMBER, .to = TO(raw.offset), .low = 0, .high = INT64_MAX},
    {.name = "delimiter", .kind = FLAG_CALL, .take = take_delimiter},
    {0}};
static const struct flag join_flags[] = {{.name = "stack", .kind = FLAG_TRUE, .to = TO(stack)},
                                         {.name = "cat", .kind = FLAG_TRUE, .to = TO(cat)},
                                         {0}};
static const struct flag no_flags[] = {{0}};

static const struct flag *find_flag(const struct command *command, int i, bool *own)
{
    const struct flag *const groups[] = {command->flags ? command->flags : no_flags,
                                         command->raw ? raw_flags : no_flags,
                                         command->joins ? join_flags : no_flags, common_flags};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const struct flag *flag = groups[g]; flag->name; flag++) {
            *own = g == 0;
            if (i-- == 0) return flag;
        }
    return NULL;
}

const struct flag *command_flag(const struct command *command, int i)
{
    bool own;
    return find_flag(command, i, &own);
}

void texts_add(struct texts *texts, char *text)
{
    if ((texts->count & (texts->count - 1)) == 0) { /* The list gets room for twice as many. */
        char **const items = must_take_array(&common.pool, 2 * texts->count + 1, sizeof *items);
        if (texts->count) memcpy(items, texts->items, texts->count * sizeof *items);
        texts->items = items;
    }
    texts->items[texts->count++] = text;
}

/*
 * Reports the word that getopt could not read for an option with these letters: optind is behind
 * it, or still at it in the middle of letters, where the text is that of another argument.
 */
static int bad_option(const struct command *command, int option, const char *text,
                      const char *letters)
{
    const bool other = optopt && optopt < NAMED && (optopt == ':' || !strchr(letters, optopt)),
               word = !other && !strncmp(text, "--", 2);
    const char letter[] = {'-', (char)optopt, 0};
    return usage_error("'%.60s' %s", word ? text : letter,
                       option == ':'    ? "wants an argument"
                       : word && optopt ? "takes no argument"
                       : word           ? "is no option, or short for several"
                       : command->ops   ? "is no option; an EXPR that starts with - takes a space "
                                          "in front"
                                        : "is no option");
}

static void show_help(const struct command *command)
{
    (void)fputs(embedded_text(command->name), stdout);
    if (command->raw) (void)fputs(embedded_text("_raw"), stdout);
    if (command->joins) (void)fputs(embedded_text("_join"), stdout);
    (void)fputs(embedded_text("_common"), stdout);
    if (command->ops) (void)fputs(embedded_text("_expr"), stdout);
}

static int take_real(const struct flag *flag, double *to)
{
    char *end, range[40] = "0 on";
    *to = strtod(optarg, &end);
    if (flag->high) (void)snprintf(range, sizeof range, "0 to %lld", (long long)flag->high);
    if (end != optarg && !*end && *to >= 0 && isfinite(*to) &&
        !(flag->high && *to > (double)flag->high))
        return -1;
    return usage_error("--%s takes a number from %s, not '%.60s'", flag->name, range, optarg);
}

static int take_word(const struct flag *flag, int *to)
{
    char list[100] = "";
    size_t used = 0;
    int number = 1;
    for (const char *word = flag->words; *word; number++) {
        const size_t length = strcspn(word, " ");
        if (strlen(optarg) == length && !memcmp(word, optarg, length)) {
            *to = number;
            return -1;
        }
        const char *const next = word + length + (word[length] == ' ');
        const char *const before = number == 1 ? "" : *next ? ", " : " or ";
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", before, (int)length, word);
        word = next;
    }
    return usage_error("--%s is %s, not '%.60s'", flag->name, list, optarg);
}

static int take_option(const struct flag *flag, void *request)
{
    void *const to = (char *)request + flag->to;
    const struct command *const command = common.command;
    switch (flag->kind) {
    case FLAG_TRUE: *(bool *)to = true; return -1;
    case FLAG_TEXT: *(const char **)to = optarg; return -1;
    case FLAG_LIST: texts_add(to, optarg); return -1;
    case FLAG_NUMBER:
        if (read_integer(to, optarg, flag->low, flag->high)) return -1;
        return usage_error("--%s takes an integer from %lld to %lld, not '%.60s'", flag->name,
                           (long long)flag->low, (long long)flag->high, optarg);
    case FLAG_SIZE:
        if (read_size(to, optarg) && *(int64_t *)to > 0) return -1;
        return usage_error("--%s takes a size like 500M or 2G, not '%.60s'", flag->name, optarg);
    case FLAG_REAL: return take_real(flag, to);
    case FLAG_WORD: return take_word(flag, to);
    case FLAG_CALL: return flag->take(request, optarg);
    default:
        if (flag->letter == 'h')
            show_help(command);
        else
            show_version();
        return EXIT_OK;
    }
}

/* Applies options that all commands have, once they are known. */
static int begin_command(const struct command *command)
{
    if (!common.raw.dtype && (common.raw.shape || common.raw.offset))
        return usage_error("--shape and --offset describe a FILE without a header: "
                           "--dtype is missing");
    if (!command->unlimited || common.memory > 0 || common.seconds > 0)
        budget_start(common.memory        ? common.memory
                     : command->unlimited ? INT64_MAX
                                          : 0,
                     common.seconds >= 0  ? common.seconds
                     : command->unlimited ? 0
                                          : -1);
    return -1;
}

int read_options(const struct command *command, void *request, int argc, char **argv)
{
    struct option all[MOST] = {{0}};
    char letters[2 * MOST + 2] = ":"; /* The colon keeps getopt silent. */
    size_t nletters = 1;
    const struct flag *flag;
    bool own;
    common.command = command;
    for (int i = 0; i < MOST - 1 && (flag = find_flag(command, i, &own)); i++) {
        const bool takes = flag->kind > FLAG_TELLS;
        all[i] = (struct option){flag->name, takes ? required_argument : no_argument, NULL,
                                 flag->letter ? flag->letter : NAMED + i};
        if (flag->letter) letters[nletters++] = flag->letter;
        if (flag->letter && takes) letters[nletters++] = ':';
    }
    for (int option; (option = getopt_long(argc, argv, letters, all, NULL)) != -1;) {
        if (option == '?' || option == ':')
            return bad_option(command, option, argv[optind - 1], letters);
        int i = 0;
        while (all[i].val != option)
            i++;
        flag = find_flag(command, i, &own);
        const int status = take_option(flag, own ? request : &common);
        colour_choose(common.color == 2, common.color == 3); /* Complaints have colours, too. */
        if (status >= 0) return status;
    }
    return begin_command(command);
}
