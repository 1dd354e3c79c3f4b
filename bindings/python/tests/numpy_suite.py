# SPDX-License-Identifier: BSD-3-Clause
"""Runs NumPy's own tests on the package: numpy_suite.py FOLDER [FILE...].

The installed NumPy's test files are written to FOLDER with other imports: names that the package has are the package's,
others stay NumPy's. What passed, and why the rest does not, is compared with numpy_suite.txt, which may only grow in
passes: `numpy_suite.py FOLDER [FILE...] --renew` writes the lines of these files anew.
"""

import ast
import collections
import json
import os
import re
import subprocess
import sys

FILES = """_core/tests/test_ufunc.py _core/tests/test_umath.py _core/tests/test_indexing.py _core/tests/test_shape_base.py
    _core/tests/test_numeric.py _core/tests/test_einsum.py lib/tests/test_function_base.py lib/tests/test_shape_base.py
    linalg/tests/test_linalg.py""".split()
HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "numpy_suite.txt")

SHIM = '''
import functools, importlib, sys, types
import numpy, stria

_MAKERS = set("array asarray asanyarray zeros ones empty full arange eye identity linspace frombuffer fromiter ascontiguousarray "
              "asfortranarray tile repeat copy".split())
_THEIRS = {"testing", "lib", "_core", "core", "exceptions", "ma", "dtypes", "polynomial", "char", "strings", "rec", "typing",
           "matrixlib", "compat", "f2py", "version", "__config__", "long", "ulong", "__version__"}


def _lacks(result):
    kind = getattr(getattr(result, "dtype", None), "kind", "")
    return kind in "OUSVTmM" or str(getattr(result, "dtype", "")) in ("float128", "complex256", "longdouble", "clongdouble") or (
        isinstance(result, numpy.ndarray) and type(result) is not numpy.ndarray)


def _maker(name):
    own, theirs = getattr(stria, name), getattr(numpy, name)

    def make(*args, **keywords):
        try:
            made = own(*args, **keywords)
            # Dates are read and computed with by NumPy alone.
            return theirs(*args, **keywords) if getattr(getattr(made, "dtype", None), "kind", "") in ("m", "M") else made
        except Exception as error:
            try:
                other = theirs(*args, **keywords)
            except Exception:
                raise error from None
            if _lacks(other) or name in ("finfo", "iinfo"):
                return other
            raise
    made = functools.partial(make)  # which is no method of classes that have it as an attribute
    made.__name__ = name
    return made


class _AnyDType(type):
    def __call__(cls, *args, **keywords):
        try:
            if len(args) == 1 and not keywords:
                return stria.dtype(*args)
        except Exception:
            pass
        return numpy.dtype(*args, **keywords)

    def __instancecheck__(cls, x):
        return isinstance(x, (numpy.dtype, stria.dtype))


class _dtype(metaclass=_AnyDType):
    pass


def _seen(value):
    """Returns what NumPy's functions for tests compare: they know no arrays but their own."""
    if isinstance(value, stria.Array):
        return numpy.asarray(value)
    if type(value) in (list, tuple):
        return type(value)(map(_seen, value))
    return value


def _comparing(theirs):
    def compare(*args, **keywords):
        __tracebackhide__ = True
        return theirs(*map(_seen, args), **{k: _seen(v) for k, v in keywords.items()})
    return compare


class Testing(types.ModuleType):
    def __getattr__(self, name):
        made = getattr(numpy.testing, name)
        several = name.startswith("assert_") and not any(w in name for w in ("raises", "warns", "no_gc", "string"))
        return _comparing(made) if several else made


# Arrays of objects, long doubles and texts are NumPy's, whatever they are made from.
_astype = stria.Array.astype


def _as(self, dtype, *args, **keywords):
    try:
        return _astype(self, dtype, *args, **keywords)
    except Exception:
        made = numpy.asarray(self).astype(dtype)
        if _lacks(made):
            return made
        raise


stria.Array.astype = _as
UMATH = {f.__name__: getattr(stria, f.__name__) for f in vars(numpy).values()  # each once, whatever names it has
         if isinstance(f, numpy.ufunc) and isinstance(getattr(stria, f.__name__, 0), stria.ufunc)}


class Names(types.ModuleType):
    """A module of NumPy's, with the package's names where it has them."""

    def __init__(self, path):
        super().__init__(path)
        self._theirs = importlib.import_module(path)
        self._path = path

    def __getattr__(self, name):
        if self._path == "numpy" and name == "dtype":
            return _dtype
        if self._path == "numpy" and name == "exceptions":
            return module("numpy.exceptions")
        if self._path == "numpy" and name == "testing":
            return module("numpy.testing")
        if self._path == "numpy" and name in ("finfo", "iinfo"):
            return _maker(name)
        if self._path.startswith(("numpy._core._umath_tests", "numpy._core._operand_flag", "numpy._core._rational")):
            return getattr(self._theirs, name)
        part = {"numpy.linalg": stria.linalg, "numpy.random": stria.random}.get(self._path, stria)
        if self._path == "numpy" and name in ("linalg", "random", "fft"):
            return module("numpy." + name)
        if name in _MAKERS and part is stria:
            return _maker(name)
        if part is stria and isinstance(getattr(numpy, name, None), numpy.ufunc):
            name = getattr(numpy, name).__name__
        if name == "AxisError":
            return stria.AxisError
        if name not in _THEIRS and not name.startswith("_") and hasattr(part, name):
            return getattr(part, name)
        return getattr(self._theirs, name)


_known = {}


def module(path):
    if path not in _known:
        _known[path] = Testing(path) if path == "numpy.testing" else Names(path)
    return _known[path]


def name(path, name):
    try:
        return getattr(module(path), name)
    except AttributeError:
        return importlib.import_module(path + "." + name)
'''

