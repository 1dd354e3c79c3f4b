/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers as JSON: objects of jansson, owned by the caller. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "lang/eval.h"
#include "lang/failure.h"

/* Makes a string of text that may be no UTF-8. */
json_t *json_text(const char *text);
json_t *json_dtype(stria_dtype dtype);
json_t *json_integers(const int64_t *values, int n);
/* Makes a number, or what JSON has no numbers for: null of NaN, "inf" and "-inf". */
json_t *json_float(double x);
/* Makes {"ok":false,"error":{"code","message"}}; source NULL: no EXPR. */
json_t *json_failure(const struct failure *failure, const char *source);
/* Makes the value that an EXPR asked for: true, 5, [4,5], a text. */
json_t *json_answer(const struct value *value);
/* Makes {"ok":true,"steps":[...],"outputs":[...]}, without a plan. */
json_t *json_evaluation(struct evaluation *e);
/*
 * Makes the loop nest of the copy that the EXPR ends in, or null when there can be none. MEMORY
 * when it could not be found out.
 */
stria_status json_plan(json_t **out, const struct evaluation *e);

/* Tells whether a member is missing or null. */
static inline bool json_is_absent(const json_t *value)
{
    return !value || json_is_null(value);
}

/* Returns the result of json_pack; ends the program when memory is out. Strings are UTF-8. */
json_t *json_of(const char *format, ...);
/* Sets object[key] = value; ends the program when memory is out, as every call here does. */
void json_put(json_t *object, const char *key, json_t *value);
/* Print the object as one line, to a file or to stdout, and release it. */
void json_print_to(FILE *file, json_t *object);
void json_print(json_t *object);

/* Reads a file; *out is owned by the caller; path "-" is stdin. IO, or FORMAT with the line. */
stria_status json_read(json_t **out, const char *path, struct failure *failure);
