# SPDX-License-Identifier: BSD-3-Clause
from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout
import io
import os


class StriaTest(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            printed = io.StringIO()
            self.run(os.path.join(self.cpp.build.bindir, "program"), stdout=printed, env="conanrun")
            assert printed.getvalue().strip() == "[[ 6 22 38]]", printed.getvalue()
