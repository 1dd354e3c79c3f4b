# SPDX-License-Identifier: BSD-3-Clause
"""Functions of PyTorch that the library has not by itself, composed of those that it has."""

from builtins import range as _range
from itertools import combinations as _pairs, combinations_with_replacement as _pairs_with_equal

from . import _core as c
from . import random as _random
from ._core import Array


def _array(x):
    return x if isinstance(x, Array) else c.asarray(x)


def by_torch(function, types, args, keywords):
    """Calls a function of PyTorch in which arrays are tensors on the same memory; those it writes to have to be writable."""
    import torch

    copies = []

    def tensor(x, written=False):
        if isinstance(x, Array):
            if x.writable:
                return torch.from_dlpack(x)
            if written:
                raise BufferError(f"{function.__name__}: writes an array that is read-only")
            copies.append(torch.from_dlpack(x.clone()))
            return copies[-1]
        if isinstance(x, (list, tuple)) and not hasattr(x, "_fields"):
            return type(x)([tensor(one, written) for one in x])
        return {key: tensor(one, written) for key, one in x.items()} if isinstance(x, dict) else x

    if not all(issubclass(kind, (torch.Tensor, Array)) for kind in types):
        return NotImplemented
    name = getattr(function, "__name__", "")
    first = (name.endswith("_") and not name.endswith("__")) or bool(keywords.get("inplace"))
    made = function(*tensor(args[:1], first), *tensor(args[1:]),
                    **{key: tensor(value, key == "out" or first and key == "input") for key, value in keywords.items()})
    if any(not x.is_inference() and x._version for x in copies):  # PyTorch counts writes, but for those of batch_norm
        raise BufferError(f"{name}: writes an array that is read-only")
    return made


# ---- products ----------------------------------------------------------------------------------------------------


def _sum_of(product):
    def function(input, a, b, *, beta=1, alpha=1):
        made = product(_array(a), _array(b))
        made = made if alpha == 1 else made * alpha
        return made + (input if beta == 1 else _array(input) * beta) if beta else made
    return function


for _name, _product, _text, _given, _shown in (
        ("addmm", c.matmul, "matrices", "1, [[1, 2]], [[3], [4]]", "stria.Array([[12]], dtype=int64)"),
        ("baddbmm", c.matmul, "batches of matrices", "1, [[[1, 2]]], [[[3], [4]]]", "stria.Array([[[12]]], dtype=int64)"),
        ("addmv", c.matmul, "a matrix and a vector", "1, [[1, 2], [3, 4]], [1, 1]", "stria.Array([4, 8], dtype=int64)"),
        ("addr", c.outer, "vectors, each element by each", "0, [1, 2], [3, 4], alpha=2",
         "stria.Array([[ 6,  8],\n                 [12, 16]], dtype=int64)"),
        ("addbmm", lambda a, b: c.sum(c.matmul(a, b), axis=0), "batches of matrices, added up",
         "0, st.ones((3, 1, 2)), st.ones((3, 2, 1))", "stria.Array([[6.]], dtype=float64)")):
    globals()[_name] = _function = _sum_of(_product)
    _function.__name__, _function.__qualname__ = _name, _name
    _function.__doc__ = f"""Returns beta * input + alpha * the product of {_text}.

    >>> st.{_name}({_given})
    {_shown}
    """


def chain_matmul(*matrices):
    """Multiplies matrices in the order that takes the fewest operations.

    >>> st.chain_matmul(st.ones((2, 3)), st.ones((3, 4)), st.ones((4, 1)))
    stria.Array([[12.],
                 [12.]], dtype=float64)
    """
    from .linalg import multi_dot

    return matrices[0] if len(matrices) == 1 else multi_dot(matrices)


def linear(input, weight, bias=None):
    """Returns input @ weight.T + bias.

    >>> st.linear(st.ones((1, 2)), st.asarray([[1.0, 2.0]]))
    stria.Array([[3.]], dtype=float64)
    """
    made = c.matmul(input, weight.T)
    return made if bias is None else made + bias


def cdist(x1, x2, p=2.0):
    """Returns the distances of all pairs of rows.

    >>> st.cdist(st.zeros((1, 2)), st.asarray([[3.0, 4.0]]))
    stria.Array([[5.]], dtype=float64)
    """
    return c.linalg.vector_norm(x1[..., :, None, :] - x2[..., None, :, :], axis=-1, ord=p)


