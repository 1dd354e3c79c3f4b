# SPDX-License-Identifier: BSD-3-Clause
# Zig's C compiler, which has the headers and libraries of other systems, for the target in STRIA_CROSS, such as
# aarch64-macos. `pip install ziglang` has it, in a folder that PATH must name.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STRIA_CROSS)
string(REPLACE - ";" target ${STRIA_CROSS})
list(GET target 0 CMAKE_SYSTEM_PROCESSOR)
list(GET target 1 system)
set(CMAKE_SYSTEM_NAME Linux)
foreach(known Darwin=macos Windows=windows FreeBSD=freebsd NetBSD=netbsd OpenBSD=openbsd)
  if(known MATCHES "(.+)=${system}$")
    set(CMAKE_SYSTEM_NAME ${CMAKE_MATCH_1})
  endif()
endforeach()
find_program(STRIA_ZIG zig REQUIRED)
set(CMAKE_C_COMPILER ${STRIA_ZIG} cc -target ${STRIA_CROSS} -fno-sanitize=undefined)
if(CMAKE_SYSTEM_NAME STREQUAL Darwin) # Nothing that is built here is installed.
  set(CMAKE_INSTALL_NAME_TOOL true)
endif()
# CMake asks for one program each.
foreach(program ar ranlib)
  string(TOUPPER ${program} name)
  file(WRITE ${CMAKE_BINARY_DIR}/zig-${program} "#!/bin/sh\nexec '${STRIA_ZIG}' ${program} \"$@\"\n")
  file(CHMOD ${CMAKE_BINARY_DIR}/zig-${program} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(CMAKE_${name} ${CMAKE_BINARY_DIR}/zig-${program})
  set(CMAKE_C_COMPILER_${name} ${CMAKE_${name}})
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
