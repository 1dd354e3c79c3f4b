/* SPDX-License-Identifier: BSD-3-Clause */
/* stria completion SHELL */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "lang/registry.h"

static int run_completion(int argc, char **argv);

static const struct option options[] = {{0}};

const struct command completion_command = {
    .name = "completion",
    .summary = "what completes these commands in bash, zsh or fish",
    .options = options,
    .letters = "",
    .run = run_completion,
};

static const char shells[] = "bash zsh fish";

/* Options whose values are words, in whichever command they are. */
static const struct {
    const char *option, *values;
} values[] = {{"color", "always never auto"},
              {"rules", "torch numpy"},
              {"regime", "hot l3 dram"},
              {"isa", "scalar base avx2 avx512 neon"},
              {"suite", "ttc layouts convert fill small elementwise reduce sort all"}};
enum { VALUES = sizeof values / sizeof *values };

static const char *values_of(const char *option)
{
    for (size_t i = 0; i < VALUES; i++)
        if (!strcmp(values[i].option, option)) return values[i].values;
    return NULL;
}

/* " --json --hash ..." */
static void print_options(const struct command *command)
{
    struct option all[COMMAND_MOST_OPTIONS];
    command_options(all, command);
    for (const struct option *o = all; o->name; o++)
        (void)printf(" --%s", o->name);
}

static void print_names(void)
{
    for (size_t i = 0; commands[i]; i++)
        (void)printf(" %s", commands[i]->name);
}

/* What `stria help` explains: commands and ops, each name of these once. */
static void print_topics(void)
{
    const struct function *op;
    const char *last = "";
    print_names();
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

static void print_bash(void)
{
    (void)fputs("# bash completion for stria\n"
                "_stria() {\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                "    COMPREPLY=()\n"
                "    case ${COMP_WORDS[COMP_CWORD-1]} in\n",
                stdout);
    for (size_t i = 0; i < VALUES; i++)
        (void)printf("    --%s) words='%s' ;;\n", values[i].option, values[i].values);
    (void)fputs("    esac\n"
                "    [ -n \"$words\" ] || case $COMP_CWORD:${COMP_WORDS[1]}:$word in\n"
                "    1:*) words='help --help --version",
                stdout);
    print_names();
    (void)fputs("' ;;\n    *:help:*) words='ops", stdout);
    print_topics();
    (void)printf("' ;;\n    *:completion:[!-]* | *:completion:) words='%s' ;;\n", shells);
    for (size_t i = 0; commands[i]; i++) {
        (void)printf("    *:%s:-*) words='", commands[i]->name);
        print_options(commands[i]);
        (void)fputs("' ;;\n", stdout);
    }
    (void)fputs("    *) compopt -o default ;;\n"
                "    esac\n"
                "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                "}\n"
                "complete -F _stria stria\n",
                stdout);
}

/* As a file of a folder of $fpath it is the function's body, read by `source` it defines it. */
static void print_zsh(void)
{
    (void)fputs("#compdef stria\n"
                "_stria() {\n"
                "    local -a commands=(\n"
                "        'help:what a command or an op does'\n",
                stdout);
    for (size_t i = 0; commands[i]; i++) {
        (void)printf("        '%s:", commands[i]->name);
        for (const char *c = commands[i]->summary; *c; c++)
            (void)printf(*c == ':' ? "\\%c" : "%c", *c);
        (void)fputs("'\n", stdout);
    }
    (void)fputs("    )\n"
                "    if ((CURRENT == 2)); then\n"
                "        _describe command commands\n",
                stdout);
    for (size_t i = 0; i < VALUES; i++)
        (void)printf("    elif [[ $words[CURRENT-1] == --%s ]]; then\n        compadd -- %s\n",
                     values[i].option, values[i].values);
    (void)fputs("    elif [[ $PREFIX == -* ]]; then\n"
                "        case $words[2] in\n",
                stdout);
    for (size_t i = 0; commands[i]; i++) {
        (void)printf("        %s) compadd --", commands[i]->name);
        print_options(commands[i]);
        (void)fputs(" ;;\n", stdout);
    }
    (void)fputs("        esac\n"
                "    elif [[ $words[2] == help ]]; then\n"
                "        compadd -- ops",
                stdout);
    print_topics();
    (void)printf(
        "\n"
        "    elif [[ $words[2] == completion ]]; then\n"
        "        compadd -- %s\n"
        "    else\n"
        "        _files\n"
        "    fi\n"
        "}\n"
        "if [[ $funcstack[1] == _stria ]]; then _stria \"$@\"; else compdef _stria stria; fi\n",
        shells);
}

static void print_fish(void)
{
    (void)fputs("# fish completion for stria\n", stdout);
    (void)fputs("complete -c stria -n __fish_use_subcommand -f -a help\n", stdout);
    for (size_t i = 0; commands[i]; i++) {
        const char *name = commands[i]->name;
        struct option all[COMMAND_MOST_OPTIONS];
        (void)printf("complete -c stria -n __fish_use_subcommand -f -a %s -d '%s'\n", name,
                     commands[i]->summary);
        command_options(all, commands[i]);
        for (const struct option *o = all; o->name; o++) {
            (void)printf("complete -c stria -n '__fish_seen_subcommand_from %s' -l %s%s", name,
                         o->name, o->has_arg ? " -r" : "");
            if (values_of(o->name)) (void)printf(" -f -a '%s'", values_of(o->name));
            (void)putchar('\n');
        }
    }
    (void)fputs("complete -c stria -n '__fish_seen_subcommand_from help' -f -a 'ops", stdout);
    print_topics();
    (void)printf("'\ncomplete -c stria -n '__fish_seen_subcommand_from completion' -f -a '%s'\n",
                 shells);
}

static int run_completion(int argc, char **argv)
{
    const int option = next_option(argc, argv, &completion_command);
    if (option != -1) return option == 'h' ? EXIT_OK : EXIT_USAGE;
    const char *shell = argc - optind == 1 ? argv[optind] : "";
    if (!strcmp(shell, "bash"))
        print_bash();
    else if (!strcmp(shell, "zsh"))
        print_zsh();
    else if (!strcmp(shell, "fish"))
        print_fish();
    else
        return usage_error(&completion_command, "the name of a shell expected: bash, zsh or fish");
    return EXIT_OK;
}
