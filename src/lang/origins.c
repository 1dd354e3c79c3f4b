/* SPDX-License-Identifier: BSD-3-Clause */
#include "origins.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct origin {
    unsigned origins;
    const char *names; /* Each name has a space in front. */
};

/*
 * Who has a parameter by each of its names, for parameters with several. "function:parameter" is an
 * exception for the row that begins with that function's name.
 */
static const struct origin parameters[] = {
    {STRIA_IN_TORCH | STRIA_IN_NUMPY | STRIA_IN_ARRAY_API,
     " correction max min ord reshape:shape rtol"},
    {STRIA_IN_NUMPY | STRIA_IN_ARRAY_API, " arrays axes axis k keepdims x x1 x2 take:indices"},
    {STRIA_IN_TORCH | STRIA_IN_NUMPY,
     " element test_elements tensordot:a tensordot:b"
     " unravel_index:indices linalg.lstsq:rcond linalg.matrix_rank:A"},
    {STRIA_IN_TORCH,
     " diagonal dim dim1 dim2 dimension dims elements end equation index indices input"
     " interpolation keepdim length mat2 mean memory_format other p repeats sections shifts"
     " size sorted_sequence source sparse_dim split_size split_size_or_sections src std"
     " tensor tensor_indices_or_sections tensors value vec vec2 vecdot:x vecdot:y"},
    {STRIA_IN_NUMPY,
     " a a1 a2 a_max a_min ar args array arys axis1 axis2 b data ddof dst ind"
     " indices_or_sections loc method rcond prototype reps scale tup v xi y dot:other random:size"
     " where:x arr cov:m gradient:f gradient:varargs new_shape ravel_multi_index:dims"},
    {STRIA_IN_ARRAY_API, " argsort:x diff:x linalg.matrix_rank:x linalg.pinv:x isin:x1 isin:x2 "
                         "searchsorted:x1 searchsorted:x2 sort:x"},
    {0, " bmm:other copy_:other count_nonzero:keepdim cumprod:x cumsum:x cumulative_prod:a"
        " cumulative_sum:a nancumsum:x nancumprod:x float_power:other heaviside:other mm:other "
        "mv:other"
        " linalg.lstsq:rtol linalg.matrix_rank:rcond norm:a outer:other pow:other top_k:x "
        "unfold:dim vecdot:other view:axis view:dim"},
};

/* Advice for names that no row has; names are joined by | if it is the same. */
static const struct {
    const char *names, *write;
} elsewhere[] = {
    {"append", "cat((x, y))"},
    {"delete", "cat((x[:i], x[i + 1:]))"},
    {"insert", "cat((x[:i], y, x[i:]))"},
    {"softmax", "(x - x.logsumexp(-1, keepdim=True)).exp()"},
    {"log_softmax", "x - x.logsumexp(-1, keepdim=True)"},
    {"normalize", "x / x.norm(dim=-1, keepdim=True)"},
    {"layer_norm",
     "(x - x.mean(-1, keepdim=True)) * (x.var(-1, keepdim=True, correction=0) + 1e-5).rsqrt()"},
    {"mse_loss", "(x - y).square().mean()"},
    {"l1_loss", "(x - y).abs().mean()"},
    {"dist", "(x - y).norm()"},
    {"cdist", "(x[:, None] - y).norm(dim=-1)"},
    {"trapezoid|trapz", "((y[1:] + y[:-1]) * diff(x)).sum() / 2"},
    {"ediff1d", "diff(x.ravel())"},
    {"avg_pool1d", "x.unfold(-1, n, n).mean(-1)"},
    {"max_pool1d", "x.unfold(-1, n, n).max(-1)"},
    {"clamp_min", "maximum(x, y)"},
    {"clamp_max", "minimum(x, y)"},
    {"rsub", "y - x"},
    {"one_hot", "x[..., None] == arange(n)"},
    {"flatnonzero", "nonzero(x.ravel())"},
    {"embedding", "x[y], where y is an array of indices"},
    {"identity", "eye(n)"},
    {"logspace", "10.0 ** np.linspace(a, b, n)"},
    {"bernoulli", "rand(n, seed=1) < p"},
    {"choice|multinomial", "x[randint(0, x.shape[0], (n,), seed=1)], which draws with repetition"},
    {"shuffle", "permutation(x)"},
    {"intersect1d", "unique(x[isin(x, y)])"},
    {"setdiff1d", "unique(x[~isin(x, y)])"},
    {"union1d", "unique(cat((x.ravel(), y.ravel())))"},
    {"piecewise", "x.where(a, y.where(b, z))"},
    {"geomspace", "exp(np.linspace(log(a), log(b), n))"},
    {"vander", "x[:, None] ** arange(n - 1, -1, -1)"},
    {"tril_indices", "np.nonzero(tri(n))"},
    {"triu_indices", "np.nonzero(tri(n).T)"},
    {"apply_along_axis", "x.sum(axis=0), where the op takes an axis"},
    {"unique_consecutive", "x[1:][x[1:] != x[:-1]], and the first element"},
};

