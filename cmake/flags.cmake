# SPDX-License-Identifier: BSD-3-Clause
# How every object of this project is compiled. Set on targets, never globally: a project that adds
# this folder keeps its own flags.

set(STRIA_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla)
set(STRIA_C_WARNINGS -Wstrict-prototypes -Wmissing-prototypes)
if(WIN32) # where isnan() and its like convert to float, and the compiler does not know which printf is linked
  list(APPEND STRIA_C_WARNINGS -Wno-float-conversion -Wno-format -Wno-format-extra-args)
endif()
if(CMAKE_C_COMPILER_ID MATCHES Clang) # Constants are enumerators here, and numbers of any kind are computed with them.
  list(APPEND STRIA_C_WARNINGS -Wno-enum-float-conversion)
endif()

# Linkers of macOS and Windows know other options than those of ELF.
set(STRIA_ELF ON)
if(APPLE OR WIN32)
  set(STRIA_ELF OFF)
endif()

# Frames are touched page by page, so that a stack that is too small faults at its guard page.
include(CheckCCompilerFlag)
set(CMAKE_REQUIRED_FLAGS -Werror)
if(NOT WIN32) # where every frame is touched anyway, and gcc 12 fails with both
  check_c_compiler_flag(-fstack-clash-protection STRIA_HAVE_STACK_CLASH_PROTECTION)
endif()
# gcc for z computes float as double where it is asked for ISO C, unless told not to.
check_c_compiler_flag(-fexcess-precision=fast STRIA_HAVE_EXCESS_PRECISION)
unset(CMAKE_REQUIRED_FLAGS)

# Sources of the library, the tool and the tests. Results are the same on every machine and ISA
# level: no contraction of a*b+c into one rounding, no -march, and no fast-math, which a project may
# have for itself.
function(stria_compile_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF UNITY_BUILD OFF
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  # Offsets of files have 64 bits on 32-bit machines, and printf knows %zu on Windows.
  target_compile_definitions(${target} PRIVATE _FILE_OFFSET_BITS=64 $<$<BOOL:${WIN32}>:__USE_MINGW_ANSI_STDIO=1>)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:C,CXX>:${STRIA_WARNINGS}>" "$<$<COMPILE_LANGUAGE:C>:${STRIA_C_WARNINGS}>"
    $<$<BOOL:${STRIA_WERROR}>:-Werror> -fno-fast-math -ffp-contract=off)
  # -O3 makes kernels that the compiler vectorizes 1.3 to 1.5 times as large (gcc 12, AVX-512).
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:C>,$<NOT:$<CONFIG:Debug,MinSizeRel>>>:-O2>)
  # Debian, Arch and Fedora build with the type None and flags of their own.
  target_compile_definitions(${target} PRIVATE $<$<CONFIG:None>:NDEBUG>)
  if(STRIA_HAVE_EXCESS_PRECISION)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-fexcess-precision=fast>)
  endif()
  if(STRIA_HAVE_STACK_CLASH_PROTECTION)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-fstack-clash-protection>)
  endif()
  # The x87 unit quiets NaNs that are only moved, and rounds twice.
  if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND NOT EMSCRIPTEN AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|i[3-6]86|x86)$")
    target_compile_options(${target} PRIVATE -msse2 -mfpmath=sse)
  endif()
  if(STRIA_HARDEN)
    stria_harden(${target})
  endif()
endfunction()

# Fortified libc calls need optimization, and hide from sanitizers what they check.
function(stria_harden target)
  target_compile_options(${target} PRIVATE -fstack-protector-strong)
  target_link_options(${target} PRIVATE $<$<BOOL:${WIN32}>:-fstack-protector-strong>) # its functions are in a library there
  if(NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    target_compile_options(${target} PRIVATE
      $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
  endif()
  if(STRIA_ELF)
    target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now)
  endif()
endfunction()

# Sources that become part of the library.
function(stria_object_flags target)
  stria_compile_flags(${target})
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
endfunction()
