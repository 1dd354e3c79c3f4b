/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/statuses.h"

#include <string.h>

#include "support/cmocka.h"

void message_must_have(const char *words, const char *file, int line)
{
    if (strstr(stria_last_error(), words)) return;
    print_error("'%s' is not in '%s'\n", words, stria_last_error());
    _fail(file, line);
}

void status_must_be(stria_status status, stria_status wanted, const char *words, const char *file,
                    int line)
{
    if (status != wanted) {
        print_error("%s: %s; wanted %s\n", stria_status_name(status), stria_last_error(),
                    stria_status_name(wanted));
        _fail(file, line);
    }
    if (*words) message_must_have(words, file, line);
}
