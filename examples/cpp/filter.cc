/* SPDX-License-Identifier: BSD-3-Clause */
/* A low-pass filter: FFTW transforms views without copies, by the bridge of stria_fftw.h. */
#include <cstdio>

#include <stria/complex.hpp>
#include <stria/stria_fftw.h>

using namespace stria;

int main()
{
    const std::int64_t n = 1 << 16;
    rng random(4);
    const array<double> t = linspace<double>(0, 100, n, false), clean = sin(t * 6.283185307179586);
    array<double> signal = clean + random.normal<double>({n});
    array<std::complex<double>> spectrum = zeros<std::complex<double>>({n / 2 + 1});
    fftw_plan forward, backward;
    const int dim = 0;
    check(
        stria_fftw_plan(&forward, spectrum.c(), signal.c(), 1, &dim, FFTW_FORWARD, FFTW_ESTIMATE));
    check(stria_fftw_plan(&backward, signal.c(), spectrum.c(), 1, &dim, FFTW_BACKWARD,
                          FFTW_ESTIMATE));
    fftw_execute(forward);
    spectrum(slice(200, none)) = 0;
    fftw_execute(backward);
    signal *= 1.0 / static_cast<double>(n);
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
    const double error = norm(signal - clean) / norm(clean);
    std::printf("filter %.4f\n", error);
    return error > 0.15;
}
