/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declarations that the files of the extension share. Each holds one idea of Python's: the array
 * object (array.c), what goes into a call and comes out of it (convert.c), functions (functions.c),
 * and so on. The Limited API of 3.11 is all of Python that they use, but in one place: instance
 * data is read through a cast of the object. A Python without the GIL is declared to be one: arrays
 * never change what they describe, settings are the thread's, items of lists are taken with a
 * reference.
 *
 * Names: files give each other py_noun_verb; what begins with stria_ is the library's. A function
 * that gives an object gives a new reference, or NULL with an exception set; one that gives an int
 * gives 0, or -1 with an exception set.
 */
#ifndef STRIA_PYTHON_BINDING_H
#define STRIA_PYTHON_BINDING_H

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>
#include <structmember.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stria/stria.h"

/* ---- arrays (array.c) ------------------------------------------------------------------------ */

/*
 * stria.Array: what a view is, and what keeps its memory alive. Nothing of it changes after it was
 * made, so that nothing has to be locked, but by x.shape = ..., which gives it other dims: only
 * where there is a GIL, and who reads dims runs no other code meanwhile. Little memory lies in the
 * object itself, behind the dims.
 */
typedef struct Array {
    PyObject_HEAD PyObject *weak; /* weak references */
    char *data;                   /* of element [0, ..., 0] */
    stria_buffer *buffer;         /* a reference; NULL where the memory lies in an object */
    PyObject *base;    /* a reference to that object, an Array; NULL: this one, or the buffer */
    stria_dtype dtype; /* retained, where it has a record */
    uint32_t flags;    /* of the view */
    int32_t ndim;
    int64_t *dims; /* ndim sizes, ndim strides in bytes: own, or of a shape that was set */
    int64_t own[]; /* and the elements where they lie here */
} Array;

enum { SMALL = 512 /* bytes of elements that lie in the object */ };

extern PyTypeObject *py_array_type;

static inline bool py_is_array(PyObject *object)
{
    return Py_TYPE(object) == py_array_type;
}

static inline Array *py_array(PyObject *object)
{
    return (Array *)object;
}

/* Writes the view, of which only the dims that there are. */
static inline void py_view(stria_view *out, const Array *a)
{
    out->data = a->data;
    out->buffer = a->buffer;
    out->dtype = a->dtype;
    out->flags = a->flags;
    out->ndim = a->ndim;
    for (int d = 0; d < a->ndim; d++) {
        out->shape[d] = a->dims[d];
        out->strides[d] = a->dims[a->ndim + d];
    }
}

int py_array_ready(PyObject *module);

/*
 * Makes an array in C order whose elements are not set: in the object where there are few, else in
 * a buffer. The view of it is written, too. ndim and shape may be those of out.
 */
PyObject *py_array_new(stria_view *out, stria_dtype dtype, int ndim, const int64_t *shape);
/*
 * Makes an array of a view whose memory a buffer or an object keeps alive; takes a reference to
 * base, and one to the buffer of the view.
 */
PyObject *py_array_of_view(const stria_view *view, PyObject *base);
/* Makes one of no dims with the value of a view of none, not of a record; it is read only. */
PyObject *py_array_of_element(const stria_view *at);
/* Makes one that takes over what made owns, which is cleared. */
PyObject *py_array_of_owner(stria_array *made);

/* The sizes and strides for others to read as long as the array lives. */
int64_t *py_array_lend_dims(PyObject *self);
/* Says that others learn where the elements are, and may write them; before what shows it. */
int py_array_expose(PyObject *self);

/* Returns the object in whose memory the array lies, borrowed; NULL where it is a buffer. */
static inline PyObject *py_array_memory(Array *a)
{
    return a->buffer ? NULL : a->base ? a->base : (PyObject *)a;
}

/* ---- errors (errors.c) ----------------------------------------------------------------------- */

int py_errors_ready(PyObject *module);
/* Raises the exception of a status with the library's message; returns NULL. */
PyObject *py_raise(stria_status status);
PyObject *py_error_class(stria_status status); /* borrowed */
/* Raises BufferError with that message, as exporters of memory have to. */
PyObject *py_raise_buffer_error(void);

