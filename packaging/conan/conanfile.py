# SPDX-License-Identifier: BSD-3-Clause
from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir
import os


class StriaConan(ConanFile):
    name = "stria"
    version = "0.1.0"
    license = "BSD-3-Clause", "BSD-2-Clause"
    url = homepage = "https://example.org/stria"
    description = "Strided arrays on CPUs: views as plain values, plans and kernels at the speed of memory"
    topics = ("arrays", "tensors", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "openmp": [True, False], "npz": [True, False], "png": [True, False]}
    default_options = {"shared": False, "openmp": True, "npz": False, "png": False}

    def validate(self):
        if self.settings.os not in ("Linux", "Macos"):
            raise ConanInvalidConfiguration("Stria was never run on %s" % self.settings.os)

    def configure(self):
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.npz:
            self.requires("libdeflate/1.20")
            self.requires("libzip/1.10.1", options={"shared": True})  # loaded at run time
        if self.options.png:
            self.requires("libpng/1.6.43")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("TOOL", "TESTS", "BENCH"):
            toolchain.cache_variables["STRIA_BUILD_" + name] = False
        toolchain.cache_variables["STRIA_BUNDLED_XXHASH"] = True
        for name in ("openmp", "npz", "png"):
            toolchain.cache_variables["STRIA_" + name.upper()] = bool(getattr(self.options, name))
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        for name in ("LICENSE", "packaging/third_party/xxhash/LICENSE"):
            copy(self, name, self.source_folder, os.path.join(self.package_folder, "licenses"))
        for name in ("lib/cmake", "lib/pkgconfig"):
            rmdir(self, os.path.join(self.package_folder, name))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "stria")
        parts = {"stria": ["stria"], "linalg": ["stria_linalg"]}
        for name, libs in parts.items():
            part = self.cpp_info.components[name]
            part.libs = libs
            part.set_property("cmake_target_name", "stria::" + name)
            part.system_libs = ["pthread", "dl", "m"]
        core, linalg = (self.cpp_info.components[name] for name in parts)
        core.set_property("pkg_config_name", "stria")
        linalg.set_property("pkg_config_name", "stria-linalg")
        linalg.requires = ["stria"]
        if not self.options.shared:  # calls by name find an archive by this function
            name = "_stria_linalg_table" if self.settings.os == "Macos" else "stria_linalg_table"
            linalg.exelinkflags = linalg.sharedlinkflags = ["-Wl,-u," + name]
        if self.options.openmp and not self.options.shared:
            core.exelinkflags = core.sharedlinkflags = ["-fopenmp"]
        if self.options.npz:
            core.requires += ["libdeflate::libdeflate", "libzip::libzip"]
        if self.options.png:
            core.requires.append("libpng::libpng")
