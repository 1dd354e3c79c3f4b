# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms against numpy.fft: dtypes, lengths, axes, norms, views, and what is refused."""

import pytest

import stria

np = pytest.importorskip("numpy")
DTYPES = ("f4", "f8", "c8", "c16", "i4", "?", ">f8")
LENGTHS = (1, 2, 3, 5, 8, 11, 30, 61, 67, 128, 256, 300, 521, 1000)


def check(got, want, what):
    got = np.asarray(got)
    assert (got.dtype, got.shape) == (want.dtype, want.shape), what
    size = np.sqrt(np.mean(abs(want) ** 2)) or 1
    assert np.sqrt(np.mean(abs(got - want) ** 2)) <= (1e-5 if want.dtype.itemsize == 4 * (1 + (want.dtype.kind == "c")) else 1e-13) * size, what


@pytest.mark.parametrize("dtype", DTYPES)
def test_lines(dtype):
    rng = np.random.default_rng(1)
    for n in LENGTHS:
        a = (rng.random((3, n, 2)) * 9 - 4 + (1j * rng.random((3, n, 2)) if "c" in dtype else 0)).astype(dtype)
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
            if name in ("rfft", "ihfft") and "c" in dtype:
                continue
            for cut in (lambda x: x.transpose(0, 2, 1), lambda x: x[:, ::-1, 0]):
                for length, norm in ((None, None), (n + 3, None), (max(n - 2, 1), None), (None, "ortho"), (None, "forward")):
                    if length is None and n == 1 and name in ("irfft", "hfft"):
                        continue
                    arguments = (length, -1, norm)
                    check(getattr(stria.fft, name)(cut(stria.asarray(a)), *arguments), getattr(np.fft, name)(cut(a), *arguments),
                          (name, n, arguments))


@pytest.mark.parametrize("dtype", ("f4", "c16"))
def test_several_axes(dtype):
    a = np.random.default_rng(2).random((5, 6, 7, 8)).astype(dtype)
    for name in ("fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"):
        if name.startswith("r") and dtype == "c16":
            continue
        for keywords in ({}, {"axes": (0, 2)}, {"s": (4, 9), "axes": (1, 2)}, {"s": (9, 3), "axes": (3, 0)}):
            check(getattr(stria.fft, name)(stria.asarray(a), **keywords), getattr(np.fft, name)(a, **keywords), (name, keywords))


def test_frequencies_and_shifts():
    for n in (1, 2, 5, 8):
        for d in (1.0, 0.1):
            assert np.array_equal(np.asarray(stria.fft.fftfreq(n, d)), np.fft.fftfreq(n, d))
            assert np.array_equal(np.asarray(stria.fft.rfftfreq(n, d=d)), np.fft.rfftfreq(n, d=d))
        x = np.arange(n * 3).reshape(n, 3)
        for axes in (None, 0, (0, 1), -1):
            for name in ("fftshift", "ifftshift"):
                assert np.array_equal(np.asarray(getattr(stria.fft, name)(stria.asarray(x), axes=axes)), getattr(np.fft, name)(x, axes))


def test_out():
    x = stria.asarray(np.arange(12.0).reshape(3, 4) + 0j)
    want = np.fft.fft(np.arange(12.0).reshape(3, 4))
    assert stria.fft.fft(x, out=x) is x and np.allclose(np.asarray(x), want)


@pytest.mark.parametrize("call", (
    lambda f: f.fft(stria.zeros((4, 0))), lambda f: f.fft(stria.zeros(4), n=0), lambda f: f.fft(stria.zeros(4), axis=2),
    lambda f: f.rfft(stria.zeros(4, dtype="c16")), lambda f: f.fft(stria.zeros(4), norm="x"), lambda f: f.fft(stria.asarray(3.0)),
    lambda f: f.fftn(stria.zeros((4, 4)), axes=(0, 0)), lambda f: f.fft2(stria.zeros(4)), lambda f: f.irfft(stria.zeros(1)),
    lambda f: f.fft(stria.zeros(4), out=stria.zeros(3, dtype="c16")), lambda f: f.fftn(stria.zeros((4, 4)), s=(1, 2, 3), axes=(0, 1)),
    lambda f: f.fftfreq(0)))
def test_refusals(call):
    with pytest.raises((ValueError, TypeError, IndexError)):
        call(stria.fft)
