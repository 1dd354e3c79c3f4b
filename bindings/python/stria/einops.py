# SPDX-License-Identifier: BSD-3-Clause
"""Importing this module tells einops of stria.Array: its functions by name then take such arrays, and give them.

>>> import einops, stria.einops                                                        # doctest: +SKIP
>>> einops.rearrange(st.arange(6), "(a b) -> b a", a=2).shape                          # doctest: +SKIP
(3, 2)
"""

from einops._backends import AbstractBackend as _Backend

import stria as _st


class _Arrays(_Backend):
    """Finds itself among the classes of einops, which looks for them by the names of modules that are loaded."""

    framework_name = "stria"

    def is_appropriate_type(self, tensor):
        return isinstance(tensor, _st.Array | _st.Lazy)

    def is_float_type(self, x):
        return x.dtype.kind in "fc"

    def add_axis(self, x, new_position):
        return _st.expand_dims(x, axis=new_position)

    def stack_on_zeroth_dimension(self, tensors):
        return _st.stack(tensors)

    def concat(self, tensors, axis):
        return _st.concat(tensors, axis=axis)

    from_numpy, arange = staticmethod(_st.asarray), staticmethod(_st.arange)
    to_numpy = staticmethod(lambda x: _st.asarray(x).numpy())
    tile, einsum = staticmethod(_st.tile), staticmethod(_st.einsum)
