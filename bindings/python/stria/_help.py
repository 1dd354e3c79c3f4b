# SPDX-License-Identifier: BSD-3-Clause
"""What help(stria) shows: a page with every function by theme, made when it is asked for."""

import sys

HEAD = """Strided arrays: every view of PyTorch and NumPy as an array that shares memory, and the functions of both,
with the same bits for every layout, instruction set and number of threads.

    >>> import stria as st
    >>> x = st.arange(6.0).reshape(2, 3)          # memory of NumPy and PyTorch: st.asarray(a), without a copy
    >>> x.T[:, ::-1] * 2 + 1                      # views move no byte
    >>> st.sum(x, axis=0), x.mean(), x[x > 2]
    >>> help(st.sum)                              # how a function is called, and an example

The namespace is that of the Array API 2025.12; the names of NumPy and PyTorch are beside it, and nearly all are methods of
st.Array, too. Whether a name means NumPy's or PyTorch's function follows the rule, NumPy's but within st.promotion("torch").
NAME_ writes into its first argument, NAME_copy gives new memory where NAME gives a view; both are left out below.

Settings: promotion, checked, threads, no_copies, copies (with-statements), set_threads,
get_threads, set_keep_limit; isa_name and machine_profile tell of the machine. Others' memory: asarray, from_dlpack.
Files: load, save, create, flush.   Text: eval.   In few passes: fused, lazy (st.Lazy), compute, explain.
Random numbers: st.random.   Solvers and norms: st.linalg.   Dtypes: dtype, finfo, iinfo, can_cast, isdtype, and each by its name, as st.float32.
Functions by element are st.ufunc, with reduce, accumulate, reduceat, outer and at. Errors are derived of st.Error."""


class Page(str):
    """The docstring of the package. inspect.cleandoc, through which help() and consoles read docstrings, expands tabs first:
    then the functions follow."""

    def expandtabs(self, tabsize=8):
        import textwrap

        lines, themes = [str(self), ""], _themes()
        for theme, names in [*sorted(themes.items(), key=lambda item: -len(item[1])), *_others(themes).items()]:
            lines += textwrap.wrap(f"{theme[0].upper()}{theme[1:]}: {', '.join(names)}".replace("St.", "st."), 118, subsequent_indent="    ")
        return "\n".join(lines)


def _others(themes):
    """Returns the names of what is written in Python, by the module that has it, and those of the parts of the package."""
    import stria

    from ._names import BY_NUMPY, MODULES

    titles = {"_parts": "parts, indices and sets of arrays", "_sequences": "sequences, sums and histograms", "_more": "more of NumPy",
              "_torch": "more of PyTorch", "_text": "text, files and memory", "_errors": "errors of floats",
              "_index_tricks": "indices in brackets, loops over indices", "_kinds": "dtypes by other names, kinds of dtypes"}
    found = {title: sorted(MODULES[name].split()) for name, title in titles.items()}
    said = {n for names in (*themes.values(), *found.values()) for n in names}
    found["more of NumPy"] += [n for n in ("indices", "put", "put_along_axis", "unique_all", "unique_counts", "unique_inverse")
                               if n not in said]
    found["by NumPy, once it is loaded"] = sorted(BY_NUMPY)
    for part in (stria.linalg, stria.fft, stria.random):
        found[part.__name__.replace("stria", "st", 1)] = sorted(
            n for n, value in vars(part).items() if not n.startswith("_") and callable(value) and not n.endswith(("Result", "Error")))
    return found


def _themes():
    """Returns the names of functions by the theme of the form that NumPy's rule takes."""
    import inspect

    import stria

    found = {}
    for name in sorted(dir(stria)):
        value = getattr(stria, name)
        if name.startswith("_") or name.endswith(("_", "_copy")) or not (inspect.isbuiltin(value) or isinstance(value, stria.ufunc)):
            continue
        forms = sorted(stria._core._forms(name), key=lambda f: f[4] == "torch")
        if forms:
            found.setdefault(forms[0][2], []).append(name)
    return found


class Names(list):
    """The public names of the package. pydoc asks for each whether it is shown: it shows the page alone, where all that is
    said of them would be 19,000 lines."""

    def __contains__(self, name):
        return sys._getframe(1).f_globals.get("__name__") != "pydoc" and super().__contains__(name)
