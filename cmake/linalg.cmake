# SPDX-License-Identifier: BSD-3-Clause
# libstria_linalg: Fourier transforms, whose kernels are compiled once per level as those of the library are, and
# factorizations of matrices by a LAPACK that is loaded when it is first wanted. libstria loads it for calls by name;
# programs and modules that have the archive link it.
#
# Transforms are written in vectors. The vectorizer of gcc 12 makes a*b +- c*d one rounding whatever it is told, so
# that levels would differ; without -O3 the loops over the few elements of a pass are not unrolled, which takes twice as long.
file(GLOB sources CONFIGURE_DEPENDS src/linalg/*.c)
list(FILTER sources EXCLUDE REGEX "fft_kernels\\.c$")
add_library(stria_linalg_objects OBJECT ${sources})
stria_object_flags(stria_linalg_objects)
target_include_directories(stria_linalg_objects PRIVATE include src)
target_compile_options(stria_linalg_objects PRIVATE -fno-math-errno)
target_compile_definitions(stria_linalg_objects PRIVATE STRIA_EXPORTS STRIA_IN_LINALG)
stria_old_glibc(stria_linalg_objects)
set(linalg_objects $<TARGET_OBJECTS:stria_linalg_objects>)
foreach(level IN LISTS STRIA_BUILT_LEVELS)
  string(TOUPPER ${level} upper)
  add_library(stria_fft_${level} OBJECT src/linalg/fft_kernels.c)
  stria_object_flags(stria_fft_${level})
  target_include_directories(stria_fft_${level} PRIVATE include src)
  target_compile_options(stria_fft_${level} PRIVATE ${STRIA_FLAGS_OF_${level}} -fno-trapping-math -fno-math-errno
    -fno-tree-vectorize $<$<NOT:$<CONFIG:Debug>>:-O3> $<$<C_COMPILER_ID:GNU>:-Wno-psabi>)
  target_compile_definitions(stria_fft_${level} PRIVATE STRIA_ISA=${level} STRIA_ISA_${upper}=1 STRIA_IN_LINALG)
  target_compile_definitions(stria_linalg_objects PRIVATE STRIA_HAVE_${upper}=1)
  list(APPEND linalg_objects $<TARGET_OBJECTS:stria_fft_${level}>)
endforeach()

# The function that tells calls by name what there is, is asked for, so that an archive gives it.
add_library(stria_linalg_static STATIC ${linalg_objects})
add_library(stria::linalg_static ALIAS stria_linalg_static)
stria_compile_flags(stria_linalg_static)
set_target_properties(stria_linalg_static PROPERTIES OUTPUT_NAME stria_linalg EXPORT_NAME linalg_static)
target_link_libraries(stria_linalg_static PUBLIC stria_static PRIVATE ${CMAKE_DL_LIBS})
target_link_options(stria_linalg_static INTERFACE LINKER:-u,$<$<PLATFORM_ID:Darwin>:_>stria_linalg_table)
if(STRIA_SHARED AND NOT STRIA_STATIC)
  set_target_properties(stria_linalg_static PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

if(STRIA_SHARED)
  add_library(stria_linalg SHARED ${linalg_objects})
  add_library(stria::linalg ALIAS stria_linalg)
  stria_compile_flags(stria_linalg)
  stria_shared(stria_linalg)
  # Beside libstria, wherever that was built: its bytes do not tell where.
  set_target_properties(stria_linalg PROPERTIES EXPORT_NAME linalg BUILD_RPATH_USE_ORIGIN ON)
  target_link_libraries(stria_linalg PUBLIC stria PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
else()
  add_library(stria::linalg ALIAS stria_linalg_static)
endif()
