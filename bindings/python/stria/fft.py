# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms with the signatures of numpy.fft and torch.fft: fft, ifft, rfft, irfft, hfft, ihfft, and those along
two and more dims; fftshift, ifftshift, fftfreq and rfftfreq."""

from . import _core

globals().update({name: value for name, value in vars(_core.fft).items() if not name.startswith("_")})
__all__ = sorted(name for name in vars(_core.fft) if not name.startswith("_"))
