# SPDX-License-Identifier: BSD-3-Clause
# cmake --install: libraries, headers, tool, CMake package and pkg-config file. The prefix can be
# moved afterwards: nothing that is installed holds an absolute path of its own.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stria)

# Two export sets: those who use the shared library need none of its dependencies.
if(STRIA_SHARED)
  install(TARGETS stria stria_linalg EXPORT striaTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT striaTargets NAMESPACE stria:: DESTINATION ${package_dir})
endif()
if(STRIA_STATIC OR NOT STRIA_SHARED)
  install(TARGETS stria_static stria_linalg_static EXPORT striaStaticTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT striaStaticTargets NAMESPACE stria:: DESTINATION ${package_dir})
  install(FILES cmake/dependencies.cmake DESTINATION ${package_dir})
endif()
if(TARGET stria_fortran)
  install(TARGETS stria_fortran EXPORT striaFortranTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT striaFortranTargets NAMESPACE stria:: DESTINATION ${package_dir})
  get_target_property(modules stria_fortran Fortran_MODULE_DIRECTORY)
  install(DIRECTORY ${modules}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stria/fortran)
endif()
# These files are for Fortran compilers other than the one of this build.
install(FILES bindings/fortran/stria.f90 bindings/fortran/stria_fortran.c bindings/fortran/fpm.toml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/stria/fortran)
install(DIRECTORY include/stria DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.cdef")
install(FILES tools/gdb/stria_gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/stria/gdb)
if(TARGET stria_tool)
  install(TARGETS stria_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  get_target_property(manuals stria_tool STRIA_MANUALS)
  if(manuals)
    install(DIRECTORY ${manuals}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    set(completions ${manuals}/completions)
    install(FILES ${completions}/stria
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${completions}/_stria DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${completions}/stria.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()

configure_package_config_file(cmake/striaConfig.cmake.in striaConfig.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the API.
write_basic_package_version_file(striaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/striaConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/striaConfigVersion.cmake DESTINATION ${package_dir})

# pkg-config: the prefix is told relative to the file itself, folders relative to the prefix; where
# they were given as absolute ones, as Nix does, they stay so.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(STRIA_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  set(STRIA_PC_PREFIX "\${pcfiledir}/${up}")
endif()
cmake_path(APPEND STRIA_PC_LIBDIR "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND STRIA_PC_INCLUDEDIR "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
# Packages by name, so that what they need themselves is linked, too: zlib and libm behind libpng.
set(STRIA_PC_PRIVATE "-pthread")
set(STRIA_PC_REQUIRES "")
if(STRIA_HAVE_ZIP)
  list(APPEND STRIA_PC_REQUIRES libdeflate)
endif()
if(STRIA_HAVE_PNG)
  list(APPEND STRIA_PC_REQUIRES libpng16)
endif()
list(JOIN STRIA_PC_REQUIRES ", " STRIA_PC_REQUIRES)
if(STRIA_HAVE_OPENMP)
  string(APPEND STRIA_PC_PRIVATE " ${OpenMP_C_FLAGS}")
endif()
configure_file(cmake/stria.pc.in stria.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stria.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(STRIA_PC_LINALG -Wl,-u,stria_linalg_table) # as stria::linalg_static has it
if(APPLE)
  set(STRIA_PC_LINALG -Wl,-u,_stria_linalg_table)
endif()
configure_file(cmake/stria-linalg.pc.in stria-linalg.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stria-linalg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET stria_fortran)
  configure_file(cmake/stria-fortran.pc.in stria-fortran.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stria-fortran.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
