# SPDX-License-Identifier: BSD-3-Clause
# The library: objects once, then a shared and a static library made of them.

file(GLOB STRIA_SOURCES CONFIGURE_DEPENDS
     src/base/*.c src/dtype/*.c src/layout/*.c src/view/*.c src/machine/*.c src/machine/families/*.c src/plan/*.c src/move/*.c src/engine/*.c
     src/ops/*.c src/ops/*/*.c src/io/*.c src/graph/*.c src/lang/*.c src/lang/rows/*.c)

# Archives are libzip's, and their checksums libdeflate's, which are three times as fast. Without
# them the functions of npz.h are there and refuse. libzip is loaded by its soname with dlopen.
if(STRIA_NPZ)
  stria_find(deflate libdeflate.h libdeflate-dev STRIA_NO_ZIP)
  if(NOT STRIA_NO_ZIP)
    stria_find(zip zip.h libzip-dev STRIA_NO_ZIP)
  endif()
  if(STRIA_NO_ZIP)
    message(STATUS "${STRIA_NO_ZIP}: no .npz archives")
  endif()
endif()
if(TARGET stria_deps::zip)
  set(STRIA_HAVE_ZIP ON)
  file(REAL_PATH ${STRIA_zip_LIBRARY} STRIA_ZIP_NAME)
  if(NOT STRIA_ELF) # by the name of its file
    get_filename_component(STRIA_ZIP_NAME ${STRIA_zip_LIBRARY} NAME)
  endif()
  execute_process(COMMAND ${CMAKE_READELF} -d ${STRIA_ZIP_NAME} OUTPUT_VARIABLE dynamic ERROR_QUIET)
  if(dynamic MATCHES "SONAME[^\n]*\\[([^]]+)\\]")
    set(STRIA_ZIP_NAME ${CMAKE_MATCH_1})
  endif()
  list(FILTER STRIA_SOURCES EXCLUDE REGEX "src/io/npz_none\\.c$")
else()
  set(STRIA_HAVE_ZIP OFF)
  list(FILTER STRIA_SOURCES EXCLUDE REGEX "src/io/(zip_library|npz_(read|source|write|member|stored|target))\\.c$")
endif()

# Pictures are libpng's.
set(STRIA_HAVE_PNG OFF)
if(STRIA_PNG)
  stria_find(png16 png.h libpng-dev STRIA_NO_PNG)
  if(STRIA_NO_PNG)
    message(STATUS "${STRIA_NO_PNG}: no PNG files")
  else()
    set(STRIA_HAVE_PNG ON)
  endif()
endif()
if(STRIA_HAVE_PNG)
  list(FILTER STRIA_SOURCES EXCLUDE REGEX "src/io/png_none\\.c$")
else()
  list(FILTER STRIA_SOURCES EXCLUDE REGEX "src/io/png_(read|write)\\.c$")
endif()
add_library(stria_objects OBJECT ${STRIA_SOURCES})
stria_object_flags(stria_objects)
target_include_directories(stria_objects PRIVATE include src)
target_compile_definitions(stria_objects PRIVATE STRIA_EXPORTS)
# For wheels: a target takes functions of the C library by the versions that the oldest ones have.
function(stria_old_glibc target)
  if(STRIA_OLD_GLIBC AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
    include(CheckSymbolExists)
    check_symbol_exists(__GLIBC__ features.h STRIA_HAVE_GLIBC)
    if(STRIA_HAVE_GLIBC)
      target_compile_definitions(${target} PRIVATE STRIA_OLD_GLIBC)
      target_compile_options(${target} PRIVATE "SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/old_glibc.h")
    endif()
  endif()
endfunction()
stria_old_glibc(stria_objects)
if(STRIA_COVERAGE) # every branch as it is written, once however often its function is inlined
  target_compile_options(stria_objects PRIVATE --coverage -O0 -Dalways_inline=)
endif()

# Hashing is xxHash's, whose header is all of it: nothing is linked.
find_path(STRIA_XXHASH_INCLUDE_DIR xxhash.h)
mark_as_advanced(STRIA_XXHASH_INCLUDE_DIR)
set(stria_xxhash ${STRIA_XXHASH_INCLUDE_DIR})
if(STRIA_BUNDLED_XXHASH STREQUAL AUTO AND NOT stria_xxhash OR NOT STRIA_BUNDLED_XXHASH STREQUAL AUTO AND STRIA_BUNDLED_XXHASH)
  set(stria_xxhash ${PROJECT_SOURCE_DIR}/packaging/third_party/xxhash)
endif()
if(NOT stria_xxhash)
  message(FATAL_ERROR "stria: xxhash.h was not found; on Debian and Ubuntu: apt-get install libxxhash-dev, "
    "or -DSTRIA_BUNDLED_XXHASH=ON for that of packaging/third_party/")
endif()
if(STRIA_HAVE_ZIP)
  target_include_directories(stria_objects PRIVATE ${STRIA_zip_INCLUDE_DIR})
  target_compile_definitions(stria_objects PRIVATE STRIA_ZIP_NAME="${STRIA_ZIP_NAME}")
  target_link_libraries(stria_objects PRIVATE stria_deps::deflate)
endif()
if(STRIA_HAVE_PNG)
  target_link_libraries(stria_objects PRIVATE stria_deps::png16)
endif()

# A BLAS is loaded when it is first wanted, with dlopen, which older C libraries have in libdl.
if(STRIA_BLAS)
  target_compile_definitions(stria_objects PRIVATE STRIA_BLAS_NAME="${STRIA_BLAS}")
endif()

find_package(Threads REQUIRED)
set(STRIA_HAVE_OPENMP OFF)
if(STRIA_OPENMP)
  find_package(OpenMP COMPONENTS C)
  if(OpenMP_C_FOUND)
    set(STRIA_HAVE_OPENMP ON)
    target_link_libraries(stria_objects PRIVATE OpenMP::OpenMP_C)
  else()
    message(STATUS "stria: no OpenMP for this compiler, building the serial library")
  endif()
endif()

# The kernels, compiled once per instruction set level; sets STRIA_KERNEL_OBJECTS.
include(cmake/kernels.cmake)

# Dependencies that are private to the objects still have to reach the linker of programs that use the archive.
function(stria_library target)
  stria_compile_flags(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME stria LINKER_LANGUAGE C)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "86|AMD64|aarch64|arm64") # fesetround of src/machine/fp_mode.c
    target_link_libraries(${target} PRIVATE m)
  endif()
  if(STRIA_HAVE_ZIP)
    target_link_libraries(${target} PRIVATE stria_deps::deflate)
  endif()
  if(STRIA_HAVE_PNG)
    target_link_libraries(${target} PRIVATE stria_deps::png16)
  endif()
  if(STRIA_HAVE_OPENMP)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_C)
  endif()
  if(STRIA_COVERAGE)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()

# What shared libraries have: the number of the binary interface `abi`, and the symbols of stria.map.
function(stria_shared target)
  set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${abi} LINKER_LANGUAGE C
    LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/stria.map)
  if(STRIA_ELF)
    target_link_options(${target} PRIVATE LINKER:--version-script=${CMAKE_CURRENT_BINARY_DIR}/stria.map)
  endif()
  # A sanitizer's runtime is found in the program that loads the library, not by the linker here.
  if(STRIA_ELF AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
  if(STRIA_HARDEN)
    stria_harden(${target})
  endif()
endfunction()

set(all_objects $<TARGET_OBJECTS:stria_objects> ${STRIA_KERNEL_OBJECTS})

add_library(stria_static STATIC ${all_objects})
add_library(stria::stria_static ALIAS stria_static)
stria_library(stria_static)
target_compile_definitions(stria_static INTERFACE $<$<BOOL:${WIN32}>:STRIA_STATIC>)
if(STRIA_SHARED AND NOT STRIA_STATIC)
  set_target_properties(stria_static PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

if(STRIA_SHARED)
  add_library(stria SHARED ${all_objects})
  add_library(stria::stria ALIAS stria)
  stria_library(stria)
  # The binary interface has a number of its own until the major version is 1, which the name and the symbols carry.
  set(abi ${PROJECT_VERSION_MAJOR})
  if(abi EQUAL 0)
    set(abi 0.${STRIA_ABI})
  endif()
  string(REPLACE . _ STRIA_NODE STRIA_${abi})
  configure_file(cmake/stria.map.in stria.map @ONLY)
  stria_shared(stria)
  if(STRIA_ELF) # Its own calls of public functions go to its own ones, not by way of the dynamic linker.
    target_link_options(stria PRIVATE LINKER:-Bsymbolic-functions)
  endif()
  # An OpenMP runtime's threads may still run library code when the last dlclose returns.
  if(STRIA_HAVE_OPENMP AND STRIA_ELF)
    target_link_options(stria PRIVATE LINKER:-z,nodelete)
  endif()
else()
  add_library(stria::stria ALIAS stria_static)
endif()
