# SPDX-License-Identifier: BSD-3-Clause
class Stria < Formula
  desc "Strided arrays on CPUs: C library and command-line tool"
  homepage "https://example.org/stria"
  url "https://example.org/stria/releases/stria-0.1.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "BSD-3-Clause"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "xxhash" => :build
  depends_on "jansson"
  depends_on "libdeflate"
  depends_on "libpng"
  depends_on "libzip"

  on_macos do
    depends_on "libomp"
  end

  def install
    system "cmake", "-G", "Ninja", "-S", ".", "-B", "build", "-DSTRIA_BUILD_TESTS=OFF", "-DSTRIA_BUILD_BENCH=OFF",
           *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "(3, 2)", shell_output("#{bin}/stria explain --shape 2,3 .T")
  end
end
