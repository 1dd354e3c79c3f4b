/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that links no libstria_linalg, and calls its functions by name: by_name EXPECTED, which
 * is a part of the message of the failure, or "ok".
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"

int main(int count, char **words)
{
    stria_results results = {0};
    const stria_status status = stria_eval(&results, "fft.fft(arange(1.0, 4.0))", 0, NULL, NULL);
    double sum[2] = {0, 0};
    if (count != 2) return 2;
    if (status == STRIA_OK) {
        const stria_status read =
            stria_get_c128(sum, &stria_results_at(&results, 0)->view, 1, (int64_t[]){0});
        stria_results_release(&results);
        printf("%g + %g i\n", sum[0], sum[1]);
        return read != STRIA_OK || sum[0] != 6 || sum[1] != 0 || strcmp(words[1], "ok") != 0;
    }
    printf("%s\n", stria_last_error());
    return status != STRIA_ERR_UNSUPPORTED || !strstr(stria_last_error(), words[1]);
}
