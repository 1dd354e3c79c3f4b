# SPDX-License-Identifier: BSD-3-Clause
"""
Writes the library as stria.h and stria.c, see amalgamate.sh.

Every source is preprocessed with the flags that CMake gives it, but headers of the system are replaced with empty
files: their macros and functions keep their names, and stria.c includes these headers itself. What remains of a source
is a list of declarations without macros of the project. Declarations that several sources share are written once. A
name that two sources define in different ways gets a number in one of them. Sources are preprocessed once more for
what OpenMP or clang has otherwise, and declarations that differ stand under a condition.
"""
import argparse
import collections
import difflib
import hashlib
import json
import os
import re
import shlex
import subprocess

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|#[^\n]*\n|\s+|'
                   r'->|\.\.\.|.', re.S)
WORD = re.compile(r'[A-Za-z_]\w*$')
MARKER = re.compile(r'^# \d+ "([^"]*)".*\n', re.M)
TAGS = ('struct', 'union', 'enum')
KEYWORDS = set(
    'auto break case char const continue default do double else enum extern float for goto if inline int long register '
    'restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool _Alignas '
    '_Alignof _Atomic _Bool _Complex _Generic _Noreturn _Static_assert _Thread_local __attribute__ __extension__ '
    '__inline__ __restrict __typeof__ __asm__ __volatile__'.split())
# These have arguments that declare nothing.
SKIPPED = ('__attribute__', '_Alignas', 'alignas', '_Atomic', '__typeof__', '__asm__', '_Static_assert',
           'static_assert')
PROLOGUE = '''\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef NDEBUG
#define NDEBUG
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
/* Results have the same bits on every machine. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wunknown-attributes"
#pragma clang diagnostic ignored "-Winitializer-overrides"
#pragma clang diagnostic ignored "-Wtautological-compare"
#pragma clang diagnostic ignored "-Wconstant-logical-operand"
#pragma clang diagnostic ignored "-Wpass-failed"
#pragma clang diagnostic ignored "-Wpragma-clang-attribute"
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off", "no-trapping-math", "no-math-errno")
#endif
#pragma GCC diagnostic ignored "-Wunused-function"
#undef unix
#undef linux
'''


def hash_of(*parts):
    return hashlib.sha1('\0'.join(parts).encode()).hexdigest()


