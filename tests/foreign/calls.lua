-- SPDX-License-Identifier: BSD-3-Clause
-- calls.lua CDEF LIBRARY: LuaJIT calls the library by its plain declarations, without C between.
local ffi = require("ffi")
local declarations = assert(io.open(arg[1])):read("*a")
ffi.cdef(declarations)
local stria = ffi.load(arg[2])

local function ok(status)
    if status ~= 0 then error(ffi.string(stria.stria_last_error()), 2) end
end

assert(stria.stria_version_check(stria.stria_version_number()) == 0)

-- Memory of the host as a view, and a view of it that is turned.
local memory = ffi.new("double[6]", {1, 2, 3, 4, 5, 6})
local f64 = stria.stria_dtype_of(stria.STRIA_F64)
local a, t = ffi.new("stria_view"), ffi.new("stria_view")
ok(stria.stria_view_foreign(a, memory, f64, 2, ffi.new("int64_t[2]", {2, 3}), nil, 0))
ok(stria.stria_reverse_dims(t, a))
assert(t.shape[0] == 3 and t.strides[0] == 8 and t.data == a.data)

-- A new array, which the collector releases.
local function owned() return ffi.gc(ffi.new("stria_array"), stria.stria_array_release) end
local sum = owned()
ok(stria.stria_sum_new(sum, t, 1, ffi.new("int[1]", {1}), false, nil))
assert(ffi.cast("double *", sum.view.data)[2] == 9)
ok(stria.stria_add(a, a, a, nil))
assert(memory[5] == 12)

-- Functions by name, with tagged values.
local function call(name, ...)
    local results = ffi.gc(ffi.new("stria_results"), stria.stria_results_release)
    local count = select("#", ...)
    local args = ffi.new("stria_arg[?]", count + 1)
    for i = 1, count do
        local value = select(i, ...)
        if type(value) == "number" then
            args[i - 1].kind, args[i - 1].value.integer = stria.STRIA_ARG_INT, value
        else
            args[i - 1].kind, args[i - 1].value.view = stria.STRIA_ARG_VIEW, value
        end
    end
    local f = assert(stria.stria_function_find(name) ~= nil and stria.stria_function_find(name))
    local status = stria.stria_call(results, f, stria.STRIA_PROMOTE_TORCH, count, args, nil)
    return status, results
end
local status, sorted = call("msort", t)
assert(status == 0 and stria.stria_results_count(sorted) == 1)
assert(stria.stria_results_at(sorted, 0).view.shape[1] == 2)
local refused, why = call("transpose", a, 7, 0)
assert(refused ~= 0 and ffi.string(stria.stria_results_error(why)):find("7"))

-- A callback on the calling thread: the progress of a call, which it ends.
local watch, exec = ffi.new("stria_watch"), ffi.new("stria_exec")
local asked = 0
watch.go_on = function() asked = asked + 1; return false end
exec.watch, exec.threads = watch, 1
local many = owned()
ok(stria.stria_empty(many, f64, 1, ffi.new("int64_t[1]", {8000000})))
local ended = stria.stria_exp(many.view, many.view, exec)
assert(ended == stria.STRIA_ERR_CANCELLED and asked == 1)
print("luajit: 0 failed")