/* ---- dtypes (dtype.c) ------------------------------------------------------------------------ */

int py_dtype_ready(PyObject *module);
PyObject *py_dtype_new(stria_dtype dtype);
bool py_is_dtype(PyObject *object);
stria_dtype py_dtype_value(PyObject *object); /* of a dtype object; borrowed */
/*
 * Reads what names a dtype: a dtype, a name, a type, one of NumPy's or PyTorch's. 1: *out is it,
 * which the caller gives back with stria_dtype_release; 0: it is none; -1.
 */
int py_dtype_read(stria_dtype *out, PyObject *object);
/* Gives Stria's name ("float32") for kinds that have one, else NumPy's text, as a str. */
PyObject *py_dtype_name(stria_dtype dtype);

/* ---- arguments and results (convert.c) ------------------------------------------------------- */

/* A piece of memory that lasts as long as a call. */
struct chunk {
    struct chunk *next;
    max_align_t data[];
};

/* A foreign array that was taken for the time of a call. */
struct guest {
    struct guest *next;
    stria_array array;
};

/* An Array among the arguments. */
struct seen {
    struct seen *next;
    PyObject *object; /* borrowed from the caller, or from what the call keeps */
};

enum { CALL_VIEWS = 6, CALL_ROOM = 1024 };

/*
 * The arguments of a call and what they need while it lasts. The caller keeps the arguments
 * themselves; of what may change meanwhile, as lists may, the call keeps the items that it read.
 * Only the head is initialized: the views are large.
 */
struct call {
    struct chunk *chunks;
    struct guest *guests;
    struct seen *seen;
    struct seen *kept; /* references, which the call gives back */
    int views;         /* of those in view that are taken */
    size_t used;       /* bytes of room */
    int64_t bytes;     /* of the largest array or shape among the arguments */
    max_align_t room[CALL_ROOM / sizeof(max_align_t)];
    stria_view view[CALL_VIEWS];
};

void py_call_begin(struct call *call);
void py_call_end(struct call *call);
void *py_call_take(struct call *call, size_t size);
stria_view *py_call_view(struct call *call);
/* Keeps an object until the call ends: takes the reference over and gives it back, or NULL. */
PyObject *py_call_keep(struct call *call, PyObject *object);

/*
 * The items of a list or tuple as they are now, in a tuple that nobody changes. Classes that derive
 * from these are not asked: sizes and items are those that the object has.
 */
PyObject *py_items(PyObject *list);
/* Tells whether it is a list or tuple that no class derives: sizes and items are its own. */
static inline bool py_is_exact_list(PyObject *object)
{
    return PyList_CheckExact(object) || PyTuple_CheckExact(object);
}
/* The text of a str for the library, as long as the str; NULL where it has a NUL, or is none. */
const char *py_utf8(PyObject *object);

/* Reads any object; NotImplemented-like refusals are TypeErrors. */
int py_read_arg(stria_arg *out, struct call *call, PyObject *object);
/*
 * Reads an operand of an operator: an array, a number, or what says that it is an array of NumPy's.
 * 1: read, 0: something else, -1.
 */
int py_read_operand(stria_arg *out, struct call *call, PyObject *object);
/*
 * Reads an operand of an operation as a view, which lasts as long as the call and number do; other
 * is NULL, or the second operand. Results are those of py_read_operand.
 */
int py_operand(const stria_view **out, stria_arg *number, struct call *call, stria_op op,
               PyObject *object, PyObject *other);
/* Makes a view of an operand, a number becoming a weak scalar, which points into arg. */
const stria_view *py_operand_view(struct call *call, const stria_arg *arg);

/* Makes an object of an array that a call gave; takes it over. */
PyObject *py_result_array(stria_array *made, struct call *call);
PyObject *py_results(stria_results *results, struct call *call);

/* ---- memory of others (foreign.c) ------------------------------------------------------------ */

/*
 * Wraps an object's memory, without a copy: by the buffer protocol, __array_interface__ or
 * __dlpack__. 1: *out is owned by the caller, 0: the object has none of these, -1.
 */
int py_foreign(stria_array *out, PyObject *object);
/* Tells whether an object is NumPy's array or scalar, or acts as one. */
bool py_is_array_like(PyObject *object);
/* Makes an array of an object that acts as one, without a copy; NULL without an error: it is none.
 */
