/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of the language of text in an order that often means something. */
#pragma once

#include "input.h"
#include "stria/call.h"

static const char *const text_names[4] = {"x", "y", "m", "n"};

/* Beginnings of values, their continuations, and separators. */
static const char *const text_values[] = {"x",
                                          "y",
                                          "m",
                                          "n",
                                          "x",
                                          "y",
                                          "1",
                                          "2",
                                          "0",
                                          "-1",
                                          "3",
                                          "0.5",
                                          "2j",
                                          "True",
                                          "None",
                                          "...",
                                          "'C'",
                                          "f32",
                                          "np.int8",
                                          "pi",
                                          "7.5e3",
                                          "(x, y)",
                                          "[1, 0]",
                                          "(0,)",
                                          "()",
                                          "-x",
                                          "~y",
                                          "arange(5)",
                                          "zeros(2, 3)",
                                          "torch.float64",
                                          "9223372036854775807",
                                          "18446744073709551615",
                                          "99999999999999999999",
                                          "'sum'",
                                          "np.nan",
                                          "slice(1, 3)",
                                          "[[1, 2], [3, 4]]",
                                          "eye(3)",
                                          "'<f4'",
                                          "{'a': 1}",
                                          "[True, False]",
                                          "not x",
                                          "lambda"};
static const char *const text_after[] = {".T",
                                         "[0]",
                                         "[::-1]",
                                         "[..., None]",
                                         "[1:3]",
                                         ".sum()",
                                         ".sum(-1)",
                                         ".mean(0)",
                                         ".reshape(-1)",
                                         ".flatten()",
                                         ".shape",
                                         ".dtype",
                                         ".contiguous()",
                                         ".to(f64)",
                                         ".astype('i4')",
                                         ".unsqueeze(0)",
                                         ".exp()",
                                         ".abs()",
                                         ".add(1)",
                                         ".add_(1)",
                                         ".max(0)",
                                         ".split(2)",
                                         ".expand(3, -1)",
                                         "[x > 0]",
                                         "[[0, 1]]",
                                         ".cumsum(0)",
                                         ".permute_copy(0)",
                                         ".numel()",
                                         ".repeat(2, 2)",
                                         ".clamp(0, 2)",
                                         ".view(-1, 2)",
                                         ".unbind()",
                                         ".tolist()",
                                         ".conj()",
                                         ".real",
                                         ".std()",
                                         ".fill_(2)",
                                         ".squeeze()",
                                         ".median()",
                                         ".gather(0, n)",
                                         ".index_select(0, n)",
                                         "(0)"};
static const char *const text_between[] = {
    " + ", " - ", " * ",  " / ",   " // ", " % ", " ** ", " @ ", " < ", " <= ", " == ", " & ",
    " | ", " ^ ", " << ", " and ", " or ", ", ",  " ",    "=",   ":",   ")",    "(",    "]"};

#define SOME(in, list) (list)[take_below(in, (int)(sizeof(list) / sizeof *(list)))]

/* Puts the name of any function, or of a view. */
static inline void put_text_function(struct input *in, char *out, size_t size)
{
    const size_t byte = (size_t)take_below(in, 256), i = byte * 256 + (size_t)take_below(in, 256);
    (void)stria_function_name(out, size, NULL, stria_function_at(i % stria_function_count()));
}

static inline size_t put_text_value(struct input *in, char *out, size_t room, int depth)
{
    char function[80];
    if (room < 120 || depth > 3) return (size_t)snprintf(out, room, "x");
    size_t length = 0;
    switch (take_below(in, depth ? 6 : 3)) {
    case 0: /* f(a, b) or a.f(b) */
        put_text_function(in, function, sizeof function);
        if (take_below(in, 2)) {
            length += put_text_value(in, out, room - 80, depth + 1);
            length += (size_t)snprintf(out + length, room - length, ".%s(", function);
        } else {
            length += (size_t)snprintf(out, room, "%s(", function);
        }
        for (int i = take_below(in, 4); i > 0 && room - length > 200; i--) {
            length += put_text_value(in, out + length, room - length - 60, depth + 1);
            length += (size_t)snprintf(out + length, room - length, "%s", i > 1 ? ", " : "");
        }
        length += (size_t)snprintf(out + length, room - length, ")");
        break;
    case 1: /* (a + b) */
        length += (size_t)snprintf(out, room, "(");
        length += put_text_value(in, out + length, room / 2, depth + 1);
        length += (size_t)snprintf(out + length, room - length, "%s", SOME(in, text_between));
        length += put_text_value(in, out + length, room - length - 40, depth + 1);
        length += (size_t)snprintf(out + length, room - length, ")");
        break;
    default: length += (size_t)snprintf(out, room, "%s", SOME(in, text_values)); break;
    }
    for (int i = take_below(in, 3); i > 0 && room - length > 40; i--)
        length += (size_t)snprintf(out + length, room - length, "%s", SOME(in, text_after));
    return length;
}
