# SPDX-License-Identifier: BSD-3-Clause
"""Names that the package finds when they are first asked for: those of modules that are loaded then, functions of NumPy
where it is loaded, and, for others, what to write instead."""

import sys
from importlib import import_module

from . import _core

# The public names of each module that is loaded when one of them is asked for.
MODULES = {
    "_parts": """append block delete diag_indices diag_indices_from diagflat fill_diagonal flatnonzero in1d insert intersect1d
        ix_ mask_indices place putmask setdiff1d setxor1d tril_indices tril_indices_from trim_zeros triu_indices
        triu_indices_from union1d""",
    "_sequences": """bartlett blackman ediff1d fromfunction geomspace hamming hanning histogram2d histogram_bin_edges
        histogramdd identity kaiser logspace sort_complex trapezoid unwrap vander vdot vecmat""",
    "_more": """apply_along_axis apply_over_axes array_equiv asarray_chkfinite base_repr binary_repr common_type
        frompyfunc iscomplex iscomplexobj isfortran isnat isreal isrealobj isscalar iterable min_scalar_type
        piecewise real_if_close require""",
    "_kinds": """bool_ byte cdouble complexfloating csingle double euler_gamma False_ True_ floating generic half inexact int_
        intc integer intp issubdtype little_endian long longlong ndarray number short signedinteger single ubyte uint uintc
        uintp ulong ulonglong unsignedinteger ushort""",
    "_index_tricks": "c_ index_exp lib mgrid ndenumerate ndindex ogrid r_ s_ vectorize",
    "_text": """array2string array_repr array_str frombuffer fromfile fromiter fromstring genfromtxt get_printoptions info loadtxt
        memmap printoptions savetxt savez savez_compressed set_printoptions show_config show_runtime""",
    "_torch": """addbmm addmm addmv addr baddbmm bernoulli binary_cross_entropy_with_logits cartesian_prod cdist
        chain_matmul clamp_max clamp_min combinations complex cosine_similarity cumulative_trapezoid dist embedding
        from_numpy is_complex is_floating_point is_tensor l1_loss layer_norm linear log_softmax logdet mse_loss multinomial
        normalize one_hot pairwise_distance pdist pinverse polar rand_like randint_like randn_like range rsub
        scalar_tensor softmax trapz""",
    "_errors": "errstate geterr geterrcall seterr seterrcall",
}
MODULE_OF = {name: module for module, names in MODULES.items() for name in names.split()}

# Functions that NumPy computes on the memory of Stria's arrays, where it is loaded.
BY_NUMPY = frozenset("""busday_count busday_offset datetime_as_string datetime_data
    einsum_path format_float_positional format_float_scientific fromregex is_busday mintypecode
    poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots typename""".split())

# What to write instead of names that have no meaning here.
HINTS = {
    **dict.fromkeys(("float128", "complex256", "longdouble", "clongdouble"),
                    "float64 and complex128 are the widest dtypes of floats"),
    **dict.fromkeys(("object_", "bytes_", "str_", "void", "flexible", "character", "datetime64", "timedelta64"),
                    "dtypes of that kind are written as stria.dtype('S4'), 'U4', 'V4', 'M8[ns]' or 'm8[ns]'"),
    **dict.fromkeys(("matrix", "bmat", "asmatrix"), "write block, or arrays of two dims, which multiply by @"),
    **dict.fromkeys(("ma", "MaskedArray"), "write where, compress or nansum and its like with a mask; numpy.ma takes arrays of Stria"),
    **dict.fromkeys(("recarray", "record", "rec"), "fields are read as x['name'] from an array of a record dtype"),
    **dict.fromkeys(("nditer", "nested_iters", "flatiter", "broadcast"),
                    "write ndindex or broadcast_arrays, or an operation on whole arrays"),
    **dict.fromkeys(("setbufsize", "getbufsize"), "there is no buffer to set; set_threads bounds the threads of a call"),
    **dict.fromkeys(("poly1d", "polynomial"), "numpy.polynomial takes arrays of Stria"),
    **dict.fromkeys(("char", "strings"), "numpy.strings takes arrays of Stria"),
    **dict.fromkeys(("device", "cuda"), "the only device is 'cpu'"),
    "busdaycalendar": "numpy.busdaycalendar knows which days are worked on",
    "get_include": "the headers are those of the C library: pkg-config --cflags stria",
    "test": "write: python -m stria", "testing": "numpy.testing takes arrays of Stria",
    "ScalarType": "write isdtype(dtype, 'numeric')", "typecodes": "write isdtype(dtype, kind)", "sctypeDict": "write dtype(name)",
    "Tensor": "write Array, or asarray to make one", "product": "write prod", "cumproduct": "write cumprod",
    "sometrue": "write any", "alltrue": "write all", "float": "write float64, or Python's float",
    "int": "write int64, or Python's int", "object": "there are no arrays of objects", "str": "write Python's str",
    "float_": "write float64", "complex_": "write complex128", "Inf": "write inf", "NaN": "write nan", "NAN": "write nan",
    "nn": "write the functions themselves, as relu or softmax", "no_grad": "there are no gradients here",
}