class Declaration:
    """One declaration, definition or pragma at file scope: its tokens, and the names that it declares."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.condition = ''
        self.solid = [t for t in tokens if not t.isspace()]
        self.key = hash_of(*self.solid)
        self.is_pragma = self.solid[0].startswith('#')
        self.own, self.bodies = [], [] # what has no linkage or internal linkage; what is defined here, not only named
        if not self.is_pragma:
            self.find_names()
        self.words = words_of(self.solid)

    def find_names(self):
        solid, depth, i = self.solid, 0, 0
        flat = []    # tokens outside of braces; attributes are left out
        while i < len(solid):
            token = solid[i]
            if token in SKIPPED and i + 1 < len(solid) and solid[i + 1] == '(':
                i = close(solid, i + 1) + 1
                continue
            if token == '{':
                end = close(solid, i)
                before = flat[-2:] if flat else []
                is_enum = flat and (flat[-1] == 'enum' or len(flat) > 1 and flat[-2] == 'enum')
                if len(before) == 2 and before[0] in TAGS and WORD.match(before[1]):
                    self.own.append('tag ' + before[1])
                    self.bodies.append(self.own[-1])
                if is_enum:
                    self.enumerators(solid[i + 1:end])
                elif 'struct' in before or 'union' in before:
                    self.nested(solid[i + 1:end])
                flat.append('{}')
                i = end + 1
                continue
            flat.append(token)
            i += 1
        is_typedef, is_static = 'typedef' in flat, 'static' in flat
        if not (is_typedef or is_static):
            return
        part, level = [], 0
        for token in flat + [',']:
            if token in '([':
                level += 1
            elif token in ')]':
                level -= 1
            if token == ',' and not level or token == ';':
                name = declared(part)
                if name:
                    self.own.append(name)
                    if is_typedef or '{}' in part or '=' in part:
                        self.bodies.append(name)
                part = []
            else:
                part.append(token)

    def nested(self, tokens):
        """Finds what a struct declares in its body, which is seen outside of it."""
        for i, token in enumerate(tokens):
            if token == '{':
                before = tokens[max(i - 2, 0):i]
                if 'enum' in before:
                    self.enumerators(tokens[i + 1:close(tokens, i)])
                if len(before) == 2 and before[0] in TAGS and WORD.match(before[1]):
                    self.own.append('tag ' + before[1])

    def enumerators(self, tokens):
        start, level = True, 0
        for token in tokens:
            if start and WORD.match(token):
                self.own.append(token)
                self.bodies.append(token)
            start = token == ',' and not level
            level += (token in '([') - (token in ')]')


def declared(tokens):
    """Returns the name that a declarator declares."""
    for i, token in enumerate(tokens):
        if token == '=':
            tokens = tokens[:i]
            break
    for i, token in enumerate(tokens):
        if token == '(' and i + 1 < len(tokens) and tokens[i + 1] == '*':
            inner = [t for t in tokens[i:close(tokens, i)] if WORD.match(t) and t not in KEYWORDS]
            return inner[0] if inner else None
        if token in '([':
            return tokens[i - 1] if i and WORD.match(tokens[i - 1]) and tokens[i - 1] not in KEYWORDS else None
    words = [t for t in tokens if t != '{}']
    last = words[-1] if words else ''
    if len(words) > 1 and words[-2] in TAGS or not WORD.match(last) or last in KEYWORDS:
        return None
    return last


def close(tokens, i):
    """Returns the index of the bracket that closes the one at i."""
    depth = 0
    for j in range(i, len(tokens)):
        depth += (tokens[j] in ('(', '[', '{')) - (tokens[j] in (')', ']', '}'))
        if not depth:
            return j
    raise SystemExit('amalgamate: brackets do not match in ' + ' '.join(tokens[:40]))


def renames_at(solid):
    """Yields the index and the key of every word that may be renamed: neither fields nor keywords."""
    bodies, last, before = [], '', ''
    for i, token in enumerate(solid):
        if token == '{':
            named = last in ('struct', 'union') or before in ('struct', 'union')
            bodies.append(named or last == ')' and is_tagged(solid, i))
        elif token == '}':
            bodies.pop()
        elif token not in KEYWORDS and WORD.match(token):
            following = solid[i + 1] if i + 1 < len(solid) else ''
            if last in TAGS:
                yield i, 'tag ' + token
            elif last in ('.', '->'):
                pass
            elif bodies and bodies[-1] and (following in (';', ',', '[', ':') or last == '*' and following == ')'):
                pass
            else:
                yield i, token
        before, last = last, token


def is_tagged(solid, i):
    """Tells whether the brace at i opens a struct or union with attributes."""
    depth = 0
    for j in range(i - 1, -1, -1):
        depth += (solid[j] == ')') - (solid[j] == '(')
        if not depth and solid[j] == '(':
            return j > 1 and solid[j - 1] == '__attribute__' and (solid[j - 2] in ('struct', 'union'))
    return False


def words_of(solid):
    return frozenset(key for _, key in renames_at(solid))


def split(text, known={}):
    """Returns the declarations of a text, and the tokens of the one that does not end in it."""
    if text in known:
        return known[text]
    out, tokens, depth, is_function, last = [], [], 0, False, ''
    for token in TOKEN.findall(text):
        tokens.append(token)
        if token.isspace():
            if len(tokens) == 1:
                tokens.pop()
            continue
        if token[0] == '#':
            if len(tokens) == 1:
                out.append(Declaration(tokens))
                tokens = []
            continue
        if token in '([{':
            if token == '{' and not depth:
                solid = [t for t in tokens if not t.isspace()]
                attributed = any(t in TAGS and solid[i + 1] in ('__attribute__', '{') for i, t in enumerate(solid[:-1]))
                is_function = last == ')' and '=' not in solid and not attributed
            depth += 1
        elif token in ')]}':
            depth -= 1
        if not depth and (token == ';' or token == '}' and is_function):
            if len(tokens) > 1:
                out.append(Declaration(tokens))
            tokens, is_function = [], False
            token = ''
        last = token
    known[text] = out, ''.join(tokens)
    return known[text]


def preprocessed(command, extra, stubs):
    """Returns the declarations of a source, and the headers of the system that it includes."""
    words = [w for w in shlex.split(command['command']) if not re.match('-W|-g', w)]
    words = words[:words.index('-o')] + ['-E', '-nostdinc', '-I', stubs] + extra + [command['file']]
    done = subprocess.run(words, cwd=command['directory'], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f'amalgamate: {" ".join(words)}\n{done.stderr}')
    parts = MARKER.split(done.stdout)
    out, rest, system = [], '', []
    for name, text in zip(parts[1::2], parts[2::2]):
        if name.startswith(stubs):
            system.append(name[len(stubs) + 1:])
        text = rest + re.sub(r'\n\s*\n+', '\n', text)
        if text.strip():
            found, rest = split(text)
            out += found
    if rest.strip():
        raise SystemExit(f'amalgamate: {command["file"]} ends in {rest[:200]}')
    return out, system


def merged(one, other, condition):
    """Returns the declarations of two forms of a source, with the condition of those that only one of them has."""
    out = []
    matcher = difflib.SequenceMatcher(a=[d.key for d in one], b=[d.key for d in other], autojunk=False)
    for kind, i, j, k, l in matcher.get_opcodes():
        if kind == 'equal':
            out += one[i:j]
            continue
        for part, told in ((one[i:j], condition), (other[k:l], '!' + condition)):
            for declaration in part:
                copy = Declaration(declaration.tokens)
                copy.condition = told
                copy.key = hash_of(told, copy.key)
                out.append(copy)
    return out


def system_names(cc, headers):
    """Returns the identifiers that headers of the system declare, and the macros that they define."""
    text = '#define _GNU_SOURCE\n' + ''.join(f'#include <{h}>\n' for h in headers)

    def run(*flags, source=text):
        return subprocess.run([*cc, *flags, '-x', 'c', '-'], input=source, capture_output=True, text=True,
                              check=True).stdout

    words = set(re.findall(r'[A-Za-z_]\w*', re.sub(r'"[^"]*"', '', run('-E', '-P'))))
    predefined = set(re.findall(r'^#define (\w+)', run('-E', '-dM', source=''), re.M))
    return words, set(re.findall(r'^#define (\w+)', run('-E', '-dM'), re.M)) - predefined


class Names:
    """What every name means in every source: names are classes of definitions that are the same."""

    def __init__(self, sources, taken):
        self.sources, self.taken = sources, taken
        self.definitions = [collections.defaultdict(list) for _ in sources] # by name: declarations that declare it
        self.first = [{} for _ in sources]
        for source, of, first in zip(sources, self.definitions, self.first):
            for i, declaration in enumerate(source):
                for name in declaration.own:
                    of[name].append(declaration)
                    first.setdefault(name, i)
        self.classes = [{name: hash_of(*(d.key for d in ds)) for name, ds in of.items()} for of in self.definitions]
        self.refine()
        self.number()

    def refine(self):
        """Makes names different whose definitions are written alike, but use names that are different."""
        while True:
            seen = collections.defaultdict(set)
            for classes in self.classes:
                for name, kind in classes.items():
                    seen[name].add(kind)
            hot = {name for name, kinds in seen.items() if len(kinds) > 1}
            count = sum(len(kinds) for kinds in seen.values())
            fresh = []
            for source, of, classes, first in zip(self.sources, self.definitions, self.classes, self.first):
                where = {d.key: i for i, d in enumerate(source)}
                now = dict(classes)
                for name, declarations in of.items():
                    uses = sorted({w for d in declarations for w in d.words & hot
                                   if w in classes and w != name and first[w] <= where[d.key]})
                    if uses:
                        now[name] = hash_of(*(d.key for d in declarations), *(w + classes[w] for w in uses))
                fresh.append(now)
            self.classes = fresh
            after = collections.defaultdict(set)
            for classes in fresh:
                for name, kind in classes.items():
                    after[name].add(kind)
            if sum(len(kinds) for kinds in after.values()) == count:
                return

    def number(self):
        """Gives each class of a name a name of its own."""
        numbers = collections.defaultdict(dict)
        self.renamed = []
        for classes in self.classes:
            changes = {}
            for name, kind in classes.items():
                of = numbers[name]
                number = of.setdefault(kind, len(of) + (name in self.taken))
                if number:
                    changes[name] = f'{name.split()[-1]}__{number}'
            self.renamed.append(changes)


def written(declaration, changes):
    """Returns the text of a declaration with its names changed."""
    if not changes or not declaration.words & changes.keys():
        return ''.join(declaration.tokens)
    tokens = list(declaration.tokens)
    at = [i for i, t in enumerate(tokens) if not t.isspace()]
    for i, key in renames_at(declaration.solid):
        if key in changes:
            tokens[at[i]] = changes[key]
    return ''.join(tokens)


def comment_of(path):
    """Returns a text file as a comment."""
    with open(path) as file:
        return '/*\n' + ''.join(f' * {line}'.rstrip() + '\n' for line in file.read().splitlines()) + ' */\n'


def header():
    """Returns stria.h and all that it includes as one text."""
    done = set()

    def expanded(path):
        if path in done:
            return ''
        done.add(path)
        out = []
        with open(path) as file:
            for line in file:
                found = re.match(r'\s*#\s*include\s+(?:"([^"]+)"|<(stria/[^>]+)>)', line)
                name = found and (found[1] or found[2])
                out.append(expanded(os.path.join('include/stria', os.path.basename(name))) if name else line)
        return ''.join(out)

    return ('/* Stria in one header; stria.c is its source. Both are made by tools/amalgamate.sh. */\n' +
            expanded('include/stria/stria.h'))


def main():
    parser = argparse.ArgumentParser(prog='amalgamate.sh')
    parser.add_argument('out')
    parser.add_argument('build', help='where CMake wrote compile_commands.json')
    asked = parser.parse_args()
    with open(os.path.join(asked.build, 'compile_commands.json')) as file:
        commands = [c for c in json.load(file) if '/src/linalg/' not in c['file']]
    stubs = os.path.join(os.path.abspath(asked.build), 'stubs')
    texts = subprocess.run(['grep', '-rhE', r'^\s*#\s*(include|if|elif)', 'src', 'include',
                            'packaging/third_party/xxhash'], capture_output=True, text=True, check=True).stdout
    for name in set(re.findall(r'include\s*<([^>]+)>', texts)):
        if not name.startswith('stria/') and name != 'xxhash.h':
            os.makedirs(os.path.dirname(os.path.join(stubs, name)), exist_ok=True)
            open(os.path.join(stubs, name), 'w').close()
    cc = [shlex.split(commands[0]['command'])[0]]

    # Macros of the system that conditions ask for are defined as themselves.
    plain = [preprocessed(c, ['-fno-openmp'], stubs) for c in commands]
    system = list(dict.fromkeys(name for _, names in plain for name in names))
    taken, macros = system_names(cc, system)
    tested = set(re.findall(r'(?:ifdef|ifndef|defined)[ (]*([A-Za-z_]\w*)', texts)) & macros
    tested = {t for t in tested if not re.search('_H_*$|INCLUDED$', t)}
    sources = []
    for command, (found, _) in zip(commands, plain):
        with open(command['file']) as file:
            text = file.read()
        extra = [f'-D{name}={name}' for name in sorted(tested) if name in text]
        if extra:
            found, _ = preprocessed(command, ['-fno-openmp'] + extra, stubs)
        if '_OPENMP' in text:
            found = merged(preprocessed(command, ['-fopenmp'] + extra, stubs)[0], found, 'defined(_OPENMP)')
        if '/src/simd/' in command['file']: # builtins and pragmas of loops
            found = merged(preprocessed(command, ['-D__clang__=14'] + extra, stubs)[0], found, 'defined(__clang__)')
        sources.append([d for d in found
                        if not (d.is_pragma and re.match(r'#\s*pragma\s+(GCC|clang) diagnostic', d.solid[0]))])
    names = Names(sources, taken | macros)

    # REUSE-IgnoreStart
    out = ['/* SPDX-License-Identifier: BSD-3-Clause AND BSD-2-Clause */\n'
           # REUSE-IgnoreEnd
           '/* Stria in one source, with xxHash in it. It is made by tools/amalgamate.sh. */\n',
           comment_of('LICENSE'), comment_of('packaging/third_party/xxhash/LICENSE'), PROLOGUE,
           *(f'#include <{name}>\n' for name in system), '#ifdef _OPENMP\n#include <omp.h>\n#endif\n']
    done = set()
    for command, source, changes in zip(commands, sources, names.renamed):
        target = ','.join(re.findall(r' -m(?!sse2 |fpmath)(\w+)', command['command']))
        out.append(f'\n/* ---- {os.path.relpath(command["file"])} ---- */\n')
        if target:
            out.append(f'#ifdef __clang__\n#pragma clang attribute push(__attribute__((target("{target}"))), '
                       f'apply_to = function)\n#else\n#pragma GCC push_options\n'
                       f'#pragma GCC target("{target}")\n#endif\n')
        active = {}
        for declaration in source:
            for name in declaration.own:
                if name in changes:
                    active[name] = changes[name]
            text = written(declaration, active)
            key = declaration.condition + ' '.join(text.split())
            if declaration.is_pragma or key not in done:
                done.add(key)
                text = text if text.endswith('\n') else text + '\n'
                out.append(f'#if {declaration.condition}\n{text}#endif\n' if declaration.condition else text)
        if target:
            out.append('#ifdef __clang__\n#pragma clang attribute pop\n#else\n#pragma GCC pop_options\n#endif\n')
    os.makedirs(asked.out, exist_ok=True)
    for name, text in (('stria.h', header()), ('stria.c', ''.join(out))):
        with open(os.path.join(asked.out, name), 'w') as file:
            file.write(text)
        print(f'{os.path.join(asked.out, name)}: {text.count(chr(10))} lines')


main()