CONFTEST = '''
import json, os, signal
import pytest
import stria
stria.set_threads(1)
_made = {}


def _stop(*unused):
    raise TimeoutError("more than 20 seconds")


signal.signal(signal.SIGPROF, _stop)  # of the processor's time, so that others' load makes no difference


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    signal.setitimer(signal.ITIMER_PROF, 20)
    stria.seterr(all="warn", under="ignore")  # as NumPy begins
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def pytest_runtest_logreport(report):
    name = report.nodeid
    if report.failed and not hasattr(report, "wasxfail"):
        crash = getattr(report.longrepr, "reprcrash", None)
        _made[name] = ["failed", (crash.message if crash else str(report.longrepr)).strip()[:300]]
    elif report.skipped or hasattr(report, "wasxfail"):
        _made.setdefault(name, ["skipped", ""])
    elif report.when == "call":
        _made.setdefault(name, ["passed", ""])


def pytest_sessionfinish(session):
    with open(os.environ["STRIA_SUITE"], "w") as file:
        json.dump(_made, file)
'''


class Imports(ast.NodeTransformer):
    """Replaces imports of NumPy by names of the shim. Classes that derive from NumPy's array go on to do so."""

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        for i, base in enumerate(node.bases):
            if ast.unparse(base) in ("np.ndarray", "ndarray"):
                node.bases[i] = ast.parse("numpy_names.numpy.ndarray", mode="eval").body
        flat = []
        for part in node.body:
            flat += part if isinstance(part, list) else [part]
        node.body = flat
        return node

    def visit_Import(self, node):
        return [self._one(alias) for alias in node.names]

    def _one(self, alias):
        if alias.name.split(".")[0] != "numpy":
            return ast.Import([alias])
        path = alias.name if alias.asname else "numpy"
        return ast.parse(f"import {alias.name}\n{alias.asname or 'numpy'} = numpy_names.module({path!r})").body

    def visit_ImportFrom(self, node):
        if node.level or not (node.module or "").startswith("numpy") or node.module.startswith("numpy.testing."):
            return node
        return [ast.parse(f"{a.asname or a.name} = numpy_names.name({node.module!r}, {a.name!r})").body[0] for a in node.names]


