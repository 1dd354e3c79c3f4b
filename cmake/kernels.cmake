# SPDX-License-Identifier: BSD-3-Clause
# The kernels, compiled once per instruction set level from the same files, one per family. Sets
# STRIA_KERNEL_OBJECTS and tells src/dispatch.c which levels there are (STRIA_HAVE_<LEVEL>).
# STRIA_LEVELS chooses among them; scalar is always there.
# A new level: one line here, one header in src/simd, one row in src/dispatch.c (docs/add-an-isa.md).
include(CheckCCompilerFlag)
set(STRIA_KERNEL_OBJECTS "")

function(stria_kernels isa)
  string(TOUPPER ${isa} upper)
  if(STRIA_LEVELS AND NOT isa IN_LIST STRIA_LEVELS AND NOT isa STREQUAL scalar)
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
  add_library(stria_kernels_${isa} OBJECT
    src/simd/move.c src/simd/cast.c src/simd/reduce.c src/simd/ops.c
    src/simd/map_arithmetic.c src/simd/map_comparison.c src/simd/map_integer.c
    src/simd/map_division.c src/simd/map_rounding.c src/simd/map_choice.c src/simd/map_mixed.c
    src/simd/map_scaling.c src/simd/map_neighbour.c src/simd/map_power.c
    src/simd/math_exponential.c src/simd/math_trigonometric.c src/simd/math_special.c
    src/simd/math_division.c src/simd/math_activation.c src/simd/math_statistics.c
    src/simd/math_complex.c src/simd/fold.c src/simd/random.c)
  stria_object_flags(stria_kernels_${isa})
  target_include_directories(stria_kernels_${isa} PRIVATE include)
  target_compile_options(stria_kernels_${isa} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>
    -fno-trapping-math -fno-math-errno ${ARGN})
  target_compile_definitions(stria_kernels_${isa} PRIVATE STRIA_ISA=${isa} STRIA_ISA_${upper}=1)
  target_compile_definitions(stria_objects PRIVATE STRIA_HAVE_${upper}=1)
  set(STRIA_KERNEL_OBJECTS ${STRIA_KERNEL_OBJECTS} $<TARGET_OBJECTS:stria_kernels_${isa}>
      PARENT_SCOPE)
endfunction()

stria_kernels(scalar -fno-tree-vectorize)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|i[3-6]86|x86)$")
  set(avx2 -mavx2 -mfma -mbmi -mbmi2 -mf16c)
  stria_kernels(base -msse2)
  stria_kernels(avx2 ${avx2})
  stria_kernels(avx512 ${avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  stria_kernels(neon)
endif()
