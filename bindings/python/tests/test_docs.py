# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/python.md."""

import doctest
import pathlib


def test_page():
    page = pathlib.Path(__file__).parents[3] / "docs/python.md"
    failed, tried = doctest.testfile(str(page), module_relative=False,
                                     optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS |
                                     doctest.IGNORE_EXCEPTION_DETAIL)
    assert tried > 15 and not failed