def written(source, folder):
    import numpy

    path = os.path.join(os.path.dirname(numpy.__file__), source)
    with open(path) as file:
        tree = Imports().visit(ast.parse(file.read()))
    flat = []
    for node in tree.body:
        flat += node if isinstance(node, list) else [node]
    place = 1 if isinstance(flat[0], ast.Expr) else 0
    while place < len(flat) and isinstance(flat[place], ast.ImportFrom) and flat[place].module == "__future__":
        place += 1
    tree.body = [*flat[:place], *ast.parse("import numpy_names").body, *flat[place:]]
    to = os.path.join(folder, source.replace("/tests/", "_").replace("/", "_"))
    with open(to, "w") as file:
        text = re.sub(r"(np\._core\.)?umath\.__dict__", "numpy_names.UMATH", ast.unparse(ast.fix_missing_locations(tree)))
        file.write(text.replace("'O->O' in uf.types", "uf is np.bitwise_count"))  # there are no arrays of objects
    return to


def tests_of(source, folder):
    """Runs the tests of a file; returns [outcome, message] of each."""
    to, result = written(source, folder), os.path.join(folder, "result.json")
    if os.path.exists(result):
        os.remove(result)
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=line", "-W", "ignore",
                          "--rootdir", folder, "-c", os.devnull, to], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         env={**os.environ, "STRIA_SUITE": result, "NPY_AVAILABLE_MEM": "1 GB"})
    if not os.path.exists(result):
        print(run.stdout[-3000:])
        raise SystemExit(f"{source}: the run ended early, {run.returncode}")
    with open(result) as file:
        return {name.split("::", 1)[1] if "::" in name else name: made for name, made in json.load(file).items()}


def without_parameters(made):
    """Joins the tests that differ only in parameters: (passed, failed, skipped, the first message)."""
    joined = collections.OrderedDict()
    for name, (outcome, message) in made.items():
        key = re.sub(r"\[.*", "", name, flags=re.S)
        passed, failed, skipped, first = joined.get(key, (0, 0, 0, ""))
        joined[key] = (passed + (outcome == "passed"), failed + (outcome == "failed"), skipped + (outcome == "skipped"),
                       first or message if outcome == "failed" else first)
    return joined


def main():
    folder, renew = sys.argv[1], "--renew" in sys.argv
    chosen = [f for f in sys.argv[2:] if f != "--renew"] or FILES
    os.makedirs(folder, exist_ok=True)
    for name, text in (("numpy_names.py", SHIM), ("conftest.py", CONFTEST)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    known, lines, worse, total = read(), [], [], [0, 0, 0]
    for source in chosen:
        made = without_parameters(tests_of(source, folder))
        sums = [sum(v[i] for v in made.values()) for i in range(3)]
        total = [a + b for a, b in zip(total, sums)]
        print(f"{source}: {sums[0]} passed, {sums[1]} failed, {sums[2]} skipped by NumPy's own conditions", flush=True)
        with open(os.path.join(folder, source.replace("/", "_") + ".json"), "w") as file:
            json.dump(made, file, indent=1)
        for name, (passed, failed, _, message) in made.items():
            before = known.get((source, name))
            if before is not None and failed > before[0] or before is None and failed and known:
                worse.append(f"{source} {name}: {failed} failed, {before[0] if before else 0} are listed: {message}")
            if failed:
                reason = before[1] if before else " ".join(message.split("Traceback")[0].split())[:110].rstrip() or "?"
                lines.append(f"{source} {name} {failed} {reason}")
    share = total[0] / max(total[0] + total[1], 1)
    print(f"{total[0]} of {total[0] + total[1]} passed, {100 * share:.1f} %")
    if renew:
        lines += [f"{file} {name} {failed} {reason}" for (file, name), (failed, reason) in known.items() if file not in chosen]
        lines.sort(key=lambda line: FILES.index(line.split(" ")[0]))
        with open(LIST, "w") as file:
            file.write("# What fails of NumPy's own tests on the package (numpy_suite.py): file, test, how many, why.\n"
                       "# The list may only shrink.\n" + "\n".join(lines) + "\n")
    for line in worse:
        print(line)
    sys.exit(bool(worse) and not renew)


def read():
    known = {}
    if os.path.exists(LIST):
        with open(LIST) as file:
            for line in file:
                if not line.startswith("#"):
                    source, name, failed, reason = line.rstrip("\n").split(" ", 3)
                    known[source, name] = int(failed), reason
    return known


if __name__ == "__main__":
    main()
