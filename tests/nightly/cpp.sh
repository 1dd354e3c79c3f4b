#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# cpp.sh BUILD
#
# The tests of stria.hpp, built without a warning and run by every C++ compiler that is here, as C++17 and as C++20, with
# and without optimization and exceptions, and under sanitizers of addresses and of undefined behaviour where the
# compiler has them. The programs of examples/cpp are built as C++17, and by the newest clang as C++23 with libc++.
set -euo pipefail
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/tests/cpp-matrix
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export STRIA_NUM_THREADS=2
failed=0 runs=0
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Werror)

# one NAME SOURCE COMPILER...: builds one program and runs it.
one() {
    local name=$1 source=$2 libraries=(-lstria -pthread)
    shift 2
    [ "$(basename "$source")" != filter.cc ] || libraries+=(-lfftw3)
    runs=$((runs + 1))
    if ! "$@" "${warnings[@]}" -I"$root/include" "$source" -o "$name" -L"$build" \
        -Wl,-rpath,"$build" "${libraries[@]}" || ! "./$name" "$root/examples/data/astronaut.npy" >"$name.out"; then
        echo "failed: $* $source" >&2
        failed=$((failed + 1))
    fi
}

# tests COMPILER..., all COMPILER...: the tests, and the examples, too.
tests() {
    local source
    for source in "$root"/tests/cpp/*.cc; do
        one "$(basename "$source" .cc)" "$source" "$@"
    done
}
all() {
    local source
    tests "$@"
    for source in "$root"/examples/cpp/*.cc; do
        [ "$(basename "$source")" != filter.cc ] || [ -e /usr/include/fftw3.h ] || continue
        one "$(basename "$source" .cc)" "$source" "$@"
    done
}

compiles() { "$@" -x c++ - -o probe <<<'#include <version>
int main() {}' 2>/dev/null && ./probe; }
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    all "$compiler" -std=c++17 -O2
    tests "$compiler" -std=c++20 -O2
    one plain "$root/tests/cpp/test_cpp.cc" "$compiler" -std=c++20 -O0 -fno-exceptions
    sanitized=("$compiler" -std=c++17 -O1 -g -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all)
    if compiles "${sanitized[@]}"; then tests "${sanitized[@]}"; fi
done
for compiler in clang++-21 clang++-20 clang++-19 clang++-18; do
    newest=("$compiler" -std=c++23 -stdlib=libc++ -O2)
    if compiles "${newest[@]}"; then
        all "${newest[@]}"
        break
    fi
done
# The programs of docs/cpp.md: the first one whole, the others in a function each.
awk '/^```cpp/ { code = 1; block++; if (block > 1) print "void block_" block "()\n{"; next }
     /^```/ { if (code && block > 1) print "}"; if (code && block == 1) {
                  print "#include <vector>\n#include <stria/complex.hpp>\nusing namespace stria;" }; code = 0 }
     code' "$root/docs/cpp.md" | sed 's/^int main()/int program()/' >page.cc
echo 'int main() { block_2(), block_3(), block_4(), block_5(), block_6(), block_7(), block_8(); return program(); }' >>page.cc
sed -i '/^int program/,/^}/ s/^}/    return 0;\n}/' page.cc
one page "$work/page.cc" g++ -std=c++17 -Wno-unused-variable -Wno-unused-but-set-variable

echo "$runs programs, $failed failed"
[ "$failed" = 0 ] && [ "$runs" -gt 0 ]
