# SPDX-License-Identifier: BSD-3-Clause
"""Tests the types of the package: the built stubs agree with what its functions say of themselves."""

import ast
import builtins
import importlib.util
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
import stria
from stria import _names


def test_stubs():
    installed = pathlib.Path(stria.__file__).with_name("__init__.pyi").read_text()
    script = pathlib.Path(__file__).parent.parent / "tools" / "stubs.py"
    spec = importlib.util.spec_from_file_location("stubs", script)
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    assert installed == stubs.text()
    functions = {n.name: n.args for n in ast.parse(installed).body if isinstance(n, ast.FunctionDef)}
    body = ast.parse(installed).body
    by_element = {n.target.id for n in body if isinstance(n, ast.AnnAssign) and ast.unparse(n.annotation) == "ufunc"}
    methods = next(n for n in body if isinstance(n, ast.ClassDef) and n.name == "ufunc").body
    call = next(n.args for n in methods if isinstance(n, ast.FunctionDef) and n.name == "__call__")
    for name in dir(stria):
        value = getattr(stria, name)
        if isinstance(value, stria.ufunc):
            told = [p.name for p in inspect.signature(value).parameters.values()][1:]
            typed = [x.arg for x in call.args[value.nin == 1:] + call.kwonlyargs]
            assert name in by_element and told == typed, name
        if inspect.isbuiltin(value) and not name.startswith("_"):
            told = [p.name for p in inspect.signature(value).parameters.values()]
            a = functions[name]
            typed = [x.arg for x in a.posonlyargs + a.args + ([a.vararg] if a.vararg else []) + a.kwonlyargs + ([a.kwarg] if a.kwarg else [])]
            assert told == typed, name


def test_stubtest(tmp_path):
    """Lets mypy compare the stubs with the package."""
    pytest.importorskip("mypy")
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n[mypy-stria.*]\nignore_errors = True\n"
                                       "[mypy-stria]\nignore_errors = False\n"
                                       "disable_error_code = overload-cannot-match, overload-overlap\n")
    installed = pathlib.Path(stria.__file__).with_name("__init__.pyi").read_text()
    several = "|".join({n.name for n in ast.walk(ast.parse(installed)) if isinstance(n, ast.FunctionDef) and n.decorator_list
                        and ast.unparse(n.decorator_list[0]) == "overload"})  # more ways to call than a signature tells
    found = "|".join(_names.MODULE_OF.keys() | _names.BY_NUMPY)  # they are in the module once somebody asks
    (tmp_path / "private").write_text(f"stria\\.({found})\\b.*\nstria\\.(_|dask|einops|linalg|random|fft).*\nstria\\.(Array\\.)?({several})\n"
                                      "stria\\.Array\\.__(buffer|array|array_ufunc)__\nstria\\.__all__\nstria\\.checked\n"
                                      "stria\\.Array\\.__new__\n")
    package = pathlib.Path(stria.__file__).parent
    (tmp_path / "stria").symlink_to(package)  # a folder without other packages, perhaps mypy itself
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "stria", "--concise", "--ignore-missing-stub",
                           "--ignore-disjoint-bases", "--ignore-unused-allowlist", "--mypy-config-file", "mypy.ini",
                           "--allowlist", "private"], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(package.parent), "MYPYPATH": str(tmp_path)})
    assert done.returncode == 0, done.stdout + done.stderr


CALLS = """import numpy as np
import stria as st

x = st.zeros((3, 4))
c = x > 1
places: tuple[st.Array, ...] = st.where(c)
a: st.Array = x.sum(dim=0) + x.sum(axis=1, keepdims=True)[0] + st.sum(x, dim=0, keepdim=True)[0]
b: st.Array = x.std(ddof=1) + st.std(x, axis=0, ddof=1, keepdims=True) + st.var(x, dim=0, correction=1)
v: st.Array = x.view("int32").view(2, -1).view((4, -1))
w: st.Array = st.where(c, x, 0) + st.where(c, x=x, y=1)
d: st.Array = x * np.arange(4) - 2.0 * x @ x.T
np.sin(x), np.add(x, 1), np.asarray(x), np.dot(x, x.T), memoryview(x), np.float64(2) * x
x[0] += 1
x[c] = 0
x[:, 0], x[..., None] = 1, 2
x.shape = 4, 3
e: st.Array = x.reshape(-1, 2).reshape((2, 6)).T @ x.reshape(2, 6)
f: st.Array = x.astype(np.float32).permute(1, 0).transpose(1, 0).transpose((1, 0))
g: st.Array = x.mean(1, keepdim=True).max(0) + st.add.reduce(x, axis=0) + st.empty(x.shape, x.dtype)
h: st.Array = st.concatenate((x, x), axis=0) + st.cat([x, x], dim=0)
z = st.asarray([1, 2, 3], dtype=np.int8)
print(float(x[0, 0]), int(z[0]), z.tolist(), len(z), st.random.default_rng(1).normal(size=3), st.linalg.norm(x))
for row in x:
    print(row.shape[0], row.item())
total, steps = 0.0, 1  # numbers that take what may be a number
total += st.tanh(x[0, 0]) + x.sum() + st.dot(x[0], x[0]) * x.std(ddof=1) - st.max(x) ** 2
total -= st.exp(total) + x.trace()
steps = (st.sum(x) - st.sum(x, dtype="f8")) / x.mean()
for number in x[0]:
    total += number
i: st.Array = st.select([c], [x]) + st.zeros_like(x, shape=(2,)) + st.zeros(2, order="F") + st.around(x) + st.array([1], subok=True)
j: st.Array = st.linspace(0, 1, 5, endpoint=False) + st.pad(x, 1, mode="linear_ramp", end_values=3)
j = st.quantile(x, [0.5], weights=x, method="inverted_cdf") + st.average(x, axis=0)
spaced, step = st.linspace(0, 1, 5, retstep=True)
mean, sums = st.average(x, weights=[1], returned=True)
xp = x.__array_namespace__()
st.load("x.npy", mmap_mode="r")
with st.errstate(divide="ignore"):
    pass
"""


