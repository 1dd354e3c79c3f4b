# SPDX-License-Identifier: BSD-3-Clause
vcpkg_download_distfile(ARCHIVE
    URLS "https://example.org/stria/releases/stria-${VERSION}.tar.xz"
    FILENAME "stria-${VERSION}.tar.xz"
    SHA512 0)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")
vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES npz STRIA_NPZ png STRIA_PNG openmp STRIA_OPENMP tool STRIA_BUILD_TOOL)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" static STATIC)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${FEATURE_OPTIONS} -DSTRIA_STATIC=${STATIC} -DSTRIA_BUNDLED_XXHASH=OFF
        -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF
    OPTIONS_DEBUG -DSTRIA_BUILD_TOOL=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/stria)
vcpkg_fixup_pkgconfig()
if("tool" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES stria AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