def pdist(input, p=2.0):
    """Returns the distances of the pairs of rows, each once.

    >>> st.pdist(st.asarray([[0.0, 0.0], [3.0, 4.0]]))
    stria.Array([5.], dtype=float64)
    """
    places = c.asarray([*_pairs(_range(input.shape[0]), 2)], dtype="int64").reshape((-1, 2))
    return c.linalg.vector_norm(input[places[:, 0]] - input[places[:, 1]], axis=-1, ord=p)


def dist(input, other, p=2):
    """Returns the norm of a difference.

    >>> st.dist(st.zeros(2), st.asarray([3.0, 4.0]))
    stria.Array(5.0, dtype=float64)
    """
    return c.linalg.vector_norm(_array(input) - other, ord=p)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """Returns the norms of the differences of rows, to each of which eps is added.

    >>> st.pairwise_distance(st.zeros((1, 2)), st.asarray([[3.0, 4.0]])).shape
    (1,)
    """
    return c.linalg.vector_norm(x1 - x2 + eps, axis=-1, ord=p, keepdims=keepdim)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """Returns the cosines of the angles between vectors along a dim.

    >>> st.cosine_similarity(st.asarray([[1.0, 0.0]]), st.asarray([[2.0, 0.0]]))
    stria.Array([1.], dtype=float64)
    """
    lengths = (c.maximum(c.linalg.vector_norm(x, axis=dim, keepdims=True), eps) for x in (x1, x2))
    a, b = (x / n for x, n in zip((x1, x2), lengths))
    return c.sum(a * b, axis=dim)


# ---- by element, and along a dim ---------------------------------------------------------------------------------


def softmax(input, dim=None, *, axis=None, dtype=None):
    """Returns exp of the elements, divided by its sum along a dim.

    >>> st.softmax(st.asarray([0.0, 0.0]), 0)
    stria.Array([0.5, 0.5], dtype=float64)
    """
    x = _array(input) if dtype is None else _array(input).astype(dtype)
    dim = axis if dim is None else dim
    x = c.exp(x - c.amax(x, dim, keepdims=True))
    return x / c.sum(x, axis=dim, keepdims=True)


