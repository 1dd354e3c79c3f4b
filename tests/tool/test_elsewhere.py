# SPDX-License-Identifier: BSD-3-Clause
"""For names of NumPy and PyTorch that no op has, the refusal says what to write instead, and that gives the same
result."""
import inspect
import re
import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing
import numpy.lib.recfunctions

try:
    import torch
except ImportError:
    torch = None


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


OWNERS = (np, np.ndarray, np.matrix, np.random, np.lib.stride_tricks, numpy.lib.recfunctions, np.dtype)
OTHERS = torch and (torch, torch.Tensor, torch.special, torch.linalg, torch.nn.functional, torch.ops.aten)


def has(owners, name):
    """Whether one of the modules has the name, such as linalg.norm."""
    for owner in owners:
        for part in name.split("."):
            owner = getattr(owner, part, None)
        if owner is not None:
            return True
    return False


def parameters(name):
    """Returns the names of the parameters of NumPy's functions and methods of that name."""
    found = set()
    for owner in OWNERS + (np.random.Generator,):
        for part in name.split("."):
            owner = getattr(owner, part, None)
        try:
            found.update(inspect.signature(owner).parameters)
        except (TypeError, ValueError):  # the signature is unknown, or there is none
            pass
    return found


def forms(text):
    """Returns the forms that help prints: (names and parameters as written, names by library)."""
    for form in re.split(r"\n    (?=\S)", text):
        lines = re.split(r"\n        (?=[\w.])", form)
        if "(" not in lines[0]:
            continue
        whose = {}
        for part in "; ".join(" ".join(line.split()) for line in lines[2:]).split("; "):
            names, _, told = part.partition(": ")
            for one in names.split(", ") if told else ():
                whose.setdefault(one, told)
        yield " ".join(lines[0].split()), whose


