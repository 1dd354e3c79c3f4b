/* SPDX-License-Identifier: BSD-3-Clause */
#include "json_read.h"

#include <stdio.h>
#include <string.h>

stria_status json_read(json_t **out, const char *path, struct failure *failure)
{
    json_error_t error;
    json_t *value = strcmp(path, "-") == 0 ? json_loadf(stdin, JSON_REJECT_DUPLICATES, &error)
                                           : json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!value && error.line < 0) /* jansson's text has the path then */
        return stria__fail_request(failure, STRIA_ERR_IO, "%.300s", error.text);
    if (!value)
        return stria__fail_request(failure, STRIA_ERR_FORMAT, "%.200s: %s, line %d", path,
                                   error.text, error.line);
    *out = value;
    return STRIA_OK;
}
