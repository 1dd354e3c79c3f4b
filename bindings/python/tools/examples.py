# SPDX-License-Identifier: BSD-3-Clause
"""Writes an example of each function: python examples.py FILE, with the package in PYTHONPATH. docs.py makes it a part of
the docstrings, and a test runs all of them. A function's example is its first call, of those with common arguments for the
parameters of its forms, that is not refused and gives something short; where there is none that tells much, BY_HAND has one.
"""

import ast
import contextlib
import inspect
import itertools
import re
import sys

import stria as st
from stria import _core

BY_HAND = {
    "einsum": "st.einsum('ij,jk->ik', [[1, 2], [3, 4]], [[1, 0], [0, 2]])", "pad": "st.pad([1, 2], (1, 2))",
    "where": "st.where([True, False, True], [1, 2, 3], 0)", "take": "st.take([10, 20, 30], [2, 0])",
    "reshape": "st.reshape(st.arange(6), (2, 3))", "transpose": "st.transpose([[1, 2, 3], [4, 5, 6]])",
    "clip": "st.clip([1, 5, 9], 2, 6)", "arange": "st.arange(2, 10, 3)", "linspace": "st.linspace(0, 1, 5)",
    "full": "st.full((2, 2), 7)", "eye": "st.eye(2)", "concat": "st.concat([st.asarray([1, 2]), st.asarray([3])])",
    "concatenate": "st.concatenate([st.asarray([1, 2]), st.asarray([3])])", "isa_name": "st.isa_name() != ''",
    "add": "st.add([1, 2], [10, 20])", "subtract": "st.subtract([1, 2], 1)", "multiply": "st.multiply([1, 2], [3, 4])",
    "index_put_": "x = st.zeros(3); st.index_put_(x, [st.asarray([0, 2])], st.asarray([1.0, 2.0]))",
    "index_put": "st.index_put(st.zeros(3), [st.asarray([0, 2])], st.asarray([1.0, 2.0]))",
    "T": "st.T(st.asarray([[1, 2], [3, 4]]))", "around": "st.around([1.26, 2.5], 1)", "round": "st.round([1.26, 2.5], decimals=1)",
    "linalg.matrix_transpose": "st.linalg.matrix_transpose(st.asarray([[1, 2], [3, 4]]))",
    "machine_profile": "name = st.machine_profile()",

    "stack": "st.stack([[1, 2], [3, 4]])", "sort": "st.sort([3, 1, 2])", "argsort": "st.argsort([3, 1, 2])",
    "astype": "st.astype([1.7, 2.2], 'int32')", "asarray": "st.asarray([[1, 2], [3, 4]])", "array": "st.array([1.0, 2.5])",
    "searchsorted": "st.searchsorted([1, 3, 5], [0, 3, 9])", "matmul": "st.matmul([[1, 2], [3, 4]], [1, 1])",
    "tile": "st.tile([1, 2], (2, 2))", "repeat": "st.repeat([1, 2], 2)", "roll": "st.roll([1, 2, 3, 4], 1)",
    "unfold": "st.unfold([1, 2, 3, 4], 0, 2, 1)", "bincount": "st.bincount([0, 2, 2])", "quantile": "st.quantile([1.0, 2.0, 4.0], 0.5)",
    "moveaxis": "st.moveaxis(st.zeros((2, 3, 4)), 0, -1).shape", "movedim": "st.movedim(st.zeros((2, 3, 4)), 0, -1).shape",
    "broadcast_to": "st.broadcast_to([1, 2], (2, 2))", "isclose": "st.isclose([1.0, 2.0], [1.0, 2.1])",
    "allclose": "st.allclose([1.0, 2.0], [1.0, 2.0])", "topk": "st.topk([3, 9, 4, 9], 2)[0]",
    "as_strided": "st.as_strided(st.arange(4), (3, 2), (1, 1))", "meshgrid": "st.meshgrid([1, 2], [3, 4, 5])[0].shape",
    "broadcast_arrays": "st.broadcast_arrays([1, 2], [[3], [4]])[1]", "result_type": "st.result_type('int8', 'uint8')",
    "eval": "st.eval('a * 2 + 1', a=st.asarray([1, 2]))", "get_threads": "st.get_threads() >= 1", "shares_memory": "x = st.arange(3); st.shares_memory(x, x[1:])",
    "may_share_memory": "x = st.arange(3); st.may_share_memory(x, x[1:])", "set_threads": "st.set_threads(0)",
    "set_keep_limit": "limit = st.set_keep_limit(1 << 20)", "from_dlpack": "st.from_dlpack(st.arange(3))",
    "histogram": "st.histogram([1, 2, 2, 5], 2)[0]", "empty": "st.empty((2, 3)).shape", "empty_like": "st.empty_like([1, 2]).shape",
    "new_empty": "st.new_empty([1], (2, 3)).shape", "new_empty_strided": "st.new_empty_strided([1], (2, 3), (1, 2)).strides",
    "resize_": "st.resize_(st.zeros(3000), 2)", "data_ptr": "st.data_ptr(st.zeros(3)) != 0", "empty_permuted": "st.empty_permuted((2, 3), (1, 0)).strides", "empty_strided": "st.empty_strided((2, 3), (1, 2)).strides",
    "meshgrid_copy": "st.meshgrid_copy([1, 2], [3, 4])[1]", "set_": "x = st.zeros(2); _ = st.set_(x, st.asarray([1.0, 5.0])); x",
    "hash": "st.hash([1, 2]) == st.hash(st.asarray([1, 2]))",
}
for _name in ("sum", "prod", "max", "min"):
    BY_HAND[f"segment_{_name}"] = f"st.segment_{_name}([3, 1, 2], [0, 0, 1])"
