# SPDX-License-Identifier: BSD-3-Clause
"""numexpr: evaluate with out=, the whole case in one expression. It has no f16, no bf16 and copies nothing."""

from . import Unavailable

key = name = "numexpr"

TEXTS = {"add": "({} + {})", "subtract": "({} - {})", "multiply": "({} * {})", "less": "({} < {})",
         "where": "where({}, {}, {})", "abs": "abs({})", "exp": "exp({})", "pow": "({} ** {})"}

_numexpr = None


def load(options):
    global _numexpr, name
    try:
        import numexpr
    except ImportError as error:
        raise Unavailable(str(error))
    numexpr.set_num_threads(options.threads)
    _numexpr = numexpr
    name = "numexpr " + numexpr.__version__


def expression(steps):
    """Returns the text of all steps and its arrays. Numbers are of the result's dtype, except exponents that are
    integers."""
    texts, values = {}, {}

    def text_of(operand, to):
        if operand.memory in texts:
            return texts[operand.memory]
        if operand.number and isinstance(operand.value, int):
            return str(operand.value)
        name = "v%d" % len(values)
        values[name] = to.value.dtype.type(operand.value) if operand.number else operand.value
        return name

    for op, out, operands in steps:
        texts[out.memory] = TEXTS[op].format(*(text_of(o, out) for o in operands))
    return texts[steps[-1][1].memory], values


def prepare(case, pair):
    """Prepares a case; None if a result would be of another dtype than Stria's."""
    if "math" not in case:
        return None
    if any(o.dtype in ("f16", "bf16") for step in pair.steps for o in step[2] + [step[1]]):
        return None
    text, values = expression(pair.steps)
    evaluate, to = _numexpr.evaluate, pair.steps[-1][1].value
    first = {name: v[(slice(0, 1),) * v.ndim] if v.ndim else v for name, v in values.items()}
    try:
        if evaluate(text, local_dict=first, global_dict={}).dtype != to.dtype:
            return None
        evaluate(text, local_dict=values, global_dict={}, out=to)
    except (TypeError, ValueError, NotImplementedError):
        return None
    return lambda: evaluate(text, local_dict=values, global_dict={}, out=to, sanitize=False)
