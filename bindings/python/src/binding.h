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
#pragma once

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
 * stria.Array: a view, and a reference that keeps its memory alive. Nothing of it changes after it
 * was made, so that nothing has to be locked, except by x.shape = ..., which gives it other dims:
 * only where there is a GIL, and readers of dims run no other code meanwhile. A few elements lie in
 * the object itself, behind the dims.
 */
typedef struct Array {
    PyObject_HEAD PyObject *weak; /* Weak references. */
    char *data;                   /* Address of element [0, ..., 0]. */
    stria_buffer *buffer;         /* A reference; NULL if the memory lies in an object. */
    PyObject *base;    /* A reference to that object, an Array; NULL: this one, or the buffer. */
    stria_dtype dtype; /* Retained if it has a record. */
    uint32_t flags;    /* Flags of the view. */
    int32_t ndim;
    int32_t room;  /* The class of the object's size (array.c). */
    int64_t *dims; /* Sizes, then strides in bytes, ndim each: own, or of a shape that was set. */
    int64_t own[]; /* The elements follow if they lie in the object. */
} Array;

enum {
    SMALL = 512, /* Most bytes that are worth a way of their own. */
    LOCAL = 4096 /* Most bytes of elements that lie in the object. */
};

extern PyTypeObject *py_array_type;

static inline bool py_is_array(PyObject *object)
{
    return Py_TYPE(object) == py_array_type;
}

static inline Array *py_array(PyObject *object)
{
    return (Array *)object;
}

/* Tells whether an array is a number: it has no dims, and nobody writes the object in which its
 * element lies. */
static inline bool py_is_number(PyObject *array)
{
    const Array *const a = py_array(array);
    const Array *const owner = a->base ? py_array(a->base) : a;
    return a->ndim == 0 && !a->buffer && owner->flags & STRIA_READONLY;
}

/* Writes the view, but only the dims that exist. */
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
 * Makes an array in C order whose elements are not set: in the object if there are few, else in a
 * buffer. Writes its view, too. ndim and shape may be those of out.
 */
PyObject *py_array_new(stria_view *out, stria_dtype dtype, int ndim, const int64_t *shape);
/*
 * Makes an array of a view whose memory a buffer or an object keeps alive; takes a reference to
 * base, and one to the buffer of the view.
 */
PyObject *py_array_of_view(const stria_view *view, PyObject *base);
/*
 * Makes a result of no dims a number by NumPy's rule: its value stays the same, and x += 1 makes
 * another one. Returns the array.
 */
static inline PyObject *py_as_number(PyObject *made);
/* Makes an array of no dims with the value of a view of none, not of a record; it is read-only. */
PyObject *py_array_of_element(const stria_view *at);
/* Makes an array that takes over made's memory; made is cleared. */
PyObject *py_array_of_owner(stria_array *made);

/* Returns the sizes and strides for others to read as long as the array lives. */
int64_t *py_array_lend_dims(PyObject *self);
/* Notes that others learn the address of the elements, and may write them; called before they
 * do. */
int py_array_expose(PyObject *self);

/* Returns the object in whose memory the array lies, borrowed; NULL if it is a buffer. */
static inline PyObject *py_array_memory(Array *a)
{
    return a->buffer ? NULL : a->base ? a->base : (PyObject *)a;
}

/* ---- errors (errors.c) ----------------------------------------------------------------------- */

int py_errors_ready(PyObject *module);
/* Raises the exception of a status with the library's message; returns NULL. */
PyObject *py_raise(stria_status status);
/* Returns the class of a status's exceptions, borrowed. */
PyObject *py_error_class(stria_status status);
/* Raises BufferError with that message, as exporters of memory have to. */
PyObject *py_raise_buffer_error(void);

/* ---- dtypes (dtype.c) ------------------------------------------------------------------------ */

int py_dtype_ready(PyObject *module);
PyObject *py_dtype_new(stria_dtype dtype);
bool py_is_dtype(PyObject *object);
stria_dtype py_dtype_value(PyObject *object); /* Returns the dtype of a dtype object, borrowed. */
/* Tells whether a dtype of NumPy has metadata, which dtypes do not have here. */
bool py_has_metadata(PyObject *object);
/*
 * Reads an object that names a dtype: a dtype, a name, a type, one of NumPy's or PyTorch's. 1: *out
 * is it, which the caller releases by stria_dtype_release; 0: it is none; -1.
 */
