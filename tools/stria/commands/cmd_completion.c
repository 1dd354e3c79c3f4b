/* SPDX-License-Identifier: BSD-3-Clause */
/* stria completion SHELL */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "lang/registry.h"

static int run_completion(int argc, char **argv);

const struct command completion_command = {
    .name = "completion",
    .summary = "what completes these commands in bash, zsh or fish",
    .run = run_completion,
};

static const char shells[] = "bash zsh fish";

/* Calls print once for each name of an option whose values are words, in whichever command. */
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

/* " --json --hash ..." */
static void print_options(const struct command *command)
{
    const struct flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++)
        (void)printf(" --%s", flag->name);
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

static void print_bash_words(const struct flag *flag)
{
    (void)printf("    --%s) words='%s' ;;\n", flag->name, flag->words);
}

static void print_bash(void)
{
    (void)fputs("# bash completion for stria\n"
                "_stria() {\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                "    COMPREPLY=()\n"
                "    case ${COMP_WORDS[COMP_CWORD-1]} in\n",
                stdout);
    each_words(print_bash_words);
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

static void print_zsh_words(const struct flag *flag)
{
    (void)printf("    elif [[ $words[CURRENT-1] == --%s ]]; then\n        compadd -- %s\n",
                 flag->name, flag->words);
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
    each_words(print_zsh_words);
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
    const struct flag *flag;
    (void)fputs("# fish completion for stria\n"
                "complete -c stria -n __fish_use_subcommand -f -a help\n",
                stdout);
    for (size_t i = 0; commands[i]; i++) {
        const char *const name = commands[i]->name;
        (void)printf("complete -c stria -n __fish_use_subcommand -f -a %s -d '%s'\n", name,
                     commands[i]->summary);
        for (int k = 0; (flag = command_flag(commands[i], k)); k++) {
            (void)printf("complete -c stria -n '__fish_seen_subcommand_from %s' -l %s%s", name,
                         flag->name, flag->kind > FLAG_TELLS ? " -r" : "");
            if (flag->words) (void)printf(" -f -a '%s'", flag->words);
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
    static const struct {
        const char *name;
        void (*print)(void);
    } all[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    const int status = read_options(&completion_command, NULL, argc, argv);
    if (status >= 0) return status;
    for (size_t i = 0; argc - optind == 1 && i < sizeof all / sizeof *all; i++)
        if (!strcmp(argv[optind], all[i].name)) {
            all[i].print();
            return EXIT_OK;
        }
    return usage_error(&completion_command, "the name of a shell expected: bash, zsh or fish");
}
