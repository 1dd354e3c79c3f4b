# SPDX-License-Identifier: BSD-3-Clause
# Libraries that the distributions ship without a CMake package. Also installed beside
# striaConfig.cmake, for those who link the static library.

# stria_find(jansson jansson.h libjansson-dev): an imported target stria_deps::jansson from the
# header and the library of that name, or an error that names the Debian package; with the name of a
# variable as a fourth argument, that text in it instead.
function(stria_find name header package)
  if(TARGET stria_deps::${name})
    return()
  endif()
  find_path(STRIA_${name}_INCLUDE_DIR ${header})
  find_library(STRIA_${name}_LIBRARY ${name})
  mark_as_advanced(STRIA_${name}_INCLUDE_DIR STRIA_${name}_LIBRARY)
  if(NOT STRIA_${name}_INCLUDE_DIR OR NOT STRIA_${name}_LIBRARY)
    set(why "stria: ${name} (${header}) was not found; on Debian and Ubuntu: apt-get install ${package}")
    if(ARGC GREATER 3)
      set(${ARGV3} "${why}" PARENT_SCOPE)
      return()
    endif()
    message(FATAL_ERROR "${why}")
  endif()
  add_library(stria_deps::${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(stria_deps::${name} PROPERTIES
    IMPORTED_LOCATION "${STRIA_${name}_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${STRIA_${name}_INCLUDE_DIR}")
endfunction()