int py_dtype_read(stria_dtype *out, PyObject *object);
/* Returns Stria's name ("float32") for kinds that have one, else NumPy's text, as a str. */
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
    PyObject *object; /* Borrowed from the caller, or from objects that the call keeps. */
};

enum { CALL_VIEWS = 6, CALL_ROOM = 1024 };

/*
 * The arguments of a call and what they need while it lasts. The caller keeps the arguments
 * themselves; from objects that may change meanwhile, such as lists, the call keeps the items that
 * it read. Only the head is initialized: the views are large.
 */
struct call {
    struct chunk *chunks;
    struct guest *guests;
    struct seen *seen;
    struct seen *kept; /* References that the call releases. */
    int views;         /* Number of the views that are taken. */
    size_t used;       /* Bytes of room that are used. */
    int64_t bytes;     /* Bytes of the largest array or shape among the arguments. */
    max_align_t room[CALL_ROOM / sizeof(max_align_t)];
    stria_view view[CALL_VIEWS];
};

void py_call_begin(struct call *call);
void py_call_end(struct call *call);
void *py_call_take(struct call *call, size_t size);
stria_view *py_call_view(struct call *call);
/* Keeps an object until the call ends: takes the reference over and returns it, or NULL. */
PyObject *py_call_keep(struct call *call, PyObject *object);

/*
 * Returns the present items of a list or tuple, in a tuple that nobody changes. Methods of derived
 * classes are not called: sizes and items are those that the object has.
 */
PyObject *py_items(PyObject *list);
/* Tells whether it is exactly a list or tuple, not of a derived class: sizes and items are its
 * own. */
static inline bool py_is_exact_list(PyObject *object)
{
    return PyList_CheckExact(object) || PyTuple_CheckExact(object);
}
/* Returns the text of a str for the library, which lives as long as the str; NULL if it has a NUL,
 * or is no str. */
const char *py_utf8(PyObject *object);

/* Reads any object; objects that are no argument are TypeErrors. */
int py_read_arg(stria_arg *out, struct call *call, PyObject *object);
/* Tells whether an object's class derives from NumPy's arrays, as those with masks do: functions of
 * NumPy keep what it adds. Files that are mapped are arrays like others. */
bool py_is_derived(PyObject *object);
/*
 * Reads an operand of an operator: an array, a number, or an object that says that it is an array
 * of NumPy's. 1: read, 0: something else, -1.
 */
int py_read_operand(stria_arg *out, struct call *call, PyObject *object);
/*
 * Reads an operand of an operation as a view, which lives as long as the call and number do; other
 * is NULL, or the second operand. Results are those of py_read_operand.
 */
int py_operand(const stria_view **out, stria_arg *number, struct call *call, stria_op op,
               PyObject *object, PyObject *other);
/* Makes a view of an operand; a number becomes a weak scalar, which points into arg. */
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
/* Tells _numpy.py once, as soon as NumPy is loaded, which then tells what it has (ufunc.c). */
void py_meet_numpy(void);
/* Makes an array of an object that acts as one, without a copy; NULL without an error if it does
 * not. */
PyObject *py_foreign_array(PyObject *object);

/* ---- how calls run (settings.c) -------------------------------------------------------------- */

/* Settings of with-statements for this thread, and the copies that it made. */
struct settings {
    int threads;
    stria_promotion rule;
    bool no_copies, counts; /* Copies are refused; copies are counted. */
    bool checked;           /* Integers must not wrap. */
    bool errors;            /* Division by 0, overflow and the like are noted (_errors.py). */
    int64_t copies, bytes;
    PyObject *creating; /* Makes arrays for the function that is recorded (_tape.py), or NULL. */
    PyObject *refusing; /* Refuses writes to other arrays while a function is recorded, or NULL. */
    stria_watch *watch; /* of the thread that imported the package: Ctrl-C ends its calls */
};
extern _Thread_local struct settings py_settings;
extern int py_watching; /* Number of threads that note errors; the GIL guards it. */
static inline bool py_notes_errors(void)
{
    return py_watching && py_settings.errors;
}
/* Has _errors.py call an operation and look at its results. out may be NULL. */
/* Passes a call that was refused for its arguments to _options.py; NULL with the first exception if
 * that does not help. */
PyObject *py_call_again(const char *name, PyObject *self, PyObject *const *args, Py_ssize_t given,
                        PyObject *names);