BY_HAND.update({
    "choose": "st.choose(st.asarray([0, 1]), [st.asarray([1, 2]), st.asarray([3, 4])])",
    "conv2d": "st.conv2d(st.ones((1, 1, 3, 3)), st.ones((1, 1, 2, 2)))",
    "conv3d": "st.conv3d(st.ones((1, 1, 2, 2, 2)), st.ones((1, 1, 2, 2, 2)))",
    "ravel_multi_index": "st.ravel_multi_index((st.asarray([0, 1]), st.asarray([1, 2])), (2, 3))",
    "unpackbits": "st.unpackbits(st.asarray([5], dtype='uint8'))",
    "put_along_axis": "st.put_along_axis(st.zeros((2, 2)), st.asarray([[0], [1]]), 1.0, 1)",
    "segment_reduce": "st.segment_reduce(st.asarray([1.0, 2.0, 4.0]), 'sum', lengths=st.asarray([1, 2]))",
    "segment_op": "st.segment_op(st.asarray([3.0, 4.0, 5.0]), 'hypot', st.asarray([0, 2]))",
    "fold_op": "st.fold_op(st.asarray([3.0, 4.0, 12.0]), 'hypot')", "scan_op": "st.scan_op(st.asarray([12, 8, 6]), 'gcd')",
    "label_op": "st.label_op(st.asarray([3.0, 4.0, 5.0]), 'hypot', st.asarray([0, 0, 1]))",
    "inner_op": "st.inner_op(st.asarray([[0, 3], [1, 0]]), 'minimum', 'add', st.asarray([[0, 3], [1, 0]]))",
    "outer_op": "st.outer_op(st.asarray([1, 2]), 'add', st.asarray([10, 20]))",
    "op_at": "st.op_at(st.zeros(3), 'add', st.asarray([0, 2, 2]), st.asarray([1.0, 1.0, 1.0]))",
    "op_at_": "x = st.zeros(3); st.op_at_(x, 'add', st.asarray([0, 2, 2]), st.asarray([1.0, 1.0, 1.0]))"})
