#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/check_codegen.sh OBJECT...        (NM and OBJDUMP in the environment name other tools)
#
# What the compiler made of the kernels: each object of an instruction set level and a family exports
# its table and nothing else, calls nothing but memcpy, memset and memcmp, its hot functions use the
# vector registers of their level, and no object uses those of a higher one: code of another level that
# slips into an inline function would be an illegal instruction on a lesser machine.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
nm=${NM:-nm} objdump=${OBJDUMP:-objdump}

# Patterns of the kernels whose speed is the point, by family, as names of the functions that do their work; the strided
# ones move single items. All elementwise and combining kernels have parts that do not go item by item.
hot() {
    case $1 in
    kernels)
        echo '(transpose|[a-z]+_strip)_1 (transpose|[a-z]+_strip)_2 (transpose|[a-z]+_strip)_4
            (transpose|[a-z]+_strip)_8 (transpose|[a-z]+_strip)_16 stream_(pair|block)_.* unstage(_.*)?
            rows(_.*)? fill(_.*)? stream(_.*)? gather(_.*)? interleave(_.*)?'
        ;;
    cast) echo 'f16_row_from_f32 bf16_row_from_f32 u8_row_from_f32 i32_row_from_f32 f32_row_from_f16' ;;
    random) echo 'words fractions_f32' ;;
    product) echo 'tile_[0-9]_2_f32_?' ;;
    window) echo 'weighted_f32 sum_f32' ;;
    sort) echo '(leaf|to_keys)_(32|64)' ;;
    fold) echo 'fold_(sum|product)_rows_f32 fold_(sum|product)_columns_f32' ;;
    fold_whole) echo 'fold_sum_rows_(u8|i32)' ;;
    fold_extreme) echo 'extremes_of_(row|columns)_f32' ;;
    fold_small) echo 'fold_sum_rows_b?f16 fold_sum_columns_b?f16' ;;
    esac
}

# Registers that a level is made of, and those it must not know. Those of SSE2 hold scalars of
# arithmetic too, where an instruction of several items tells.
own() {
    case $1:$2 in
    avx512:map_* | avx512:fold | avx512:window) echo '%ymm' ;; # see cmake/kernels.cmake and simd/lanes.h
    base:fold_small | neon:fold_small) ;; # it has no kernels
    base:math_*) ;;                       # it calls a function for each fused product, item by item
    avx512:*) echo '%zmm' ;;
    avx2:*) echo '%ymm' ;;
    base:map_* | base:combine | base:fold* | base:random | base:window) printf '%s\n' '[ \t]((add|sub|mul|div|and|or|xor|sqrt|cmp[a-z]*)p[sd]|p(add|sub|mul|cmp|and|or|xor|min|max|avg)[a-z]*|mov(u|dqu|aps|dqa)[a-z]*) .*%xmm' ;;
    base:*) echo '%xmm' ;;
    neon:*) printf '%s\n' '[ \t,{][qv][0-9]' ;;
    esac
}
foreign() {
    case $1 in
    avx512 | neon) ;;
    avx2) echo '%zmm|%k[1-7]' ;;
    *) printf '%s\n' '%[yz]mm|%k[1-7]|[ \t]v(mov|p|broadcast|insert|extract)' ;;
    esac
}

code=$(mktemp)
trap 'rm -f "$code"' EXIT

# Prints lines "function count" of the instructions of the object that match $1; parts that the compiler split off
# (name.part.0, name.cold) count for the whole.
count_matches() {
    awk -v pattern="$1" '
        /^[0-9a-f]+ <.*>:$/ { name = $2; gsub(/[<>:]/, "", name); sub(/\..*/, "", name); seen[name] += 0; next }
        $0 ~ pattern { seen[name]++ }
        END { for (name in seen) print name, seen[name] }' "$code"
}

declare -A table_of
while read -r object table; do table_of[$object]=$table; done < <("$nm" -A "$@" 2>/dev/null |
    sed -nE 's/^(.*):[0-9a-f]+ [DR] (stria__(kernels|cast|ops|combine|fold(_[a-z]+)?|random|product|window|scans|sort|hash|(map|math)_[a-z]+)_[a-z0-9]+)$/\1 \2/p' | grep -v '_tables$')

# check_registers WHAT LEVEL: in the code of these objects.
check_registers() {
    local strange
    [ -n "$(foreign "$2")" ] || return 0
    strange=$(count_matches "$(foreign "$2")" | awk '$2 > 0')
    [ -z "$strange" ] || fail "$1 uses registers above its level in: $strange"
}

rest=()
for object in "$@"; do [ -n "${table_of[$object]:-}" ] || rest+=("$object"); done
"$objdump" -d --no-show-raw-insn "${rest[@]}" >"$code"
check_registers "the library outside its kernels" none

