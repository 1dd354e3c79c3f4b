# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Stria(CMakePackage):
    """Strided arrays on CPUs: views as plain values, plans that turn any set of them into the
    shortest loop nest, and kernels for each instruction set, chosen at run time. Results have the
    same bits everywhere."""

    homepage = "https://example.org/stria"
    url = "https://example.org/stria/releases/stria-0.1.0.tar.xz"
    license("BSD-3-Clause")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("shared", default=True, description="Build the shared library beside the static one")
    variant("openmp", default=True, description="Threads by OpenMP")
    variant("tool", default=True, description="The command-line tool")
    variant("npz", default=True, description=".npz archives")
    variant("png", default=False, description="PNG files")
    variant("fortran", default=False, description="The Fortran module")
    variant("python", default=False, description="The Python package")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.20:", type="build")
    depends_on("xxhash", type="build")
    depends_on("jansson", when="+tool")
    depends_on("libzip", when="+npz")
    depends_on("libdeflate", when="+npz")
    depends_on("libpng", when="+png")
    extends("python@3.11:", when="+python")

    def cmake_args(self):
        names = ("shared", "openmp", "npz", "png", "fortran")
        return [self.define_from_variant("STRIA_" + name.upper(), name) for name in names] + [
            self.define_from_variant("STRIA_BUILD_TOOL", "tool"),
            self.define_from_variant("STRIA_BUILD_PYTHON", "python"),
            self.define("STRIA_PYTHON_SHARED", self.spec.satisfies("+python+shared")),
            self.define("STRIA_BUILD_TESTS", False),
            self.define("STRIA_BUILD_BENCH", False),
        ]

    @run_after("install")
    def install_python(self):
        if self.spec.satisfies("+python"):
            component = ("--component", "python", "--prefix", python_platlib)
            which("cmake", required=True)("--install", self.build_directory, *component)