class Elsewhere(Folder):
    def test_names_are_theirs(self):
        """Returns the library to which a name belongs, as the help says."""
        names = {name for line in re.findall(r"^    ([\w.|]+)", stria("help", "ops", "").stdout, re.M)
                 for name in line.split("|")}
        said = set()
        self.compared = 0
        for name in sorted(names):
            text = stria("help", name).stdout
            functions = re.sub(r"(C:\s+\w+)\n {8}\w.*(?:\n {12}.*)*", r"\1", text)  # without the line of parameters
            said.update(re.findall(r"([\w.]+): ((?:PyTorch|NumPy|Array API)[^;]*);", " ".join(functions.split())))
            for signature, whose in forms(text.partition("\n\n    ")[0]):
                self.check_parameters(signature, whose)
        self.assertGreater(self.compared, 300)
        self.assertGreater(len(said), 300)
        for name, whose in said:
            if "NumPy" in whose:
                self.assertTrue(has(OWNERS, name), name)
            if torch and "PyTorch" in whose:
                self.assertTrue(has(OTHERS, name), name)
        for whose, owners in (("NumPy", (np,)), ("PyTorch", (torch,) if torch else ())):
            known = {name for name, text in said if whose in text}
            # These names mean something else in the other library.
            same = {"can_cast", "select", "indices", "byte", "short", "long", "half", "double", "bool", "histogram"}
            self.assertEqual([n for n in sorted(names - known - same) if "." not in n and callable(getattr(
                owners[0] if owners else None, n, None)) and not n.endswith("_")], [])

    def check_parameters(self, signature, whose):
        """Parameter names that differ between libraries are NumPy's where the help says so, and nowhere else."""
        head, _, body = signature.partition("(")
        known = set().union(*(parameters(n) for n in head.split("|") if "NumPy" in whose.get(n, "")))
        for one in body.rstrip(")").split(", ") if known else ():
            written = re.match(r"\*?([\w|]+)", one)[1].split("|")
            for name in written if len(written) > 1 else ():
                if name != "self":
                    self.assertEqual("NumPy" in whose.get(name, ""), name in known, (signature, name, whose))
                    self.compared += 1

    def told(self, name):
        """Returns what the refusal of x.name() says to write, which must also be in the help."""
        done = stria("show", self.file, "x.%s()" % name)
        self.assertEqual(done.returncode, 2, done.stdout)
        write = re.search(r"there is no op '%s'; write (.*)" % name, done.stderr)[1]
        self.assertIn("; write %s\n" % write, stria("help", name).stderr)
        return re.split(", (?=along|where|between|or|which)", write)[0]

    def answer(self, name, **given):
        """Evaluates the suggested text with arrays for its names and numbers put in."""
        expr, files = self.told(name), []
        for word, value in given.items():
            if isinstance(value, np.ndarray):
                files += ["--with", "%s=%s" % (word, self.save(word + ".npy", value))]
            else:
                expr = re.sub(r"\b%s\b" % word, str(value), expr)
        done = stria("apply", self.path / "x.npy", expr, *files[2:], "--rules", "numpy", "-o", self.path / "out.npy")
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        return np.load(self.path / "out.npy")

    def test_text_gives_the_same(self):
        rng = np.random.default_rng(0)
        x, v, w = rng.normal(size=(5, 7)), rng.normal(size=40), rng.normal(size=40)
        small = rng.normal(size=4)
        classes = np.array([0, 3, 1])
        for name, given, expected in (
                ("append", {"x": v, "y": w}, np.append(v, w)),
                ("delete", {"x": v, "i": 3}, np.delete(v, 3)),
                ("insert", {"x": v, "i": 3, "y": w}, np.insert(v, 3, w)),
                ("softmax", {"x": x}, softmax(x)), ("log_softmax", {"x": x}, np.log(softmax(x))),
                ("normalize", {"x": x}, x / np.linalg.norm(x, axis=-1, keepdims=True)),
                ("layer_norm", {"x": x}, (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)),
                ("mse_loss", {"x": v, "y": w}, ((v - w) ** 2).mean()),
                ("l1_loss", {"x": v, "y": w}, np.abs(v - w).mean()),
                ("dist", {"x": v, "y": w}, np.linalg.norm(v - w)),
                ("cdist", {"x": x, "y": x[:2]}, np.linalg.norm(x[:, None] - x[:2], axis=-1)),
                ("trapezoid", {"x": v, "y": w}, np.trapezoid(w, v)), ("ediff1d", {"x": x}, np.ediff1d(x)),
                ("avg_pool1d", {"x": v, "n": 4}, v.reshape(-1, 4).mean(-1)),
                ("max_pool1d", {"x": v, "n": 4}, v.reshape(-1, 4).max(-1)),
                ("clamp_min", {"x": v, "y": 0}, np.maximum(v, 0)), ("clamp_max", {"x": v, "y": 0}, np.minimum(v, 0)),
                ("rsub", {"x": v, "y": w}, w - v),
                ("one_hot", {"x": classes, "n": 4}, np.eye(4, dtype=bool)[classes]),
                ("embedding", {"x": x, "y": classes}, x[classes]),
                ("identity", {"x": v, "n": 4}, np.identity(4)),
                ("logspace", {"x": v, "a": -1, "b": 2, "n": 5}, np.logspace(-1, 2, 5)),
                ("geomspace", {"x": v, "a": 1.0, "b": 100.0, "n": 5}, np.geomspace(1, 100, 5)),
                ("intersect1d", {"x": classes, "y": np.array([3, 3, 7])}, [3]),
                ("setdiff1d", {"x": classes, "y": np.array([3, 3, 7])}, [0, 1]),
                ("union1d", {"x": classes, "y": np.array([3, 3, 7])}, [0, 1, 3, 7]),
                ("piecewise", {"x": v, "y": w, "z": 1.5, "a": v > 1, "b": w > 1}, np.select([v > 1, w > 1], [v, w], 1.5)),
                ("vander", {"x": small, "n": 3}, np.vander(small, 3)),
                ("apply_along_axis", {"x": x}, np.apply_along_axis(np.sum, 0, x))):
            made = self.answer(name, **given)
            np.testing.assert_allclose(made, expected, rtol=1e-9, atol=1e-12, err_msg=name)

    def test_what_is_not_here(self):
        self.assertIn("permutation(x)", stria("help", "shuffle").stderr)
        for name, given in (("choice", {"n": 9}), ("bernoulli", {"n": 9, "p": 0.5})):
            self.assertEqual(self.answer(name, x=np.arange(4), **given).shape, (9,))

    def test_what_the_list_had_not(self):
        """isclose, nan_to_num, histogram, roll, fill and copies by their names."""
        rng = np.random.default_rng(1)
        x = rng.normal(size=(4, 50))
        x[0, :3] = np.nan, np.inf, -np.inf
        f, y = x[1:].astype("f4"), x * (1 + 1e-6)
        names = {"x": x, "y": y, "f": f}
        paths = [p for n in names for p in ("--with", "%s=%s" % (n, self.save(n + ".npy", names[n])))]
        for text in ("np.isclose(x, y)", "np.isclose(x, y, rtol=1e-7)", "np.isclose(x, x, equal_nan=True)",
                     "np.isclose(f, 0.5, 0, 0.3)", "np.nan_to_num(x)", "np.nan_to_num(x, nan=1.5, posinf=3)",
                     "np.nan_to_num(x, True, 1, 2, 3)", "np.histogram(f)[0]", "np.histogram(f)[1]",
                     "np.histogram(f, 7, (-1, 1))[0]", "np.histogram(f, 7, (-1, 1))[1]", "np.histogram(x[1:], 30)[1]",
                     "np.histogram(f, [-1, 0, 0.5, 2])[0]", "np.histogram(f > 0, 3)[0]", "np.roll(x, 3, 1)"):
            expected = eval(text, {"np": np, **names})
            done = stria("apply", self.path / "x.npy", text, *paths[2:], "-o", self.path / "out.npy")
            self.assertEqual(done.returncode, 0, (text, done.stderr))
            made = np.load(self.path / "out.npy")
            self.assertEqual((made.shape, made.dtype), (expected.shape, expected.dtype), text)
            np.testing.assert_allclose(made, expected, rtol=2e-6 if "histogram(f" in text else 0, err_msg=text)
        for text, expected in (("f.clone().fill_(2)", np.full_like(f, 2)), ("torch.fill(f, 3)", np.full_like(f, 3)),
                               ("np.fill(f.clone(), 1)", np.full_like(f, 1)),
                               ("f.clone().copy_(x[1])", np.broadcast_to(x[1].astype("f4"), f.shape)),
                               ("np.copyto(f.clone(), x[1])", np.broadcast_to(x[1].astype("f4"), f.shape)),
                               ("torch.nan_to_num(x, 1.0)", np.nan_to_num(x, nan=1.0))):
            done = stria("apply", self.path / "x.npy", text, *paths[2:], "-o", self.path / "out.npy")
            self.assertEqual(done.returncode, 0, (text, done.stderr))
            np.testing.assert_array_equal(np.load(self.path / "out.npy"), expected, err_msg=text)
        for text, word in (("f.fill_('a')", "fill"), ("np.copyto(f, x, casting='safe')", "safe"),
                           ("np.histogram(f, 0)", "bins"), ("np.histogram(f, -3)", ""), ("np.histogram(f, [1, 0])", "")):
            done = stria("apply", self.path / "x.npy", text, *paths[2:], "-o", self.path / "out.npy")
            self.assertIn(done.returncode, (1, 2), text)
            self.assertIn(word, done.stderr, text)


if __name__ == "__main__":
    unittest.main()
