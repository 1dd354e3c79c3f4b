#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/check_api.py [--cc CC] [--include FOLDER] [--write | --cdef] [--counts]

Holds every function of the public headers to the rules of docs/api.md, and prints each that breaks
one, with the rule. KNOWN lists what still does, and may only shrink: an entry that breaks nothing is
an error, too. --cdef checks that include/stria/stria.cdef and stria-linalg.cdef, the plain declarations
that bindings read, are what the headers say and that the compiler, and cffi where it is installed, take
them; --write writes them. --counts prints how many functions break each rule."""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# ---- exemptions: names of functions as patterns, each list with its reason; docs/api.md has them, too

EXEMPT = {
    "new": {  # functions that make arrays by another name than NAME_new, or have no NAME_new
        "creation: there is nothing to write into": r"empty\w*|new_empty_strided|zeros\w*|full\w*|arange_\w+|linspace\w*|eye|tri|result_empty",
        "files and imports, whose headers say what is made": r"\w+_read(_fd)?|\w+_parse|npz_read|safetensors_get|npy_create|dlpack_import\w*",
        "views where that is possible, which tell what they did": r"contiguous|compact|reshape|astype",
        "an array's own methods": r"resize\w*|set|array_\w+",
        "updates: what they write is read, too, or all of it is one value": r"copy|copy_cast|fill\w*|put|index_put|scatter\w*|index_(add|copy|reduce)|op_at|masked_(fill|scatter)|set_\w+|byteswap",
        "random numbers, which know neither dtype nor shape": r"random_\w+",
        "states, plans and graphs, which write what they hold": r"exact_(result|shape|counts|edges)|copy_plan_\w+|expr_evaluate_several|graph_\w+",
        "how a call would run: out is looked at": r"\w+_explain",
        "results, which hand over what they have": r"results_\w+",
    },
    "exec": {  # functions that take views or arrays, and no exec
        "geometry: no element is touched": r"",  # what gives a stria_view is found by its type
        "questions of geometry and of memory": r"numel|nbytes|offset|is_\w+|storage_offset|retained_bytes|same_view|may_share_memory|shares_memory|overlaps_itself|broadcast_shape|array_share|describe|blas_\w+|as_blas_matrix|set_blas|result_dtype|promote_operands|expr_result_dtype|coo_transpose|dlpack_describe|dlpack_export_owned|dlpack_import\w*|plan_\w+",
        "new memory as it comes": r"empty\w*|zeros\w*|new_empty_strided|result_empty|set|npy_create|npy_flush|array_\w+",
        "an array's own methods, which move bytes as realloc does": r"resize\w*",
        "handles and owners, which share or hand over": r"ref_\w+|results_\w+",
        "single elements": r"at|get_\w+|set_\w+",
        "nodes, whose graph runs later": r"graph_(input|view|geometry)|graph_call",
        "states: a few numbers that were computed before": r"exact_(result|shape|counts|edges|make)",
    },
    "order": {
        "an address for each operand of a plan, in its order": r"copy_plan_run_at",
        "a dtype is what is read": r"record_select",
    },
    "text": {
        "static text, or text that lives as long as its handle": r"status_name|last_error|isa_name|op_name|reduction_name|scan_name|version|machine_profile|function_elsewhere|npz_name|safetensors_(name|metadata)|results_error",
    },
    "scalar": {
        "the numbers of C become 0-d views here, by their kind": r"weak|scalar|expr_scalar|graph_scalar",
        "complex numbers of C are two doubles": r"(get|set)_c128|linspace_complex",
    },
    "count": {
        "an array of results has one for each input, node or result": r"broadcast_tensors|meshgrid|expr_evaluate_several|graph_run\w*",
        "bytes have a size": r"\w+_parse|exact_(read|write)|buffer_\w+",
        "a complex number is no array": r"linspace_complex",
    },
    "make": {
        "made of something that is there: opened, begun, read, parsed, wrapped or prepared": r"\w+_(open|begin|begin_fd|read|parse|wrap|meta)|prepare|dlpack_export\w*|bind|small_retain|buffer_retain|results_ref",
    },
}

# What still breaks a rule: (rule, function). It may only shrink.
KNOWN = {
}

# ---- parsing

LINALG = ("fft.h", "linalg.h")  # headers of libstria_linalg, which stria.h does not include
ALL = '#include "stria/stria.h"\n' + "".join(f'#include "stria/{name}"\n' for name in LINALG)
KEYWORDS = {"const", "struct", "enum", "union", "unsigned", "signed", "void", "char", "short", "int", "long",
            "float", "double", "_Bool", "size_t"}
Parameter = collections.namedtuple("Parameter", "type name")
Function = collections.namedtuple("Function", "result name parameters")


def preprocessed(cc, include, which=lambda name: True):
    """The text of the headers of Stria alone, without those of the system."""
    run = subprocess.run([cc, "-std=c11", "-E", "-I", include, "-x", "c", "-"], input=ALL,
                         capture_output=True, text=True, check=True)
    kept, ours = [], False
    for line in run.stdout.split("\n"):
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = "/stria/" in marker.group(1) and which(os.path.basename(marker.group(1)))
        elif ours:
            kept.append(line)
    text = "\n".join(kept)
    depth, out, at = 0, [], 0
    for m in re.finditer(r"__attribute__\s*\(\(", text):  # attributes, whose parentheses match
        if m.start() < at:
            continue
        out.append(text[at:m.start()])
        depth, i = 2, m.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[i], 0)
            i += 1
        at = i
    out.append(text[at:])
    text = "".join(out)
    text = re.sub(r"__extension__", "", text)
    while True:  # bodies of inline functions, and then their heads
        m = re.search(r"static inline[^;{]*\{", text)
        if not m:
            break
        depth, i = 1, m.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[i], 0)
            i += 1
        text = text[:m.start()] + text[i:]
    return re.sub(r"static inline[^;{]*;", "", text)


def split_top(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return parts + [text[start:]]


def parse_parameter(text):
    text = " ".join(text.split())
    if text in ("void", "..."):
        return None if text == "void" else Parameter("...", "")
    pointer = re.match(r"(.*\(\s*\*\s*)(\w+)(\s*\).*)$", text)
    if pointer:
        return Parameter(pointer.group(1) + pointer.group(3), pointer.group(2))
    m = re.match(r"(.*?)(\w+)\s*((?:\[[^\]]*\])*)$", text)
    kind, name, arrays = m.group(1).strip(), m.group(2), m.group(3)
    if not kind or name in KEYWORDS:
        return Parameter(text, "")
    return Parameter(kind + (" *" if arrays else ""), name)


def statements(text):
    depth, start = 0, 0
    for i, c in enumerate(text):
        depth += {"{": 1, "}": -1}.get(c, 0)
        if c == ";" and depth == 0:
            yield " ".join(text[start:i].split())
            start = i + 1


def parse(text):
    functions = {}
    for line in statements(text):
        m = re.match(r"([^(){}]*?)\b(stria_\w+)\s*\((.*)\)$", line)
        if not m or line.startswith("typedef"):
            continue
        parameters = [p for p in map(parse_parameter, split_top(m.group(3))) if p]
        functions[m.group(2)[6:]] = Function(m.group(1).strip(), m.group(2)[6:], parameters)
    return functions


# ---- what a parameter is

OPERATIONS = r"stria_(op|reduction|scan|exact_moment_kind|exact_kind)"
RANKS = ["what is written", "a handle that is read", "the operation", "inputs", "parameters", "options", "outcome", "exec"]
OUT, HANDLE, OPERATION, INPUT, PARAMETER, OPTIONS, OUTCOME, EXEC = range(8)
SCALARS = {"value", "alpha"}  # a 0-d view stands where its parameter would


def is_view(p):
    return p.type == "const stria_view *"


def is_out(p):
    return p.name == "out" or p.name.startswith("out_")


def pointee(kind):
    m = re.match(r"(?:const )?((?:struct )?\w+) \*", kind)
    return m.group(1) if m else None


def rank(f, i, handles):
    p = f.parameters[i]
    target = pointee(p.type)
    if p.name == "exec" and target == "stria_exec":
        return EXEC
    if target == "stria_outcome":
        return OUTCOME
    if re.fullmatch(r"const stria_(\w+_options|tolerance|budget|watch) \*", p.type):
        return OPTIONS
    if is_view(p) or p.type.startswith("const stria_view *const"):
        return OUT if is_out(p) else None if p.name in SCALARS else INPUT
    if target in ("stria_index_item", "stria_arg", "stria_named") or re.fullmatch(r"operands?|nodes|names", p.name):
        return INPUT
    if is_out(p) or f.parameters[0].type == "void *" and p.name in ("bytes", "size") or f.name == "format_to" and p.name in ("sink", "context") or i < 3 and f.parameters[0].name == "text" and f.parameters[0].type == "char *":
        return OUT
    if re.fullmatch(OPERATIONS, p.type) or p.name in ("subscripts", "loop", "call") or target == "stria_core_function" or p.name == "rule" and f.name in ("call", "bind"):
        return OPERATION
    if p.type == "const char *" or p.name in ("path", "fd"):
        return None  # a path or a text that is read stands where its meaning puts it
    if target in handles or target in ("stria_plan", "stria_copy_plan", "stria_coo", "stria_csr", "stria_random"):
        return HANDLE if p.type.startswith("const") else OUT
    if target and not p.type.startswith("const") and "(" not in p.type and target not in ("void",):
        return OUT
    return PARAMETER


def is_count(p):
    return p.type in ("int", "int64_t", "size_t") and re.fullmatch(r"n|ndim|count|\w+_count|room", p.name) is not None


ARRAYS = (r"(dims\w*|shape|strides|index|start|views|operands|inputs|items|fields|names|sizes|repeats|shifts|window|before|"
          r"after|q|steps|nodes|results|args|keys|source|destination|indices|shapes|ndims|data)")


def is_array(p):
    if not p.type.endswith("*") and "*const *" not in p.type and "*const" not in p.type or not p.type.startswith(("const ", "char *const")):
        return False
    if p.type in ("const char *", "const void *", "const stria_view *", "const stria_results *"):
        return False
    return re.fullmatch(ARRAYS, p.name) is not None


# ---- the rules

def exempt(rule, name):
    return any(pattern and re.fullmatch(pattern, name) for pattern in EXEMPT.get(rule, {}).values())


def check_order(f, handles):
    ranks = [rank(f, i, handles) for i in range(len(f.parameters))]
    for i in range(len(ranks) - 1, -1, -1):  # a count belongs to what follows
        if is_count(f.parameters[i]) and i + 1 < len(ranks):
            ranks[i] = ranks[i + 1]
    last = 0
    for p, r in zip(f.parameters, ranks):
        if r is None:
            continue
        if r < last:
            yield f"{p.name}, {RANKS[r]}, stands behind {RANKS[last]}"
        last = max(last, r)


def check_counts(f):
    for i, p in enumerate(f.parameters):
        if p.name in ("nops", "nq") or p.name == "n" and not any("stria_view" in q.type or q.name in ("operands", "data", "names", "views", "shapes", "ndims", "inputs") for q in f.parameters[i + 1:]):
            yield f"{p.name} is no name of a count here: n counts views, count and NAME_count the rest"
        if not is_array(p):
            continue
        k = i - 1
        while k >= 0 and is_array(f.parameters[k]):
            k -= 1
        if k < 0 or not is_count(f.parameters[k]):
            yield f"no count directly before {p.name}"
        elif f.parameters[k].type != "int":
            yield f"the count of {p.name} is {f.parameters[k].type}, not int"


def comparable(f):
    return [p.type for p in f.parameters if not is_out(p) and p.name not in ("keepdims", "bins", "least", "after")]


def writes_views(f):
    return f.parameters and is_view(f.parameters[0]) and is_out(f.parameters[0])


def takes_exec(f):
    return bool(f.parameters) and f.parameters[-1].name == "exec"


def check_new(f, functions):
    name = f.name
    makes = f.parameters and f.parameters[0].type == "stria_array *"
    if makes and not name.endswith("_new") and not exempt("new", name):
        yield "makes an array: NAME_new"
    if writes_views(f) and not exempt("new", name):
        twin = functions.get(name + "_new")
        if not twin:
            yield f"there is no stria_{name}_new"
        elif comparable(f) != comparable(twin):
            yield f"stria_{name}_new takes other arguments"


def check_exec(f):
    if any(p.name == "exec" for p in f.parameters):
        if not takes_exec(f):
            yield "exec is not the last argument"
        return
    if any(p.type in ("stria_view *", "stria_view *const *") for p in f.parameters):
        return
    touches = any(pointee(p.type) in ("stria_view", "stria_array", "stria_coo", "stria_csr") for p in f.parameters)
    if touches and not f.name.endswith("_release") and not exempt("exec", f.name):
        yield "takes arrays and no exec"


def check_dims(f):
    names = [p.name for p in f.parameters]
    for p in f.parameters:
        if re.fullmatch(r"dim[2-9]|axis\w*", p.name):
            yield f"{p.name}: one dim is dim, two are dim0 and dim1"
        if p.name == "dims" and is_array(p):
            before = names[names.index("dims") - 1]
            if before not in ("count", "shape", "shifts", "window", "q"):
                yield f"dims stands behind {before}, not behind count"


def check_options(f):
    loose = [p for p in f.parameters if p.type in ("_Bool", "bool") or re.fullmatch(r"stria_\w+_(mode|method|policy|order)|stria_order", p.type)]
    if len(loose) > 2:
        yield "more than two options: " + ", ".join(p.name for p in loose) + "; a struct has room for more"


def check_text(f):
    kinds = [(p.type, p.name) for p in f.parameters]
    writes = [k for k in kinds if k[0] == "char *" and k[1] == "text"] or [k for k in kinds if k[0] == "char *" and k[1] not in ("data", "out", "dst")]
    if writes and (kinds[:3] != [("char *", "text"), ("size_t", "size"), ("size_t *", "length")] or f.result != "stria_status"):
        yield "text is written by (char *text, size_t size, size_t *length, ...) and a status"
    if "char *" in f.result and "const" in f.result and not exempt("text", f.name):
        yield "returns text that is not static"


def check_scalars(f):
    for p in f.parameters:
        if p.type == "const void *" and p.name in ("item", "value") and not f.name.endswith("_item") and not exempt("scalar", f.name):
            yield f"{p.name}: raw bytes belong to functions that end in _item; a 0-d view has a dtype"
        if p.type in ("const double *", "double *") and not exempt("scalar", f.name) and not is_array(p) and not is_out(p):
            yield f"{p.name}: a double, or a 0-d view"


def check_names(f, functions):
    if len(f.name) == 1:
        yield "a name of one letter"
    if any(g != f.name and g.lower() == f.name.lower() for g in functions):
        yield "a name that another one has but for its case"
    if re.search(r"_(with|within|watched|into)$", f.name):
        yield "a twin for one argument more: the function takes it"
    if re.search(r"_(free|close|destroy|delete)$", f.name):
        yield "objects end by NAME_release"
    makes = f.parameters and re.fullmatch(r"stria_\w+ \*\*", f.parameters[0].type)
    if makes and not re.search(r"_make$", f.name) and not exempt("make", f.name):
        yield "objects are made by NAME_make"


def check_out(f):
    allowed = {"text", "length", "results", "outcome", "array", "tensor", "data", "bytes", "context", "buffer"}
    for i, p in enumerate(f.parameters):
        target = pointee(p.type)
        written = (target and not p.type.startswith("const") and "(" not in p.type and target not in ("void", "char", "stria_buffer") and
                   (p.type.endswith("**") or target in ("int", "int64_t", "double", "bool", "_Bool", "stria_view", "stria_array", "stria_dtype",
                                                         "int32_t", "uint64_t", "stria_op", "stria_difference", "stria_time_unit")))
        if written and not is_out(p) and p.name not in allowed:
            yield f"{p.name} is written: out, or out_{p.name}"
        if is_view(p) and i == 0 and p.name in ("dst", "counts", "quotient", "fraction", "mantissa", "sine", "mean", "values", "least"):
            yield f"{p.name} is written: out, or out_{p.name}"


def check_values(functions, cc, include):
    """No struct above 16 bytes goes by value; the compiler knows how large they are."""
    used = {}
    for f in functions.values():
        for kind in [f.result] + [p.type for p in f.parameters]:
            if re.fullmatch(r"(const )?stria_\w+", kind):
                used.setdefault(kind.replace("const ", ""), []).append(f.name)
    for kind, names in sorted(used.items()):
        text = ALL + f'_Static_assert(sizeof({kind}) <= 16, "");\n'
        if subprocess.run([cc, "-std=c11", "-I", include, "-fsyntax-only", "-x", "c", "-"], input=text, capture_output=True,
                          text=True, check=False).returncode:
            for name in names:
                yield name, f"{kind}, of more than 16 bytes, by value"


def check_counting_enumerators(include):
    folder = os.path.join(include, "stria")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".h"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for m in re.finditer(r"(STRIA_\w+)\s*/\* how many", file.read()):
                    yield m.group(1), "an enumerator that tells how many there are: a function tells"


def breaks(functions, text, cc, include):
    handles = set(re.findall(r"typedef struct (\w+) \1;", text)) | {"stria_results", "stria_buffer"}
    for f in functions.values():
        rules = [("order", [] if exempt("order", f.name) else check_order(f, handles)), ("count", [] if exempt("count", f.name) else check_counts(f)),
                 ("new", check_new(f, functions)), ("exec", check_exec(f)), ("dims", check_dims(f)), ("options", check_options(f)),
                 ("text", check_text(f)), ("scalar", check_scalars(f)), ("name", check_names(f, functions)), ("out", check_out(f))]
        for rule, found in rules:
            for why in found:
                yield rule, f.name, why
    for name, why in check_values(functions, cc, include):
        yield "value", name, why
    for name, why in check_counting_enumerators(include):
        yield "value", name, why


# ---- plain declarations

def constants(cc, include):
    run = subprocess.run([cc, "-std=c11", "-E", "-dM", "-I", include, "-x", "c", "-"], input='#include "stria/stria.h"\n',
                         capture_output=True, text=True, check=True)
    found = []
    for line in run.stdout.split("\n"):
        m = re.match(r"#define (STRIA_\w+) +\(?(-?(?:0[xX][0-9a-fA-F]+|\d+)[uU]?(?: *<< *\d+)?)\)?$", line)
        if m and not m.group(1).endswith("_H"):
            found.append((m.group(1), m.group(2)))
    return sorted(found)


def declarations(text, of, constants=()):
    lines = ["/* SPDX-License" "-Identifier: BSD-3-Clause */",
             f"/* The declarations of {of} for parsers of plain C, written by tools/check_api.py. */"]
    for name, value in constants:
        lines.append(f"enum {{ {name} = {value.rstrip('uU')} }};")
    for line in statements(text):
        if line and not line.startswith("_Static_assert"):
            line = re.sub(r"\b_Bool\b", "bool", line)
            lines.append(re.sub(r"\bextern \"C\" \{", "", line) + ";")
    return "\n".join(lines) + "\n"


def check_declarations(path, wanted, cc, before=""):
    """Holds a file to what the headers say; it is read behind `before`."""
    with open(path, encoding="utf-8") as file:
        if file.read() != wanted:
            return f"{path} is not what the headers say: run tools/check_api.py --write"
    head = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "cdef.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(head + before + wanted)
        if subprocess.run([cc, "-std=c11", "-fsyntax-only", source], check=False).returncode:
            return f"{cc} does not take {path}"
    try:
        import cffi
    except ImportError:
        print("cffi is not here: the compiler alone has read the declarations")
        return None
    cffi.FFI().cdef(before + wanted)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--include", default=os.path.join(HERE, "include"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--cdef", action="store_true")
    parser.add_argument("--counts", action="store_true")
    options = parser.parse_args()
    text = preprocessed(options.cc, options.include)
    functions = parse(text)
    if options.write or options.cdef:
        own = preprocessed(options.cc, options.include, lambda name: name not in LINALG)
        more = preprocessed(options.cc, options.include, lambda name: name in LINALG)
        core = declarations(own, "stria/stria.h", constants(options.cc, options.include))
        files = {"stria.cdef": (core, ""), "stria-linalg.cdef": (declarations(more, "stria/fft.h and stria/linalg.h"), core)}
        for name, (wanted, before) in files.items():
            path = os.path.join(options.include, "stria", name)
            if options.write:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(wanted)
            wrong = check_declarations(path, wanted, options.cc, before)
            if wrong:
                sys.exit(wrong)
    found = list(breaks(functions, text, options.cc, options.include))
    new = [b for b in found if b[1] not in KNOWN.get(b[0], ())]
    for rule, name, why in new:
        print(f"stria_{name}: {rule}: {why}")
    stale = [(rule, name) for rule, names in KNOWN.items() for name in names if (rule, name) not in {b[:2] for b in found}]
    for rule, name in stale:
        print(f"stria_{name}: KNOWN says that it breaks {rule}, and it does not: take it out")
    if options.counts:
        for rule in ("order", "count", "new", "exec", "dims", "options", "text", "scalar", "name", "value", "out"):
            print(f"{rule:8} {len({b[1] for b in found if b[0] == rule})}")
    print(f"{len(functions)} functions, {len({b[1] for b in found})} break a rule, {len({b[1] for b in new})} of them are not known")
    if len(functions) < 500 or new or stale:
        sys.exit(1)


if __name__ == "__main__":
    main()