PyObject *py_watched(const char *name, int n, PyObject *const *operands, PyObject *out);
int py_settings_ready(PyObject *module);
/* Refuses to write into an object if it is an array with memory, and a function is recorded. */
int py_refuse_write(PyObject *object);
/* Refuses to write into out= of a call, or into the first operand if the call writes that. */
int py_refuse_writes(bool first, PyObject *self, PyObject *const *args, Py_ssize_t given,
                     PyObject *names);
static inline PyObject *py_as_number(PyObject *made)
{
    if (py_array(made)->ndim == 0 && py_settings.rule == STRIA_PROMOTE_NUMPY)
        py_array(made)->flags |= STRIA_READONLY;
    return made;
}
/* Returns the exec of a call. The settings of a thread are found by a call, which small calls make
 * only once. */
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
 * Notes that `what` copies, or copied, elements without computing anything: -1 with an exception if
 * that is forbidden.
 */
int py_note_copy(const char *what, const stria_view *view);

/* Runs stria_elementwise, or its checked variant if that is asked for and there is one. */
stria_status py_run_op(stria_op op, const stria_view *out, int n, const stria_view *const *operands,
                       const stria_exec *exec);
/* Tells whether this operation of a result dtype is checked now. */
bool py_is_checked(stria_op op, stria_dtype dtype);

enum { RELEASE_FROM = 32 << 10 /* Bytes for whose 20 us of work the GIL is released. */ };

/* Runs the statement, without the GIL if there is much to do. */
#define WITHOUT_GIL(bytes, statement)                                                              \
    do {                                                                                           \
        PyThreadState *const thread_ = (bytes) >= RELEASE_FROM ? PyEval_SaveThread() : NULL;       \
        statement;                                                                                 \
        if (thread_) PyEval_RestoreThread(thread_);                                                \
    } while (0)

/* ---- text (text.c) --------------------------------------------------------------------------- */

int py_text_ready(PyObject *module);
int py_graph_ready(PyObject *module); /* Defined in graph.c. */
int py_lazy_ready(PyObject *module);  /* Defined in lazy.c. */
/* Makes an array of the same layout that has no memory. */
PyObject *py_meta(PyObject *array);
int py_files_ready(PyObject *module);

/* ---- operations (operators.c, functions.c, index.c, buffer.c, dlpack.c) ---------------------- */

int py_functions_ready(PyObject *module);
bool py_is_lazy(PyObject *object); /* Tells whether it is a lazy array of _lazy.py. */
/* Makes an array of numbers, of nested lists, or of another object's memory; dtype NULL: its
 * own. */
PyObject *py_asarray(PyObject *object, const stria_dtype *dtype);
/* Has the function that is recorded make an array: a function of the registry by name, args, and
 * keywords, or NULL. */
PyObject *py_create_recorded(const char *name, PyObject *args, PyObject *keywords);
/* Calls a function of the registry by name with positional arguments. */
PyObject *py_call_named(const char *name, PyObject *const *args, Py_ssize_t count);
/* Runs one elementwise operation on n <= 3 operands, into a new array. */
PyObject *py_elementwise(stria_op op, int n, const stria_view *const *operands);
/* Does the same for n <= 2 objects that are arrays. */
PyObject *py_on_arrays(stria_op op, int n, PyObject *const *arrays);

/*
 * Compute an operator of two numbers or of one, arrays of no dims beside each other or beside
 * Python's numbers; NULL without an exception where the library has to (numbers.c).
 */
PyObject *py_on_numbers(stria_op op, PyObject *a, PyObject *b);
PyObject *py_on_number(stria_op op, PyObject *a);
/* Tells whether floats round as they do in the library, whatever another library has set. */
bool py_rounds_as_usual(void);
/* Writes a number to an element, a view of no dims. 1: written; 0: the library has to convert or
 * refuse it; -1. */
int py_write_number(const stria_view *at, PyObject *value);
/* Takes the types of NumPy's scalars from a dict, with a dtype for each. */
int py_numpy_scalars(PyObject *types);
/* Makes a view of a scalar of NumPy, which lives as long as the call; NULL without an exception for
 * other objects. */
const stria_view *py_scalar_view(struct call *call, PyObject *object);
/* Reads an integer of NumPy's as an index; false for other objects. */
bool py_index_of_scalar(int64_t *out, PyObject *object);
/* Makes the product of two arrays of few elements; NULL without an exception where the library has
 * to (direct.c). */
PyObject *py_small_product(PyObject *a, PyObject *b);

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

/* Returns the number of an array of one element. */
PyObject *py_item(const stria_view *a);