PyObject *py_foreign_array(PyObject *object);

/* ---- how calls run (settings.c) -------------------------------------------------------------- */

/* Settings of with-statements for this thread, and the copies that it made. */
struct settings {
    int threads;
    stria_promotion rule;
    bool no_copies, counts; /* copies are refused; counted */
    bool checked;           /* integers that do not wrap */
    int64_t copies, bytes;
    stria_watch *watch; /* of the thread that imported the package: Ctrl-C ends its calls */
};
extern _Thread_local struct settings py_settings;
int py_settings_ready(PyObject *module);
/* Where the settings of a thread lie is asked by a call: small calls do it once. */
static inline stria_exec py_exec_of(const struct settings *settings)
{
    const bool numpy = settings->rule == STRIA_PROMOTE_NUMPY;
    if (settings->watch) settings->watch->state[0] = 0; /* a signal ends one call */
    return (stria_exec){.threads = settings->threads,
                        .hints = numpy ? STRIA_PROMOTE_AS_NUMPY : 0,
                        .watch = settings->watch};
}
static inline stria_exec py_exec(void)
{
    return py_exec_of(&py_settings);
}

/*
 * Tells that `what` copies, or copied, elements without computing anything: -1 with an exception
 * where that is forbidden.
 */
int py_note_copy(const char *what, const stria_view *view);

/* stria_elementwise, or its checked variant where that is asked for and there is one. */
stria_status py_run_op(stria_op op, const stria_view *out, int n, const stria_view *const *operands,
                       const stria_exec *exec);
/* Tells whether this operation of a result dtype is checked now. */
bool py_is_checked(stria_op op, stria_dtype dtype);

enum { RELEASE_FROM = 32 << 10 /* bytes: some 20 us of work are worth releasing the GIL */ };

/* Runs the statement, without the GIL where there is much to do. */
#define WITHOUT_GIL(bytes, statement)                                                              \
    do {                                                                                           \
        PyThreadState *const thread_ = (bytes) >= RELEASE_FROM ? PyEval_SaveThread() : NULL;       \
        statement;                                                                                 \
        if (thread_) PyEval_RestoreThread(thread_);                                                \
    } while (0)

/* ---- text (text.c) --------------------------------------------------------------------------- */

int py_text_ready(PyObject *module);
int py_graph_ready(PyObject *module); /* graph.c */
int py_lazy_ready(PyObject *module);  /* lazy.c */
/* Makes an array of the same layout that has no memory. */
PyObject *py_meta(PyObject *array);
int py_files_ready(PyObject *module);

/* ---- operations (operators.c, functions.c, index.c, buffer.c, dlpack.c) ---------------------- */

int py_functions_ready(PyObject *module);
bool py_is_lazy(PyObject *object); /* one of _lazy.py */
/* An array of numbers, of nested lists, or of what another object has; dtype NULL: its own. */
PyObject *py_asarray(PyObject *object, const stria_dtype *dtype);
/* Calls a function of the registry by name with positional arguments. */
PyObject *py_call_named(const char *name, PyObject *const *args, Py_ssize_t count);
/* Runs one elementwise operation on n <= 3 operands, into a new array. */
PyObject *py_elementwise(stria_op op, int n, const stria_view *const *operands);
/* The same of n <= 2 objects that are arrays. */
PyObject *py_on_arrays(stria_op op, int n, PyObject *const *arrays);

extern PyType_Slot py_operator_slots[], py_index_slots[], py_buffer_slots[];
int py_dlpack_ready(PyObject *module);
PyObject *py_array_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *given);
PyObject *py_array_dlpack_device(PyObject *self, PyObject *unused);
PyObject *py_from_dlpack(PyObject *module, PyObject *const *args, Py_ssize_t count,
                         PyObject *names);
int py_creation_ready(PyObject *module);

PyObject *py_index(PyObject *self, PyObject *key);
int py_assign(PyObject *self, PyObject *key, PyObject *value);
PyObject *py_text(const stria_view *a, const char *before, bool commas);

/* The number of an array of one element. */
PyObject *py_item(const stria_view *a);

#endif