tables=0
for object in "$@"; do
    table=${table_of[$object]:-}
    [ -n "$table" ] || continue
    isa=${table##*_}
    family=${table#stria__} family=${family%_*}
    "$objdump" -d --no-show-raw-insn "$object" >"$code"
    check_registers "$object" "$isa"

    tables=$((tables + 1))
    exported=$("$nm" -g --defined-only "$object" | awk '{print $NF}')
    [ "$exported" = "$table" ] || fail "$object exports more than its table: $exported"
    called=$("$nm" -u "$object" | awk '{print $NF}' |
        grep -vxE 'mem(cpy|set|cmp)|bcmp|__mem(cpy|set)_chk|__stack_chk_(fail|guard)|_GLOBAL_OFFSET_TABLE_' |
        grep -vxE "stria__(cast|ops|combine|fold(_[a-z]+)?|random|product|window|scans|sort|hash|(map|math)_[a-z]+)_(${isa/#avx512/avx512|avx2})" || true)
    [ -z "$called" ] || fail "$object calls $called"

    own=$(own "$isa" "$family")
    [ -n "$own" ] || continue
    counts=$(count_matches "$own")
    summary=
    for pattern in $(hot "$family"); do
        # Interleaving needs a shuffle of bytes, which SSE2 does not have.
        case $isa:$pattern in base:interleave*) continue ;; esac
        n=$(awk -v pattern="^$pattern\$" '$1 ~ pattern {n += $2} END {print n + 0}' <<<"$counts")
        [ "$n" -gt 0 ] || fail "$object: no $own in $pattern"
        name=${pattern/(transpose|\[a-z]+_strip)/transpose}
        summary+=" ${name%%(*} $n"
    done
    case $family in
    map_* | combine | math_*)
        # Exceptions. Facts about a dtype that are known without looking are a copy or a constant. Comparisons of 64-bit
        # dtypes of two kinds, divisors and quotients of 64 bits go item by item, and so do choices of c128; clang takes
        # one c64 of a sum or quotient at a time. SSE2 neither compares nor multiplies items of 64 bits, NEON does not
        # multiply them. A jump leads to a kernel of the same code.
        except='map_.*|rows_(abs|relu|positive|floor|ceil|trunc|fix|round|is[a-z]*|signbit)_(b8|[iu][0-9]*)|row_[a-z_]*_[iu]64_[ufc][0-9]*'
        except+='|rows_(gcd|lcm|pow)_.*|rows_round_decimals_[iu].*|rows_spacing_.*|rows_(floor_divide|remainder|fmod)_[iu]64|rows_(divide|reciprocal|sign)_c64|combine_(sum|product)_c64|combine_.*_f8e.*|rows_where_c128'
        # Compilers follow the limits of these arguments into branches of their own.
        except+='|row_odd_.*|row_whole_silu|row_f64_log_sigmoid|row_[a-z0-9]*_i[01]e?'
        case $isa in
        base) except+='|rows_.*_([iuf]64|c128)|rows_nextafter_bits64|rows_spacing_.*|combine_(product|minimum|maximum)_[iu]64' ;;
        neon) except+='|rows_(multiply|square|addcmul)_u64|combine_product_u64' ;;
        esac
        counts=$(count_matches "$own|<(rows|combine)_[a-z0-9_]*>\$")
        single=$(awk -v except="^($except)\$" '/^(rows|combine|row)_/ && $1 !~ except && $2 == 0 {print $1}' <<<"$counts")
        [ -z "$single" ] || fail "$object: no $own in ${single//$'\n'/ }"
        # Operations that the sources fuse are f64, f32 in narrow forms and for 16 bits, and no sum and difference in
        # turns.
        fused=$(count_matches 'fn?m(add|sub)[0-9]*[ps]s|fm(addsub|subadd)|fml[as].*\.[24]s')
        narrow='rows_(addcdiv|addcmul|lerp)_b?f16|rows_(abs|reciprocal)_c64|row_f32_(cosh|exp|exp2|exp10|expm1|log|log2|log10|log1p|log_sigmoid|logit|rsqrt|sigmoid|silu|tanh)'
        fused=$(awk -v except="^($narrow)\$" '$2 > 0 && $1 !~ except {print $1}' <<<"$fused")
        [ -z "$fused" ] || fail "$object: products that are not rounded in ${fused//$'\n'/ }"
        summary+=" $(grep -cE '^(rows|combine|row)_' <<<"$counts" || true) kernels of the family"
        ;;
    esac
    echo "$isa: vector instructions in$summary"
done
echo "$tables tables, registers in their place"
[ "$tables" -gt 0 ]
