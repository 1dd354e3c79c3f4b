/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that every package's test builds against what it installed: prints [[ 6 22 38]]. */
#include <stdio.h>
#include <stria/stria.h>

int main(void)
{
    stria_results r = {0};
    if (stria_eval(&r, "arange(24).reshape(2, 3, 4).permute(2, 0, 1)[:, ::2].sum(0)", 0, NULL, NULL)) {
        puts(stria_last_error());
        return 1;
    }
    char text[100];
    (void)!stria_format(text, sizeof text, NULL, &stria_results_at(&r, 0)->view, NULL, NULL);
    puts(text);
    stria_results_release(&r);
    return 0;
}