def log_softmax(input, dim=None, *, axis=None, dtype=None):
    """Returns the logarithms of softmax.

    >>> st.log_softmax(st.asarray([0.0, 0.0]), 0)
    stria.Array([-0.69314718, -0.69314718], dtype=float64)
    """
    x = _array(input) if dtype is None else _array(input).astype(dtype)
    dim = axis if dim is None else dim
    return x - c.logsumexp(x, dim, keepdims=True)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """Divides vectors along a dim by their norms.

    >>> st.normalize(st.asarray([[3.0, 4.0]]))
    stria.Array([[0.6, 0.8]], dtype=float64)
    """
    return input / c.maximum(c.linalg.vector_norm(input, axis=dim, ord=p, keepdims=True), eps)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Subtracts the mean of the last dims, and divides by their deviation.

    >>> st.layer_norm(st.asarray([[1.0, 3.0]]), (2,)).shape
    (1, 2)
    """
    axes = tuple(_range(-len(normalized_shape), 0))
    made = input - c.mean(input, axis=axes, keepdims=True)
    made = made / c.sqrt(c.mean(c.square(made), axis=axes, keepdims=True) + eps)
    made = made if weight is None else made * weight
    return made if bias is None else made + bias


def _reduced(values, reduction):
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction!r} is no reduction; 'mean', 'sum' and 'none' are")
    return values if reduction == "none" else c.sum(values) if reduction == "sum" else c.mean(values)


def mse_loss(input, target, *, reduction="mean"):
    """Returns the mean of the squares of differences.

    >>> st.mse_loss(st.asarray([1.0, 2.0]), st.asarray([1.0, 4.0]))
    stria.Array(2.0, dtype=float64)
    """
    return _reduced(c.square(input - target), reduction)


def l1_loss(input, target, *, reduction="mean"):
    """Returns the mean of the magnitudes of differences.

    >>> st.l1_loss(st.asarray([1.0, 2.0]), st.asarray([1.0, 4.0]))
    stria.Array(1.0, dtype=float64)
    """
    return _reduced(c.abs(input - target), reduction)


def binary_cross_entropy_with_logits(input, target, *, reduction="mean"):
    """Returns the mean of -target * log(sigmoid(input)) - (1 - target) * log(1 - sigmoid(input)).

    >>> st.binary_cross_entropy_with_logits(st.asarray([0.0, 2.0]), st.asarray([1.0, 1.0]))
    stria.Array(0.4100375958014589, dtype=float64)
    """
    return _reduced(c.maximum(input, 0) - input * target + c.log1p(c.exp(-c.abs(input))), reduction)


def clamp_min(input, min):
    """Returns the larger of each element and min.

    >>> st.clamp_min(st.asarray([1, 5]), 3)
    stria.Array([3, 5], dtype=int64)
    """
    return c.maximum(input, min)


def clamp_max(input, max):
    """Returns the smaller of each element and max.

    >>> st.clamp_max(st.asarray([1, 5]), 3)
    stria.Array([1, 3], dtype=int64)
    """
    return c.minimum(input, max)


def rsub(input, other, *, alpha=1):
    """Returns other - alpha * input.

    >>> st.rsub(st.asarray([1, 2]), 10)
    stria.Array([9, 8], dtype=int64)
    """
    return other - input * alpha


def polar(abs, angle):
    """Returns complex numbers of a magnitude and an angle.

    >>> st.polar(st.asarray([2.0]), st.asarray([0.0]))
    stria.Array([2.+0.j], dtype=complex128)
    """
    return complex(abs * c.cos(angle), abs * c.sin(angle))


def complex(real, imag):
    """Returns complex numbers of their parts.

    >>> st.complex(st.asarray([1.0]), st.asarray([2.0]))
    stria.Array([1.+2.j], dtype=complex128)
    """
    real, imag = c.broadcast_arrays(real, imag)
    single = real.dtype.kind == "f" and real.dtype.itemsize == 4
    made = c.empty(real.shape, dtype="complex64" if single else "complex128")
    made.real[...] = real
    c.imag(made)[...] = imag
    return made


def cumulative_trapezoid(y, x=None, *, dx=1.0, dim=-1):
    """Returns the integrals by the trapezoidal rule up to each place but the first along a dim.

    >>> st.cumulative_trapezoid(st.asarray([1.0, 2.0, 3.0]))
    stria.Array([1.5, 4. ], dtype=float64)
    """
    y = c.moveaxis(y, dim, -1)
    width = dx if x is None else c.diff(x) if x.ndim == 1 else c.diff(c.moveaxis(x, dim, -1))
    return c.moveaxis(c.cumsum((y[..., 1:] + y[..., :-1]) / 2 * width, -1), -1, dim)


def trapz(y, x=None, *, dx=1.0, dim=-1):
    """Integrates by the trapezoidal rule along a dim.

    >>> st.trapz(st.asarray([1.0, 2.0, 3.0]))
    stria.Array(4.0, dtype=float64)
    """
    from ._sequences import trapezoid

    return trapezoid(y, x, dx, dim)


def pinverse(input, rcond=1e-15):
    """Returns the pseudoinverse.

    >>> st.allclose(st.pinverse(st.asarray([[2.0], [0.0]])), [[0.5, 0.0]])
    True
    """
    from . import linalg

    return linalg.pinv(input, rcond)


def logdet(input):
    """Returns the logarithm of the determinant.

    >>> st.logdet(st.asarray([[1.0, 0.0], [0.0, 1.0]]))
    stria.Array(0.0, dtype=float64)
    """
    from . import linalg

    return c.log(c.asarray(linalg.det(input)))


# ---- places ------------------------------------------------------------------------------------------------------


def one_hot(tensor, num_classes=-1):
    """Returns 1 at the place of each class along a new last dim, 0 at the others.

    >>> st.one_hot(st.asarray([0, 2]), 3)
    stria.Array([[1, 0, 0],
                 [0, 0, 1]], dtype=int64)
    """
    count = int(tensor.max()) + 1 if num_classes < 0 else num_classes
    return (tensor[..., None] == c.arange(count)).astype("int64")


def embedding(input, weight):
    """Returns the rows of weight that indices name.

    >>> st.embedding(st.asarray([1, 0]), st.asarray([[1.0, 2.0], [3.0, 4.0]]))
    stria.Array([[3., 4.],
                 [1., 2.]], dtype=float64)
    """
    return weight[input]


def cartesian_prod(*tensors):
    """Returns all rows with an element of each of some lists.

    >>> st.cartesian_prod(st.asarray([1, 2]), st.asarray([3, 4]))
    stria.Array([[1, 3],
                 [1, 4],
                 [2, 3],
                 [2, 4]], dtype=int64)
    """
    if len(tensors) == 1:
        return tensors[0]
    return c.stack([g.reshape(-1) for g in c.meshgrid(*tensors, indexing="ij")], axis=1)


def combinations(input, r=2, with_replacement=False):
    """Returns all rows of r elements of a list.

    >>> st.combinations(st.asarray([1, 2, 3]))
    stria.Array([[1, 2],
                 [1, 3],
                 [2, 3]], dtype=int64)
    """
    places = [*(_pairs_with_equal if with_replacement else _pairs)(_range(input.shape[0]), r)]
    return input[c.asarray(places, dtype="int64").reshape((-1, r))]


def range(start, end=None, step=1, *, dtype=None):  # noqa: A001
    """Returns the numbers from start to end, which is included.

    >>> st.range(1, 3)
    stria.Array([1., 2., 3.], dtype=float32)
    """
    start, end = (0, start) if end is None else (start, end)
    return c.arange(start, end + step / 2, step, dtype=dtype or "float32")


# ---- random numbers ----------------------------------------------------------------------------------------------


def rand_like(input, *, dtype=None):
    """Returns numbers from 0 to 1 in the shape of an array.

    >>> st.rand_like(st.zeros((2, 3))).shape
    (2, 3)
    """
    return c.rand(input.shape, dtype=dtype or input.dtype)


def randn_like(input, *, dtype=None):
    """Returns numbers of the normal distribution in the shape of an array.

    >>> st.randn_like(st.zeros((2, 3))).shape
    (2, 3)
    """
    return c.randn(input.shape, dtype=dtype or input.dtype)


def randint_like(input, low, high=None, *, dtype=None):
    """Returns integers from low to high in the shape of an array.

    >>> x = st.randint_like(st.zeros(100), 3, 5)
    >>> x.min() >= 3, x.max() <= 4
    (stria.Array(True, dtype=bool), stria.Array(True, dtype=bool))
    """
    low, high = (0, low) if high is None else (low, high)
    return c.randint(low, high, input.shape, dtype=dtype or input.dtype)


def bernoulli(input, *, generator=None):
    """Returns 1 with the probability that each element is, else 0.

    >>> st.bernoulli(st.asarray([0.0, 1.0]))
    stria.Array([0., 1.], dtype=float64)
    """
    return ((generator or _random._shared).random(input.shape) < input).astype(input.dtype)


def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Draws places of each row with the probabilities that its elements have to each other.

    >>> st.multinomial(st.asarray([0.0, 1.0, 0.0]), 2, replacement=True)
    stria.Array([1, 1], dtype=int64)
    """
    draw = (generator or _random._shared).choice
    rows = input if input.ndim == 2 else input[None]
    made = c.stack([draw(row.shape[0], num_samples, replacement, row.astype("float64") / float(row.astype("float64").sum()))
                    for row in rows])
    return made if input.ndim == 2 else made[0]


# ---- objects -----------------------------------------------------------------------------------------------------


def from_numpy(ndarray):
    """Returns an array that shares the memory of one of NumPy.

    >>> import array                                    # as NumPy's arrays
    >>> st.from_numpy(array.array('d', [1, 2]))
    stria.Array([1., 2.], dtype=float64)
    """
    return c.asarray(ndarray, copy=False)


def scalar_tensor(s, *, dtype=None):
    """Returns an array of one number and no dims.

    >>> st.scalar_tensor(2.5)
    stria.Array(2.5, dtype=float32)
    """
    return c.asarray(s, dtype=dtype or "float32")


def is_tensor(obj):
    """Tells whether an object is an array.

    >>> st.is_tensor(st.zeros(2))
    True
    """
    return isinstance(obj, Array)


def is_complex(input):
    """Tells whether the dtype is complex.

    >>> st.is_complex(st.asarray([1j]))
    True
    """
    return input.dtype.kind == "c"


def is_floating_point(input):
    """Tells whether the dtype is one of floats.

    >>> st.is_floating_point(st.asarray([1.0]))
    True
    """
    return input.dtype.kind == "f" or input.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2")