def checked(tmp_path, source, checker="mypy"):
    """Returns what a checker in strict mode says of a program, without its findings in the package's files."""
    package = pathlib.Path(stria.__file__).parent
    if not (tmp_path / "stubs").exists():
        (tmp_path / "stubs").mkdir()
        (tmp_path / "stubs/stria").symlink_to(package)  # a folder without other packages, perhaps mypy itself
    (tmp_path / "program.py").write_text(source)
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n[mypy-stria.*]\nignore_errors = True\n")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({
        "typeCheckingMode": "strict", "extraPaths": ["stubs"], "include": ["program.py"], "reportMissingModuleSource": False,
        "reportUnusedExpression": False, "reportUnusedVariable": False}))
    command = ["-m", "mypy", "program.py"] if checker == "mypy" else ["-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": str(tmp_path / "stubs")})
    return done.stdout + done.stderr


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_calls_are_typed(tmp_path, checker):
    pytest.importorskip(checker)
    pytest.importorskip("numpy")
    said = checked(tmp_path, CALLS, checker)
    assert "Success" in said or "0 errors" in said, said


def test_modules_name_what_they_use():
    """Every base of a class in the types of a module is a name that the module has."""
    for path in pathlib.Path(stria.__file__).parent.glob("*.pyi"):
        body = ast.parse(path.read_text()).body
        known = {a.asname or a.name for n in body if isinstance(n, ast.ImportFrom) for a in n.names} | {
            n.name for n in body if isinstance(n, ast.ClassDef)} | vars(builtins).keys()
        used = {ast.unparse(b.value if isinstance(b, ast.Subscript) else b) for n in body if isinstance(n, ast.ClassDef) for b in n.bases}
        assert used <= known, (path, used - known)


def typed(line):
    """Returns the head of a function with types, which the pages leave out."""
    head = re.match(r"def (\w+)\(([\w, ]*)\):(.*)", line)
    parameters = head and re.sub(r"(\w+)", r"\1: st.Array", head[2])
    return f"def {head[1]}({parameters}) -> st.Array:{head[3]}" if head else line


PAGES = sorted((pathlib.Path(__file__).parents[3] / "docs").glob("*.md"))


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_docs_are_typed(tmp_path, checker):
    """The examples of the pages are programs that pass in strict mode; names that they use again have other types."""
    pytest.importorskip(checker)
    if not PAGES:
        pytest.skip("the pages are not installed")
    lines = ["import stria as st"]
    for page in PAGES:
        lines.append(f"# {page.name}")
        for block in page.read_text().split("```python\n")[1:]:
            if "dask" in block:  # which has no types
                continue
            code = block.split("```")[0].splitlines()
            shown = [line[4:] for line in code if line[:4] in (">>> ", "... ")]
            lines += [typed(line) for line in shown or code if not line.startswith("import stria as st")]
    said = checked(tmp_path, "\n".join(lines) + "\n", checker)
    known = ('no attribute "longdouble"', "Incompatible types in assignment", 'has no attribute "compute"')
    assert not [line for line in said.splitlines() if "error:" in line and not any(k in line for k in known)], said


def test_fuzz(tmp_path):
    script = pathlib.Path(__file__).with_name("fuzz.py")
    seconds = os.environ.get("STRIA_FUZZ_SECONDS", "2")
    run = subprocess.run([sys.executable, "-X", "faulthandler", script, seconds], capture_output=True, text=True, cwd=tmp_path,
                         stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    assert run.returncode == 0 and "rounds" in run.stdout, run.stderr[-3000:]