def find(name, module):
    """Returns what the package has by a name that it has not loaded yet, and keeps it there; AttributeError with advice."""
    if name in MODULE_OF:
        value = getattr(import_module("stria." + MODULE_OF[name]), name)
    elif name in BY_NUMPY and "numpy" in sys.modules:
        value = by_numpy(getattr(sys.modules["numpy"], name))
    else:
        hint = _hint(name)
        raise AttributeError(f"module 'stria' has no attribute {name!r}{'; ' if hint else ''}{hint}", name=name)
    setattr(module, name, value)
    return value


def by_numpy(theirs):
    """Returns a function of NumPy that reads arrays of Stria where they lie, and gives such arrays."""
    from functools import wraps

    from ._numpy import by_numpy as call

    @wraps(theirs)
    def function(*args, **keywords):
        return call(theirs, args, keywords)
    function.__module__ = "stria"
    return function


def _hint(name):
    if name.startswith("_"):
        return ""
    if name in HINTS:
        return HINTS[name]
    if name in BY_NUMPY:
        return f"numpy.{name} takes arrays of Stria and gives such, without a copy, and is found here once NumPy is imported"
    for part in map(sys.modules.get, ("stria.linalg", "stria.fft", "stria.random")):  # they may be reloaded now
        if hasattr(part, name):
            return f"write {part.__name__.removeprefix('stria.')}.{name}"
    if (known := _core._elsewhere(name)):
        return f"write {known}"
    near = sorted((d, n) for n in names() if (d := distance(name, n)) <= allowed(name, n))
    return f"did you mean {near[0][1]!r}?" if near else ""


def names():
    """Returns the public names of the package, loaded or not."""
    return {n for n in vars(sys.modules["stria"]) if not n.startswith("_")} | MODULE_OF.keys()


def allowed(a, b):
    """Returns how many letters of two names may differ for one to be taken for the other misspelled."""
    short = min(len(a), len(b))
    if [x for x in a if x.isdigit()] != [x for x in b if x.isdigit()]:
        return -1
    return 2 if short > 7 else 1 if short > 4 or sorted(a) == sorted(b) else 0


def distance(a, b):
    """Counts letters that are missing, more, others, or exchanged with the next one; 3 for 3 or more."""
    if abs(len(a) - len(b)) > 2:
        return 3
    before, row = [], [*range(len(b) + 1)]
    for i, x in enumerate(a):
        previous, before, row = before, row, [i + 1]
        for j, y in enumerate(b):
            best = min(before[j] + (x != y), before[j + 1] + 1, row[j] + 1)
            if i and j and x == b[j - 1] and a[i - 1] == y:
                best = min(best, previous[j - 1] + 1)
            row.append(best)
    return min(row[-1], 3)
