/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPU time quota of the control group (cgroup v2) of this process. A container that is allowed
 * two CPUs of a machine with sixty-four has such a quota; the affinity mask does not show it, and
 * more threads than the quota allows would spend each period waiting for the next one. Every group
 * between that of the process and the root may set a quota, and the smallest one holds.
 */
#define _POSIX_C_SOURCE 200809L /* Declares O_CLOEXEC. */
#include "plan/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef O_CLOEXEC /* Windows has no such flag, and no such files. */
#define O_CLOEXEC 0
#endif

enum { TEXT = 4096 };

/*
 * Reads the beginning of a small file as text; false when it is missing or empty. This uses no
 * stdio, which would allocate.
 */
static bool read_text(char text[TEXT], const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t used = 0;
    for (;;) {
        const ssize_t n = read(fd, text + used, (unsigned)(TEXT - 1 - used));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        used += (size_t)n;
    }
    (void)close(fd);
    text[used] = '\0';
    return used > 0;
}

/*
 * Returns the whole CPUs that a text "quota period" grants, both in microseconds: at least 1, and
 * INT_MAX when the quota is "max" or the text is malformed.
 */
static int parse_limit(const char *text)
{
    char *end;
    const unsigned long long quota = strtoull(text, &end, 10);
    if (end == text) return INT_MAX;
    const unsigned long long period = strtoull(end, NULL, 10);
    if (period == 0) return INT_MAX;
    const unsigned long long cpus = quota / period;
    return cpus < 1 ? 1 : cpus < INT_MAX ? (int)cpus : INT_MAX;
}

/*
 * Returns the path of the group, from the line "0::/path" of the unified hierarchy. Ends the line
 * in place; NULL when there is no such line.
 */
static const char *own_group(char *text)
{
    char *line = strncmp(text, "0::/", 4) == 0 ? text : strstr(text, "\n0::/");
    if (!line) return NULL;
    line = strchr(line, '/');
    line[strcspn(line, "\n")] = '\0';
    return line;
}

int stria__cpu_quota(const char *self, const char *tree)
{
    static const char name[] = "/cpu.max";
    char text[TEXT], path[2 * TEXT];
    const char *group = read_text(text, self) ? own_group(text) : NULL;
    const size_t root = strlen(tree);
    if (!group || root + strlen(group) + sizeof name > sizeof path) return INT_MAX;
    size_t length = (size_t)snprintf(path, sizeof path, "%s%s", tree, group);
    int limit = INT_MAX;
    for (;;) {
        while (length > root && path[length - 1] == '/')
            length--;
        memcpy(path + length, name, sizeof name);
        if (read_text(text, path)) {
            const int here = parse_limit(text);
            if (here < limit) limit = here;
        }
        if (length <= root) return limit;
        while (length > root && path[length - 1] != '/')
            length--;
    }
}
