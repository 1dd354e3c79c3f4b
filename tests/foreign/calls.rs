// SPDX-License-Identifier: BSD-3-Clause
// Rust calls the library by declarations of its own, without C between.
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::ptr::{null, null_mut};

const DIMS: usize = 64;

#[repr(C)]
#[derive(Clone, Copy)]
struct Dtype {
    kind: u8,
    swapped: bool,
    alignment: u16,
    itemsize: i32,
    record: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct View {
    data: *mut c_char,
    buffer: *mut c_void,
    dtype: Dtype,
    flags: u32,
    ndim: i32,
    shape: [i64; DIMS],
    strides: [i64; DIMS],
}

#[repr(C)]
struct Array {
    owned: *mut c_void,
    view: View,
}

#[repr(C)]
union Value {
    integer: i64,
    view: *const View,
    whole: [u64; 2],
}

#[repr(C)]
struct Arg {
    name: *const c_char,
    kind: c_int,
    count: i64,
    value: Value,
}

// Storage alone: what lies in it is asked for by functions.
#[repr(C, align(16))]
struct Results([u8; 4096]);

const F64: c_int = 14;
const ARG_INT: c_int = 2;
const ARG_VIEW: c_int = 13;

#[link(name = "stria")]
extern "C" {
    fn stria_version_number() -> c_int;
    fn stria_version_check(header: c_int) -> c_int;
    fn stria_last_error() -> *const c_char;
    fn stria_dtype_of(kind: c_int) -> Dtype;
    fn stria_view_foreign(out: *mut View, data: *mut c_void, dtype: Dtype, ndim: c_int, shape: *const i64,
                          strides: *const i64, flags: u32) -> c_int;
    fn stria_reverse_dims(out: *mut View, a: *const View) -> c_int;
    fn stria_add(out: *const View, a: *const View, b: *const View, exec: *const c_void) -> c_int;
    fn stria_sum_new(out: *mut Array, a: *const View, count: c_int, dims: *const c_int, keepdims: bool,
                     exec: *const c_void) -> c_int;
    fn stria_array_release(a: *mut Array);
    fn stria_function_find(name: *const c_char) -> *const c_void;
    fn stria_call(results: *mut Results, function: *const c_void, rule: c_int, count: c_int, args: *const Arg,
                  exec: *const c_void) -> c_int;
    fn stria_results_count(results: *const Results) -> i64;
    fn stria_results_at(results: *const Results, i: i64) -> *const Array;
    fn stria_results_error(results: *const Results) -> *const c_char;
    fn stria_results_release(results: *mut Results);
}

impl Drop for Array {
    fn drop(&mut self) {
        unsafe { stria_array_release(self) }
    }
}

fn ok(status: c_int) {
    assert_eq!(status, 0, "{:?}", unsafe { CStr::from_ptr(stria_last_error()) });
}

fn integer(value: i64) -> Arg {
    Arg { name: null(), kind: ARG_INT, count: 0, value: Value { integer: value } }
}

fn main() {
    let mut memory = [1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0];
    unsafe {
        ok(stria_version_check(stria_version_number()));
        let (mut a, mut t): (View, View) = (std::mem::zeroed(), std::mem::zeroed());
        let shape = [2i64, 3];
        ok(stria_view_foreign(&mut a, memory.as_mut_ptr().cast(), stria_dtype_of(F64), 2, shape.as_ptr(), null(), 0));
        ok(stria_reverse_dims(&mut t, &a));
        assert_eq!((&t.shape[..2], &t.strides[..2], t.data), (&[3, 2][..], &[8, 24][..], a.data));

        let mut sum = Array { owned: null_mut(), view: std::mem::zeroed() };
        ok(stria_sum_new(&mut sum, &t, 1, &1, false, null()));
        assert_eq!(std::slice::from_raw_parts(sum.view.data as *const f64, 3), [5.0, 7.0, 9.0]);
        ok(stria_add(&a, &a, &a, null()));
        assert_eq!(memory[5], 12.0);

        let mut results: Results = std::mem::zeroed();
        let name = CString::new("swapaxes").unwrap();
        let function = stria_function_find(name.as_ptr());
        let view = || Arg { name: null(), kind: ARG_VIEW, count: 0, value: Value { view: &a } };
        ok(stria_call(&mut results, function, 0, 3, [view(), integer(0), integer(1)].as_ptr(), null()));
        assert_eq!(stria_results_count(&results), 1);
        assert_eq!((*stria_results_at(&results, 0)).view.shape[0], 3);
        stria_results_release(&mut results);
        assert_ne!(stria_call(&mut results, function, 0, 3, [view(), integer(7), integer(1)].as_ptr(), null()), 0);
        assert!(CStr::from_ptr(stria_results_error(&results)).to_str().unwrap().contains('7'));
        stria_results_release(&mut results);
    }
    println!("rust: 0 failed");
}