BY_HAND.update({f"fft.{name}": f"st.fft.{name}({given})" for name, given in {
    "fft": "[1.0, 0.0, 0.0, 0.0]", "ifft": "[4.0, 0.0]", "rfft": "[1.0, 2.0, 3.0, 4.0]", "irfft": "[3.0, 1.0]",
    "hfft": "[1.0, 2.0]", "ihfft": "[1.0, 2.0, 3.0, 4.0]", "fft2": "[[1.0, 0.0], [0.0, 0.0]]",
    "ifft2": "[[4.0, 0.0], [0.0, 0.0]]", "fftn": "[[1.0, 0.0], [0.0, 0.0]]", "ifftn": "[[4.0, 0.0], [0.0, 0.0]]",
    "rfft2": "[[1.0, 2.0], [3.0, 4.0]]", "rfftn": "[[1.0, 2.0], [3.0, 4.0]]", "irfft2": "[[4.0, 0.0], [0.0, 0.0]]",
    "irfftn": "[[4.0, 0.0], [0.0, 0.0]]", "hfft2": "[[1.0, 2.0], [3.0, 4.0]]", "hfftn": "[[1.0, 2.0], [3.0, 4.0]]",
    "ihfft2": "[[1.0, 2.0], [3.0, 4.0]]", "ihfftn": "[[1.0, 2.0], [3.0, 4.0]]", "fftfreq": "4", "rfftfreq": "4",
    "fftshift": "[0, 1, 2, 3]", "ifftshift": "[0, 1, 2]"}.items()})
# Sparse arrays are values of text alone.
for _name, _text in {"to_sparse": "to_dense()", "to_sparse_csr": "to_dense()", "coalesce": "to_dense()"}.items():
    BY_HAND[_name] = f"st.eval('x.{_name}().{_text}', x=st.asarray([[0, 3], [4, 0]]))"
    if _name == "coalesce":
        BY_HAND[_name] = f"st.eval('x.to_sparse().coalesce().{_text}', x=st.asarray([[0, 3], [4, 0]]))"
for _name in ("indices", "values", "to_dense", "sparse_dim", "dense_dim", "is_coalesced"):
    BY_HAND[_name] = f"st.eval('x.to_sparse().{_name}()', x=st.asarray([[0, 3], [4, 0]]))"
for _name in ("crow_indices", "col_indices"):
    BY_HAND[_name] = f"st.eval('x.to_sparse_csr().{_name}()', x=st.asarray([[0, 3], [4, 0]]))"
for _name in ("ccol_indices", "row_indices"):
    BY_HAND[_name] = f"st.eval('sparse_csc_tensor([0, 1, 2], [1, 0], [4, 3], (2, 2)).{_name}()')"
for _name in ("sparse_csr_tensor", "sparse_csc_tensor"):
    BY_HAND[_name] = f"st.eval('{_name}([0, 1, 2], [1, 0], [4, 3], (2, 2)).to_dense()')"
BY_HAND["sparse_coo_tensor"] = "st.eval('sparse_coo_tensor([[0, 1], [1, 0]], [3, 4], (2, 2)).to_dense()')"
for _name in ("structured_to_unstructured", "structured_to_unstructured_copy"):
    BY_HAND[_name] = f"x = st.zeros(2, dtype=\"[('a', 'f4'), ('b', 'f4')]\"); st.{_name}(x)"
BY_HAND["flush"] = ("import os, tempfile; folder = tempfile.TemporaryDirectory(); "
                    "x = st.create(os.path.join(folder.name, 'x.npy'), (2, 3)); st.flush(x)")
VALUES = {
    "": ["[1, 5, 2]", "[1.5, -2.0]", "[[1, 2], [3, 4]]", "[True, False]", "[[2.0, 0.0], [1.0, 3.0]]", "[1 + 2j, 3 - 1j]",
         "st.arange(8).reshape(2, 2, 2)", "st.asarray([1, 2, 3])", "st.asarray([1.0, 2.0], dtype='float32')", "st.zeros((1, 2, 1))"],
    "operand": ["[-1.5, 2.0]", "[4, 2, 3]", "2", "[0.5, 2.0]", "[[5, 6], [7, 8]]", "True", "[True, True]", "0.5"],
    "data": ["[0, 2, 1]", "2", "[[0, 1], [1, 0]]", "[True, False, True]", "[0, 1]", "0.5"],
    "int": ["2", "1", "0", "3"], "ints": ["(2, 3)", "(3,)", "(1, 2)", "2"], "dim": ["0", "1", "-1"],
    "dims": ["(1, 0)", "0", "(0, 1)"], "bool": ["True"], "text": ["'sum'", "'linear'", "'a'"], "dtype": ["'float32'", "'int16'", "'uint8'"],
    "arrays": ["[[1, 2], [3, 4]]", "[st.asarray([1, 2]), st.asarray([3, 4])]"], "sparse": ["st.to_sparse([[0, 3], [4, 0]])"],
    "format": ["'C'"], "class": ["int"], "any": ["[1, 2]"],
}


