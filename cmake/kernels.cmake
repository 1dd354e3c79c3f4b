# SPDX-License-Identifier: BSD-3-Clause
# The kernels, compiled once per instruction set level from the same files, one per family. Sets
# STRIA_KERNEL_OBJECTS and tells src/machine/dispatch.c which levels there are (STRIA_HAVE_<LEVEL>).
# STRIA_LEVELS chooses among them. Scalar, which every machine runs, is built where no other level
# is sure to run, and where STRIA_LEVELS names it: tests compare the others with it.
# A new level: one line here, one header in src/simd, one row in src/machine/dispatch.c (docs/add-an-isa.md).
include(CheckCCompilerFlag)
set(STRIA_KERNEL_OBJECTS "")

# Three groups by how much the compiler's vectorizer has to do. Moves and trees of sums are written
# in vectors, and only loops that ask for it are vectorized.
set(stria_move_files src/simd/move.c src/simd/ops.c src/simd/fold.c src/simd/fold_small.c src/simd/scan.c
    src/simd/product.c src/simd/hash.c)
set(stria_loop_files
    src/simd/cast.c src/simd/combine.c src/simd/random.c src/simd/window.c src/simd/sort.c
    src/simd/fold_extreme.c src/simd/fold_whole.c src/simd/math_drive.c
    src/simd/math_exponential.c src/simd/math_trigonometric.c src/simd/math_special.c
    src/simd/math_division.c src/simd/math_activation.c src/simd/math_statistics.c
    src/simd/math_complex.c)
set(stria_map_files
    src/simd/map_arithmetic.c src/simd/map_comparison.c src/simd/map_integer.c
    src/simd/map_division.c src/simd/map_rounding.c src/simd/map_choice.c src/simd/map_mixed.c
    src/simd/map_scaling.c src/simd/map_neighbour.c src/simd/map_power.c src/simd/map_drive.c)

# What STRIA_FAMILIES leaves out: the files of kernels, whose tables are then NULL, and the files whose functions
# refuse. All families but copy need elementwise, which reduce, index and window are other names of: powers ask for the
# least exponent, norms are expressions. Hashes and conversions come with copy.
set(known copy elementwise reduce index window math sort product random)
set(left_out "")
if(STRIA_FAMILIES)
  foreach(family IN LISTS STRIA_FAMILIES)
    if(NOT family IN_LIST known)
      list(JOIN known " " known)
      message(FATAL_ERROR "STRIA_FAMILIES: there is no family '${family}'; known are ${known}")
    endif()
  endforeach()
  set(left_out math sort product random)
  list(REMOVE_ITEM left_out ${STRIA_FAMILIES})
  if(STRIA_FAMILIES STREQUAL "copy")
    list(APPEND left_out elementwise)
  endif()