enum { PARAMETERS = sizeof parameters / sizeof *parameters };
enum { ELSEWHERE = sizeof elsewhere / sizeof *elsewhere };

/* Tells whether the name is one of the words, each of which has a space in front. */
static bool has_word(const char *words, struct text_span name)
{
    for (const char *at = words; (at = strchr(at, ' '));)
        if (!strncmp(++at, name.text, name.length) && strchr(" ", at[name.length])) return true;
    return false;
}

/* Returns who has the parameter by that name; -1 if it stands in none of the texts. */
static int find_parameter(struct text_span name)
{
    for (size_t i = 0; i < PARAMETERS; i++)
        if (has_word(parameters[i].names, name)) return (int)parameters[i].origins;
    return -1;
}

/* Returns who has the names that functions.def marks with that letter. */
static unsigned origins_of(char letter)
{
    switch (tolower((unsigned char)letter)) {
    case 'a': return STRIA_IN_TORCH | STRIA_IN_NUMPY | STRIA_IN_ARRAY_API;
    case 'b': return STRIA_IN_TORCH | STRIA_IN_NUMPY;
    case 't': return STRIA_IN_TORCH;
    case 's': return STRIA_IN_NUMPY | STRIA_IN_ARRAY_API;
    case 'n': return STRIA_IN_NUMPY;
    case 'i': return STRIA_IN_ARRAY_API;
    default: return 0;
    }
}

unsigned stria__origins(const struct function *row, struct text_span name, bool copied)
{
    if (!*row->whose) return 0;
    if (copied) name.length -= strlen("_copy");
    const char letter = row->whose[stria__span_place(stria__signature_names(row->signature), name)];
    if (copied) return isupper((unsigned char)letter) ? STRIA_IN_TORCH : 0;
    return origins_of(letter);
}

unsigned stria__parameter_origins(const struct function *row, const struct param *parameter,
                                  struct text_span name)
{
    struct text_span names = stria__signature_names(row->signature);
    const struct text_span first = stria__span_first(names);
    char text[80];
    if (stria__span_first(parameter->names).length == parameter->names.length) return 0;
    const int n = snprintf(text, sizeof text, "%.*s:%.*s", (int)first.length, first.text,
                           (int)name.length, name.text);
    int found = find_parameter((struct text_span){text, (size_t)n});
    unsigned of_row = 0;
    if (found < 0) found = find_parameter(name);
    while (names.length)
        of_row |= stria__origins(row, stria__span_take(&names), false);
    return found < 0 ? 0 : (unsigned)found & of_row;
}

const char *stria_function_elsewhere(const char *name)
{
    if (!name) return NULL;
    for (size_t i = 0; i < ELSEWHERE; i++)
        if (stria__span_has((struct text_span){elsewhere[i].names, strlen(elsewhere[i].names)},
                            name))
            return elsewhere[i].write;
    return NULL;
}
