# SPDX-License-Identifier: BSD-3-Clause
"""calls.py CDEF LIBRARY: cffi, in ABI mode, calls the library by its plain declarations, without C between."""
import sys

import cffi

ffi = cffi.FFI()
with open(sys.argv[1]) as file:
    ffi.cdef(file.read())
stria = ffi.dlopen(sys.argv[2])


def ok(status):
    assert status == 0, ffi.string(stria.stria_last_error())


ok(stria.stria_version_check(stria.stria_version_number()))

# Memory of the host as a view, and a view of it that is turned.
memory = ffi.new("double[6]", [1, 2, 3, 4, 5, 6])
f64 = stria.stria_dtype_of(stria.STRIA_F64)
a, t = ffi.new("stria_view *"), ffi.new("stria_view *")
ok(stria.stria_view_foreign(a, memory, f64, 2, [2, 3], ffi.NULL, 0))
ok(stria.stria_reverse_dims(t, a))
assert list(t.shape)[:2] == [3, 2] and list(t.strides)[:2] == [8, 24] and t.data == a.data


def owned(kind="stria_array *", release=stria.stria_array_release):
    return ffi.gc(ffi.new(kind), release)


total = owned()
ok(stria.stria_sum_new(total, t, 1, [1], False, ffi.NULL))
assert list(ffi.cast("double *", total.view.data)[0:3]) == [5, 7, 9]
ok(stria.stria_add(a, a, a, ffi.NULL))
assert memory[5] == 12


# Functions by name, with tagged values.
def call(name, *values):
    results = owned("stria_results *", stria.stria_results_release)
    arguments = ffi.new("stria_arg[]", len(values))
    for argument, value in zip(arguments, values):
        number = isinstance(value, int)
        argument.kind = stria.STRIA_ARG_INT if number else stria.STRIA_ARG_VIEW
        setattr(argument.value, "integer" if number else "view", value)
    function = stria.stria_function_find(name.encode())
    return stria.stria_call(results, function, stria.STRIA_PROMOTE_NUMPY, len(values), arguments, ffi.NULL), results


status, turned = call("swapaxes", a, 0, 1)
ok(status)
assert stria.stria_results_count(turned) == 1 and stria.stria_results_at(turned, 0).view.data == a.data
status, refused = call("swapaxes", a, 7, 0)
assert status != 0 and b"7" in ffi.string(stria.stria_results_error(refused))


# Callbacks: the progress of a call, which it ends, and a parallel-for of the host.
@ffi.callback("bool(void *, int64_t)")
def go_on(context, size):
    return False


@ffi.callback("void(void (*)(void *, int64_t), void *, int64_t, void *)")
def serial(task, data, count, context):
    ran.append(count)
    for i in range(count):
        task(data, i)


ran = []
watch, call_exec = ffi.new("stria_watch *", {"go_on": go_on}), ffi.new("stria_exec *")
many = owned()
ok(stria.stria_zeros(many, f64, 1, [8000000]))
call_exec.watch, call_exec.threads = watch, 1
assert stria.stria_exp(ffi.addressof(many.view), ffi.addressof(many.view), call_exec) == stria.STRIA_ERR_CANCELLED
call_exec.watch, call_exec.threads, call_exec.run = ffi.NULL, 4, serial
ok(stria.stria_exp(ffi.addressof(many.view), ffi.addressof(many.view), call_exec))
assert ran and stria.stria_bytes_in_use() >= 64000000
print("cffi: 0 failed")
