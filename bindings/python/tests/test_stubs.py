# SPDX-License-Identifier: BSD-3-Clause
"""Tests the types of the package: the built stubs agree with what its functions say of themselves."""

import ast
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys

import pytest
import stria


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
                                       "[mypy-stria]\nignore_errors = False\n")
    (tmp_path / "private").write_text("stria\\.(_|dask|linalg).*\n")
    package = pathlib.Path(stria.__file__).parent
    (tmp_path / "stria").symlink_to(package)  # a folder without other packages, perhaps mypy itself
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "stria", "--concise", "--ignore-missing-stub",
                           "--ignore-disjoint-bases", "--ignore-unused-allowlist", "--mypy-config-file", "mypy.ini",
                           "--allowlist", "private"], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(package.parent), "MYPYPATH": str(tmp_path)})
    assert done.returncode == 0, done.stdout + done.stderr


def test_fuzz():
    script = pathlib.Path(__file__).with_name("fuzz.py")
    seconds = os.environ.get("STRIA_FUZZ_SECONDS", "2")
    run = subprocess.run([sys.executable, "-X", "faulthandler", script, seconds], capture_output=True, text=True)
    assert run.returncode == 0 and "rounds" in run.stdout, run.stderr[-3000:]
