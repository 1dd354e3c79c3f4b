# SPDX-License-Identifier: BSD-3-Clause
"""The libraries that are compared: one module each, with

    key                  what --peers calls it
    name                 as it stands in the report, after load: with its version
    load(options)        raises Unavailable with the reason
    prepare(case, pair)  a function of no arguments that copies once, from pair.src to pair.dst or
                         pair.item into pair.dst, or None when this peer cannot express the case

native_peer finds the compiled ones. Every peer works on the same memory, destination included, on
options.threads threads if it can: NumPy has one.
"""


class Unavailable(Exception):
    pass
