/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria completion SHELL: help/_SHELL.txt, with lists in place of %LIST%. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "embedded.h"
#include "lang/registry.h"

/* A shell: its formats for a flag whose values are words, and for a command. */
struct shell {
    const char *name;
    void (*words)(const struct flag *flag);
    void (*command)(const struct command *command);
};

/* ---- the shells ------------------------------------------------------------------------------ */

/* Prints options: " --json --hash ...". */
static void print_options(const struct command *command)
{
    const struct flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++)
        (void)printf(" --%s", flag->name);
}

static void bash_words(const struct flag *flag)
{
    (void)printf("    --%s) words='%s' ;;\n", flag->name, flag->words);
}

static void bash_command(const struct command *command)
{
    (void)printf("    *:%s:-*) words='", command->name);
    print_options(command);
    (void)fputs("' ;;\n", stdout);
}

static void zsh_words(const struct flag *flag)
{
    (void)printf("    elif [[ $words[CURRENT-1] == --%s ]]; then\n        compadd -- %s\n",
                 flag->name, flag->words);
}

static void zsh_command(const struct command *command)
{
    (void)printf("        %s) compadd --", command->name);
    print_options(command);
    (void)fputs(" ;;\n", stdout);
}

static void fish_command(const struct command *command)
{
    const struct flag *flag;
    (void)printf("complete -c stria -n __fish_use_subcommand -f -a %s -d '%s'\n", command->name,
                 command->summary);
    for (int i = 0; (flag = command_flag(command, i)); i++) {
        (void)printf("complete -c stria -n '__fish_seen_subcommand_from %s' -l %s%s", command->name,
                     flag->name, flag->kind > FLAG_TELLS ? " -r" : "");
        if (flag->words) (void)printf(" -f -a '%s'", flag->words);
        (void)putchar('\n');
    }
}

static const struct shell shells[] = {{"_bash", bash_words, bash_command},
                                      {"_zsh", zsh_words, zsh_command},
                                      {"_fish", NULL, fish_command}};

/* ---- lists ----------------------------------------------------------------------------------- */

static void print_name(const struct command *command)
{
    (void)printf(" %s", command->name);
}

/* Prints a summary for zsh, where a colon ends the name. */
static void print_summary(const struct command *command)
{
    (void)printf("        '%s:", command->name);
    for (const char *c = command->summary; *c; c++)
        (void)printf(*c == ':' ? "\\%c" : "%c", *c);
    (void)fputs("'\n", stdout);
}

static void each_command(void (*print)(const struct command *command))
{
    for (size_t i = 0; commands[i]; i++)
        print(commands[i]);
}

/* Visits each name of an option whose values are words once, in whichever command. */
static void each_words(void (*print)(const struct flag *flag))
{
    const struct flag *seen[16], *flag;
    size_t count = 0;
    for (size_t c = 0; commands[c]; c++)
        for (int i = 0; (flag = command_flag(commands[c], i)); i++) {
            size_t k = 0;
            while (k < count && strcmp(seen[k]->name, flag->name) != 0)
                k++;
            if (!flag->words || k < count || count == sizeof seen / sizeof *seen) continue;
            seen[count++] = flag;
            print(flag);
        }
}

/* Prints the subjects of `stria help`: commands and ops, each name of these once. */
static void print_topics(void)
{
    const struct function *op;
    const char *last = "";
    each_command(print_name);
    for (size_t i = 0; (op = stria__registry_row(i)); i++) {
        const size_t length = strcspn(op->signature, "(");
        const bool again = !strncmp(last, op->signature, length + 1);
        last = op->signature;
        if (again) continue;
        (void)putchar(' ');
        for (size_t k = 0; k < length; k++)
            (void)putchar(last[k] == '|' ? ' ' : last[k]);
    }
}

static int print_shell(const struct shell *shell)
{
    const char *text = embedded_text(shell->name);
    for (const char *mark; (mark = strchr(text, '%')); text = strchr(mark + 1, '%') + 1) {
        (void)printf("%.*s", (int)(mark - text), text);
        switch (mark[1]) {
        case 'N': each_command(print_name); break;
        case 'S': each_command(print_summary); break;
        case 'C': each_command(shell->command); break;
        case 'W': each_words(shell->words); break;
        default: print_topics();
        }
    }
    (void)fputs(text, stdout);
    return EXIT_OK;
}

static int run_completion(void *unused, int argc, char **argv)
{
    (void)unused;
    for (size_t i = 0; argc - optind == 1 && i < sizeof shells / sizeof *shells; i++)
        if (!strcmp(argv[optind], shells[i].name + 1)) return print_shell(&shells[i]);
    return usage_error("the name of a shell expected: bash, zsh or fish");
}

const struct command completion_command = {
    .name = "completion",
    .summary = "what completes these commands in bash, zsh or fish",
    .run = run_completion,
};