endif()
set(math_kernels math_exponential math_trigonometric math_special math_activation math_statistics math_complex)
set(sort_kernels sort)
set(sort_tables sort)
set(sort_refuses ops/order/*.c ops/sparse/*.c)
set(product_kernels product)
set(product_tables product)
set(product_refuses ops/contract/*.c)
set(random_kernels random)
set(random_tables random)
set(elementwise_kernels ops combine window scan fold fold_small fold_extreme fold_whole math_drive math_division map_drive map_arithmetic map_comparison
    map_integer map_division map_rounding map_choice map_mixed map_scaling map_neighbour map_power)
set(elementwise_tables ops combine window scan fold)
set(elementwise_refuses ops/expr/*.c ops/reduce/*.c ops/exact/*.c ops/window/*.c ops/scan.c ops/index/masked_fill.c
    ops/composed/*.c)
set(stria_no_kernels "")
foreach(family IN LISTS left_out)
  foreach(kernels IN LISTS ${family}_kernels)
    list(APPEND stria_no_kernels src/simd/${kernels}.c)
  endforeach()
  list(TRANSFORM ${family}_tables REPLACE "(.+)" "src/machine/families/\\1.c" OUTPUT_VARIABLE files)
  foreach(pattern IN LISTS ${family}_refuses)
    file(GLOB found ${PROJECT_SOURCE_DIR}/src/${pattern})
    list(APPEND files ${found})
  endforeach()
  set_property(SOURCE ${files} APPEND PROPERTY COMPILE_DEFINITIONS "STRIA_LEFT_OUT=\"${family}\"")
endforeach()
# What STRIA_DTYPES leaves out of their tables. Kernels of halves compute in f32, and parts of complex numbers may be f32.
set(known f32 integers halves complex)
set(stria_without "")
if(STRIA_DTYPES)
  foreach(class IN LISTS STRIA_DTYPES)
    if(NOT class IN_LIST known)
      list(JOIN known " " known)
      message(FATAL_ERROR "STRIA_DTYPES: there are no dtypes '${class}'; known are ${known}")
    endif()
  endforeach()
  list(REMOVE_ITEM known ${STRIA_DTYPES})
  if("halves" IN_LIST STRIA_DTYPES OR "complex" IN_LIST STRIA_DTYPES)
    list(REMOVE_ITEM known f32)
  endif()
  string(TOUPPER "${known}" known)
  list(TRANSFORM known PREPEND STRIA_WITHOUT_ OUTPUT_VARIABLE stria_without)
  target_compile_definitions(stria_objects PRIVATE ${stria_without})
endif()
if(left_out OR stria_without)
  set_property(SOURCE src/ops/elementwise/types.c src/ops/elementwise/elementwise_direct.c
    src/ops/elementwise/elementwise_run.c src/ops/expr/accumulate.c src/ops/expr/lower.c
    src/ops/window/boxes.c src/ops/window/window_ops.c
    src/ops/scan.c APPEND PROPERTY COMPILE_DEFINITIONS STRIA_SOME_LEFT_OUT)
endif()
if("math" IN_LIST left_out)
  set_property(SOURCE src/simd/ops.c APPEND PROPERTY COMPILE_DEFINITIONS STRIA_WITHOUT_MATH)
endif()

# AVX-512 takes these from AVX2: they wait for memory, divide, or use no vectors, and are as fast there.
set(stria_shared_files_avx512 src/simd/combine.c src/simd/map_integer.c src/simd/map_division.c
    src/simd/map_rounding.c src/simd/map_mixed.c src/simd/map_neighbour.c src/simd/map_scaling.c
    src/simd/map_power.c src/simd/map_drive.c)

set(stria_move_flags -fopenmp-simd)
set(stria_loop_flags -fvect-cost-model=dynamic)
set(stria_map_flags -fvect-cost-model=dynamic)

# The loops of maps wait for memory, and vectors of 32 bytes are as fast there as those of 64. Those
# meet two lines each where an operand does not begin on one, and a load of them waits for the store
# before it where the output lies up to three lines behind an input within a page: an addition in the
# second-level cache takes up to 1.7 times as long (Zen 4). With vectors of 32 bytes a loop whose code
# does not begin on a line takes up to 1.6 times as long in the first-level cache.
set(stria_map_flags_avx512 -mprefer-vector-width=256 -falign-loops=64)

# Sums and means of f16 from memory take 1.15 times as long with -O2 (gcc 12, Zen 4).
set_source_files_properties(src/simd/fold_small.c PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:-O3>")

# Sums of rows of 16 f32 take up to 1.3 times as long where their loop does not begin on a line (Zen 4).
set(stria_move_flags_avx512 -falign-loops=64)

function(stria_kernel_objects target isa shared files)
  string(TOUPPER ${isa} upper)
  add_library(${target} OBJECT ${files})
  stria_object_flags(${target})
  target_include_directories(${target} PRIVATE include)
  target_include_directories(${target} SYSTEM PRIVATE ${stria_xxhash})
  # clang warns of a loop that it was asked to unroll where the count is no constant in one caller.
  target_compile_options(${target} PRIVATE -fno-trapping-math -fno-math-errno ${ARGN}
    $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
  target_compile_definitions(${target} PRIVATE
    STRIA_ISA=${isa} STRIA_ISA_SHARED=${shared} STRIA_ISA_${upper}=1 ${stria_without})
  if(stria_without)
    target_compile_options(${target} PRIVATE -Wno-unused-function)
  endif()
endfunction()

function(stria_kernels isa)
  string(TOUPPER ${isa} upper)
  if(STRIA_LEVELS AND NOT isa IN_LIST STRIA_LEVELS)
    return()
  endif()
  foreach(flag IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "STRIA_FLAG${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(NOT ${known})
      message(STATUS "stria: no ${isa} kernels, the compiler does not know ${flag}")
      return()
    endif()
  endforeach()
  set(shared ${isa})
  if(stria_shared_files_${isa} AND TARGET stria_moves_avx2)
    set(shared avx2)
  endif()
  foreach(group move loop map)
    set(files ${stria_${group}_files})
    if(NOT shared STREQUAL isa)
      list(REMOVE_ITEM files ${stria_shared_files_${isa}})
    endif()
    list(REMOVE_ITEM files "" ${stria_no_kernels})
    if(NOT files)
      continue()
    endif()
    set(flags "")
    foreach(flag IN LISTS stria_${group}_flags stria_${group}_flags_${isa})
      string(MAKE_C_IDENTIFIER "STRIA_FLAG${flag}" known)
      check_c_compiler_flag(${flag} ${known})
      if(${known})
        list(APPEND flags ${flag})
      endif()
    endforeach()
    set(target stria_${group}s_${isa})
    stria_kernel_objects(${target} ${isa} ${shared} "${files}" ${ARGN} ${flags})
    list(APPEND STRIA_KERNEL_OBJECTS $<TARGET_OBJECTS:${target}>)
  endforeach()
  target_compile_definitions(stria_objects PRIVATE STRIA_HAVE_${upper}=1)
  set(STRIA_BUILT_LEVELS ${STRIA_BUILT_LEVELS} ${isa} PARENT_SCOPE)
  set(STRIA_FLAGS_OF_${isa} ${ARGN} PARENT_SCOPE)
  set(STRIA_KERNEL_OBJECTS ${STRIA_KERNEL_OBJECTS} PARENT_SCOPE)
endfunction()

# The vectors of compilers are the level of other machines that have vectors of 16 bytes. Where
# its first models have none, scalar is built, too, and stria__cpu_vectors asks.
if(EMSCRIPTEN) # whose CMAKE_SYSTEM_PROCESSOR is x86
  stria_kernels(generic -msimd128)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|i[3-6]86|x86)$")
  set(avx2 -mavx2 -mfma -mbmi -mbmi2 -mf16c)
  stria_kernels(base -msse2)
  if(NOT WIN32 OR NOT CMAKE_C_COMPILER_ID STREQUAL GNU) # which does not align what it spills to the stack there
    stria_kernels(avx2 ${avx2})
    stria_kernels(avx512 ${avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl)
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  stria_kernels(neon)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL ppc64le)
  stria_kernels(generic -mvsx)
  # A load makes f64 of f32 without quieting a NaN, which these flags have gcc do; and after a NaN, conversions of qemu 7.2
  # spoil the items that follow in the vector, so those of what was not clamped are not computed and thrown away.
  set_source_files_properties(src/simd/cast.c PROPERTIES COMPILE_OPTIONS "-fsignaling-nans;-fno-thread-jumps")
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL s390x)
  stria_kernels(generic -march=z14)
  set(stria_generic_is_asked ON)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL riscv64)
  stria_kernels(generic -march=rv64gcv)
  set(stria_generic_is_asked ON)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL loongarch64)
  stria_kernels(generic -mlsx)
  set(stria_generic_is_asked ON)
endif()
set(everywhere base neon)
if(NOT stria_generic_is_asked)
  list(APPEND everywhere generic)
endif()
set(scalar ON)
foreach(level IN LISTS everywhere)
  if(TARGET stria_moves_${level})
    set(scalar OFF)
  endif()
endforeach()
if("scalar" IN_LIST STRIA_LEVELS OR scalar)
  list(APPEND STRIA_LEVELS scalar)
  stria_kernels(scalar -fno-tree-vectorize)
endif()
