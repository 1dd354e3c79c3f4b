/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that transforms an array by a function of C, and by its name. */
#include <stria/fft.h>
#include <stria/stria.h>

int main(void)
{
    stria_array a = {0}, made = {0};
    stria_results named = {0};
    double number[2] = {0, 0};
    stria_status status = stria_arange_f64(&a, stria_dtype_of(STRIA_F64), 0, 8, 1, NULL);
    if (!status) status = stria_fft_new(&made, &a.view, NULL, NULL);
    if (!status) status = stria_eval(&named, "fft.ifft(fft.fft(arange(8.0)))[7]", 0, NULL, NULL);
    if (!status) status = stria_get_c128(number, &stria_results_at(&named, 0)->view, 0, NULL);
    stria_results_release(&named);
    stria_array_release(&a);
    stria_array_release(&made);
    return status != STRIA_OK || number[0] < 6.99 || number[0] > 7.01;
}
