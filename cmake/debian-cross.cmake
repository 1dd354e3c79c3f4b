# SPDX-License-Identifier: BSD-3-Clause
# Debian's cross compiler for the machine in STRIA_CROSS, its libraries, and qemu-user to run what it
# makes. Libraries that are not part of the cross compiler lie in STRIA_SYSROOT (see tools/sysroot.sh).
set(STRIA_CROSS aarch64 CACHE STRING "aarch64, s390x, riscv64, ppc64le, armhf, i686, mips64el, sparc64 or windows")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STRIA_CROSS)
set(STRIA_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build-${STRIA_CROSS}/sysroot CACHE PATH "its libraries")

if(STRIA_CROSS STREQUAL windows) # x86-64, and wine to run what it makes
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_SYSTEM_PROCESSOR x86_64)
  set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
  set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
  set(CMAKE_FIND_ROOT_PATH ${STRIA_SYSROOT} /usr/x86_64-w64-mingw32)
  set(CMAKE_PREFIX_PATH /usr)
  set(CMAKE_LIBRARY_ARCHITECTURE x86_64-w64-mingw32)
  set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
  set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
  set(CMAKE_CROSSCOMPILING_EMULATOR /usr/lib/wine/wine64)
  return()
endif()

set(qemu ${STRIA_CROSS})
if(STRIA_CROSS STREQUAL ppc64le)
  set(triplet powerpc64le-linux-gnu)
elseif(STRIA_CROSS STREQUAL armhf)
  set(triplet arm-linux-gnueabihf)
  set(qemu arm)
elseif(STRIA_CROSS STREQUAL i686)
  set(triplet i686-linux-gnu)
  set(qemu i386)
elseif(STRIA_CROSS STREQUAL mips64el)
  set(triplet mips64el-linux-gnuabi64)
else()
  set(triplet ${STRIA_CROSS}-linux-gnu)
endif()
set(libraries ${triplet}) # where Debian's packages have them
if(STRIA_CROSS STREQUAL i686)
  set(libraries i386-linux-gnu)
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${STRIA_CROSS})
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)

set(CMAKE_FIND_ROOT_PATH ${STRIA_SYSROOT} /usr/${triplet})
set(CMAKE_LIBRARY_ARCHITECTURE ${libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${qemu} -L /usr/${triplet}
    -E LD_LIBRARY_PATH=${STRIA_SYSROOT}/usr/lib/${libraries})
if(STRIA_CROSS STREQUAL i686) # most x86-64 systems run it without an emulator
  set(loader /usr/${triplet}/lib/ld-linux.so.2)
  execute_process(COMMAND ${loader} --version RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${loader} --library-path
        ${STRIA_SYSROOT}/usr/lib/${libraries}:/usr/${triplet}/lib)
  endif()
endif()
