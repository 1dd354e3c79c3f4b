# SPDX-License-Identifier: BSD-3-Clause
"""stria explain and apply over the whole registry, with arguments of every kind."""

import json
import random
import re
import subprocess
import time
import unittest

from tool import STRIA, batch, stria


class EveryOp(unittest.TestCase):
    """Calls of every signature of the registry with arguments that fit, nearly fit, or do not."""

    VALUES = {
        "int": ["0", "1", "-1", "2", "5", "-7", "9223372036854775807", "-9223372036854775808", "k"],
        "ints": ["()", "0", "(1, 2)", "[2, -1]", "(4611686018427387904, 4)", "(0, 0)", "m",
                 "(1, 1, 1, 1, 1)", "-1", "(6, 5, 4)", "(-9223372036854775808,)"],
        "dim": ["0", "-1", "2", "3", "-4", "2147483647", "-2147483648"],
        "dims": ["()", "0", "(1, 0)", "(2, 0, 1)", "(0, 0)", "[-1]", "(3,)"],
        "bool": ["True", "False"], "text": ["'ij'", "'xy'", "'add'", "'amax'", "''", "'wrap'"],
        "dtype": ["u8", "'<f8'", "'S3'", "c64", "bool", "'>i2'", "[('a', 'i2'), ('b', 'i2')]",
                  "'V0'"],
        "format": ["channels_last", "preserve_format", "'F'", "'K'", "contiguous_format"],
        "array": ["x", "y", "m", "k", "c", "e", "x.T", "y[::-1]"],
        "arrays": ["[y]", "(x, y)", "()", "[m, m]", "y", "[e, e]"],
        "data": ["m", "y", "k", "[0, 1]", "[[True]]", "1.5", "2j", "e", "[]", "-1"],
        "operand": ["x", "y", "m", "c", "e", "x.T", "k", "1.5", "-1", "2j", "True", "300", "1 << 62",
                    "18446744073709551615", "[1, 2, 3, 4, 5, 6]"],
        "class": ["np.matrix", "np.ndarray"], "any": ["None", "(m, None)", "0.5", "'cpu'"],
    }

    def signatures(self):
        text = stria("help", "ops", "").stdout.replace(",\n        ", ", ")
        return re.findall(r"^    ([^ ].*)", text, re.MULTILINE)

    def call(self, draw, signature):
        name = draw.choice(signature.split("(")[0].split("|"))
        if "(" not in signature:
            return "." + name
        params = signature[signature.index("(") + 1:-1].split(", ")
        method = params[0].lstrip("*").startswith("self")
        parts = []
        for param in params[1 if method else 0:]:
            names, _, kind = param.lstrip("*").partition(":")
            kind = kind.split("=")[0].rstrip("?") or "array"
            if draw.random() < 0.07:
                kind = draw.choice(sorted(self.VALUES))
            if "=" in param and draw.random() < 0.5:
                continue
            word = "%s=" % draw.choice(names.split("|")) if draw.random() < 0.4 else ""
            parts.append(word + draw.choice(self.VALUES[kind]))
        if not method:
            return "%s(%s)" % (name, ", ".join(parts))
        start = draw.choice(["", "", "y", "c", "m", "e", "x[0]", "x[0, 0, 0]", "x[:0]"])
        return "%s.%s(%s)" % (start, name, ", ".join(parts))

    def test_any_arguments(self):
        draw = random.Random(1)
        signatures = self.signatures()
        self.assertGreater(len(signatures), 150)
        others = {"y": {"shape": [4, 5, 6], "dtype": "i32", "values": list(range(120))},
                  "m": {"shape": [5], "dtype": "bool", "values": [1, 0, 1, 1, 0]},
                  "k": {"shape": [], "dtype": "i64", "values": [1]},
                  "c": {"shape": [3, 2], "dtype": "c64", "conj": True},
                  "e": {"shape": [0, 3], "dtype": "u8"}}
        lines = [json.dumps({"shape": [4, 5, 6], "expr": self.call(draw, s), "with": others})
                 for s in signatures for _ in range(25)]
        answers = batch(lines)
        refused = [a["error"] for a in answers if not a["ok"]]
        self.assertGreater(len(answers) - len(refused), len(answers) // 10)
        for line, answer in zip(lines, answers):
            if answer["ok"]:
                self.assertTrue(answer["outputs"] is not None, line)
            else:
                self.assertNotIn(answer["error"]["code"], ("ok", "unknown"), line)
                self.assertTrue(answer["error"]["message"], line)

    @staticmethod
    def many_dims(draw):
        """Draws a shape, without elements or with more than memory holds, and arguments that suit it."""
        n = draw.choice((1, 2, 5, 26, 40, 58, 63, 64, 64))
        shape = [2 if d < 40 else 1 for d in range(n)]
        if draw.random() < 0.5:
            shape[draw.randrange(n)] = 0
        values = {"dims": [tuple(range(n)), tuple(reversed(range(n))), (-1,), 0],
                  "ints": [(1,) * n, (2,) * n, (0,) * n, (1,), 0, -1], "dim": [0, -1, n - 1]}
        return shape, {kind: [str(v) for v in each] for kind, each in values.items()}

    def test_many_dims(self):
        """Where no elements are moved the work depends on the number of dims alone: 100 ms are plenty."""
        draw = random.Random(2)
        old = dict(self.VALUES)
        self.addCleanup(self.VALUES.update, old)
        tool = subprocess.Popen([STRIA, "explain", "--batch"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True, bufsize=1)
        done = 0
        for signature in self.signatures() * 2:
            shape, values = self.many_dims(draw)
            self.VALUES.update(values)
            array = {"shape": shape, "bytes": 1 << 62, "dtype": draw.choice(("f32", "u8", "bool"))}
            line = json.dumps({**array, "expr": self.call(draw, signature),
                               "with": dict.fromkeys("ymkce", array)})
            seconds = []
            for _ in range(3):  # the machine may be busy
                start = time.monotonic()
                tool.stdin.write(line + "\n")
                answer = json.loads(tool.stdout.readline())
                seconds.append(time.monotonic() - start)
                if seconds[-1] < 0.1:
                    break
            self.assertLess(min(seconds), 0.1, line)
            done += answer["ok"]
        tool.communicate()
        self.assertGreater(done, 100)


if __name__ == "__main__":
    unittest.main(verbosity=1)