def order_of(signature):
    inside = signature[signature.find("(") + 1:-1]
    for text in (t for t in re.split(r", (?![^(]*\))", inside) if t):
        many, names, kind, default = re.match(r"(\*?)([\w|]+):?([a-z]*\??)((?:=.*)?)$", text).groups()
        yield names.split("|"), kind.rstrip("?"), default or kind.endswith("?")


def candidates(name):
    """Returns calls with arguments for the parameters that have no default; those of NumPy's forms come first."""
    called = f"st.{name}" if "." in name or inspect.isroutine(getattr(st, name, None)) or isinstance(
        getattr(st, name, None), st.ufunc) else None
    forms = sorted(_core._forms(name), key=lambda f: f[4] == "torch")
    for signature, _, theme, *_ in forms:
        lists = []
        for names, kind, optional in order_of(signature):
            if optional:
                if "seed" in names:
                    lists.append(["seed=1"])
                continue
            first = ["[3, 1, 2]"] if kind == "" else ["[0.5, 1.0]", "[6, 3, 4]"] if kind == "operand" else []
            lists.append((first if not lists else ["2", "[3, 2, 4]"] if kind == "operand" else []) + VALUES.get(kind, VALUES[""]))
        for values in itertools.islice(itertools.product(*lists), 600):
            if called is None:
                made = values[0] if values[0].startswith("st.") else f"st.asarray({values[0]})"
                yield f"{made}.{name}({', '.join(values[1:])})"
            elif name.endswith("_"):
                made = values[0] if values[0].startswith("st.") else f"st.asarray({values[0]})"
                yield f"x = {made}; _ = {called}({', '.join(['x', *values[1:]])}); x"
            else:
                yield f"{called}({', '.join(values)})"


def said(text):
    """Returns what Python prints for an example."""
    scope = {"st": st}
    *before, last = text.split("; ")
    for line in before:
        exec(line, scope)
    if re.match(r"\w+ = ", last):
        exec(last, scope)
        return ""
    value = eval(last, scope)
    return "" if value is None else repr(value)


def example(name):
    best = None
    for text in ([BY_HAND[name]] if name in BY_HAND else candidates(name)):
        with contextlib.suppress(Exception):
            first = said(text)
            if " at 0x" in first or first != said(text) or first.count("\n") > 5 or "\n\n" in first:
                continue
            plain = not any(word in first for word in ("nan", "inf", "size=0", "shape="))
            if name in BY_HAND or plain and first not in (same := given(text), f"({same},)"):
                return text, first
            best = best if best and (best[2] or not plain) else (text, first, plain)
    return best and best[:2]


def given(text):
    """Returns what Python prints for the first argument of an example, which its result should differ from."""
    with contextlib.suppress(Exception):
        inside = text.removeprefix("x = ").split("; ")[0]
        tree = ast.parse(inside, mode="eval").body
        return repr(st.asarray(eval(ast.unparse(tree.args[0]), {"st": st})))
    return None


def names():
    seen = set()
    for place, prefix in ((st, ""), (st.linalg, "linalg."), (st.fft, "fft.")):
        for name in sorted(dir(place)):
            value = getattr(place, name)
            if name.startswith("_") or not (inspect.isbuiltin(value) or isinstance(value, st.ufunc)):
                continue
            seen.add(name)
            yield prefix + name
    for name in (n for n in sorted(dir(st.Array)) if not n.startswith("_")):  # methods that are no functions
        if name not in seen and inspect.ismethoddescriptor(getattr(st.Array, name)):
            yield name


def main(path):
    lines, without = [], []
    for name in names():
        if not _core._forms(name) or name in ("array", "asarray"):
            continue  # its docstring stands in C
        found = example(name)
        if not found:
            without.append(name)
            continue
        text, result = found
        lines.append("\n".join([f"== {name}", *(f">>> {line}" for line in text.split("; ")), *result.splitlines()]))
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    print(f"{len(lines)} examples; without: {' '.join(without)}")


if __name__ == "__main__":
    main(sys.argv[1])
