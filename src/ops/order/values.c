/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers of 8 and many of 16 bits are counted. Other numbers are sorted by keys. */
#include "ops/order/values.h"

#include "base/integers.h"
#include "machine/families.h"
#include "ops/order/sort_keys.h"
#include "simd/kernels.h"
#include "simd/tuning.h"

/*
 * From so many elements on, counting takes less time than sorting (Zen 5). AT_ONCE: keys of short
 * lines that are made at once, which stay in the first-level cache.
 */
enum { COUNTED_1 = 768, COUNTED_2 = 1 << 17, AT_ONCE = 2048 };

/*
 * Lines that are sorted. `keys` are in the output or in the room, each of its uses of which is
 * there only where it is needed.
 */
struct values {
    const struct value_sort *how;
    char *out;
    const char *in;
    char *keys, *apart;
    struct value_form form; /* of the keys */
    struct key_sort line;
    bool odd[CREW_MOST];
    struct apart parts[CREW_MOST];
};

/* Keys are not in the output where they are larger, or where a radix sort counts them. */
static bool are_apart(const struct value_form *f)
{
    return f->size < f->key || !stria__sort()->sort[f->key == 8];
}

bool stria__value_sort(struct value_sort *out, stria_kind kind, int64_t n, int64_t lines,
                       bool descending, struct crew crew)
{
    struct value_form *const f = &out->form;
    *out = (struct value_sort){.n = n, .rows = 1, .crew = crew, .is_bool = kind == STRIA_BOOL};
    if (!stria__value_form(f, kind, descending)) return false;
    if (n < CREW_LEAST) out->crew.threads = 1;
    out->counted =
        f->size < 4 && f->bits.infinity == 0 && n >= (f->size == 1 ? COUNTED_1 : COUNTED_2);
    if (out->is_bool || out->counted) {
        out->room = stria__counting_size(out);
        return true;
    }
    out->real =
        kind == STRIA_F64 && !descending && out->crew.threads == 1 && stria__sort()->sort[KEY_REAL];
    if (n > 0 && n < AT_ONCE) out->rows = least(lines, AT_ONCE / n);
    const int64_t line = round_up(n * f->key, LINE), all = round_up(out->rows * n * f->key, LINE);
    out->room = (are_apart(f) ? all : 0) + (f->unites ? line : 0) +
                (stria__wants_spare(f->key, out->crew) ? line : 0) +
                stria__key_room(n, f->key, false, out->crew);
    return true;
}

/* Divides the room among its uses, as stria__value_sort counts them. */
static void give_room(struct values *v, char *room)
{
    const struct value_sort *const how = v->how;
    const int64_t key = how->form.key, line = round_up(how->n * key, LINE);
    v->keys = v->out;
    if (are_apart(&how->form)) {
        v->keys = room;
        room += round_up(how->rows * how->n * key, LINE);
    }
    v->apart = room;
    room += how->form.unites ? line : 0;
    v->line = (struct key_sort){.spare = room, .size = (int)key};
    v->line.room = room + (stria__wants_spare((int)key, how->crew) ? line : 0);
}

static void make_keys(void *data, int64_t part, struct share range)
{
    struct values *const v = data;
    const struct value_form *const f = &v->form;
    v->odd[part] = stria__make_keys(f, v->keys + range.first * f->key,
                                    v->in + range.first * f->size, range.last - range.first);
}

static void make_numbers(void *data, int64_t part, struct share range)
{
    const struct values *const v = data;
    const struct value_form *const f = &v->how->form;
    (void)part;
    stria__make_numbers(f, v->out + range.first * f->size, v->keys + range.first * f->key,
                        range.last - range.first);
}

static void set_part_apart(void *data, int64_t part, struct share range)
{
    struct values *const v = data;
    const int64_t first = range.first * v->line.size;
    v->parts[part] = stria__set_apart(&v->how->form, v->line.keys + first, v->apart + first,
                                      range.last - range.first);
}

/* Sorts a line that has NaN or -0. */
static void sort_odd(struct values *v)
{
    const struct value_sort *const how = v->how;
    const int parts = stria__divide(&how->crew, how->n, set_part_apart, v);
    stria__sort_keys(&v->line, how->n, &how->crew);
    stria__put_back(&how->form, v->line.keys, how->n, v->apart, v->parts, parts);
}

/* Makes keys of n numbers; tells whether there are NaN or -0. */
static bool make_all_keys(struct values *v, int64_t n)
{
    const int parts = stria__divide(&v->how->crew, n, make_keys, v);
    bool odd = false;
    for (int i = 0; i < parts; i++)
        odd |= v->odd[i];
    return odd;
}

/* Sorts lines of which keys are made at once. */
static void sort_lines(struct values *v, int64_t lines)
{
    const struct value_sort *const how = v->how;
    const struct value_form *const f = &how->form;
    const struct sort_kernels *const kernels = stria__sort();
    const int64_t numbers = lines * how->n, step = how->n * f->key;
    v->form = *f;
    if (how->real) v->form.bits.magnitude = 0; /* keys are the numbers */
    const bool odd = make_all_keys(v, numbers), real = how->real && !odd;
    if (how->real && odd) {
        v->form = *f;
        (void)make_all_keys(v, numbers);
    }
    const int k = real ? KEY_REAL : f->key == 8 ? KEY_8 : KEY_4;
    const bool alone = how->crew.threads == 1 && kernels->sort[k] && !odd;
    const bool at_once = real || (alone && lines == 1 && f->size == f->key);
    if (alone && lines > 1 && how->n <= SHORT_ROW) {
        kernels->sort_rows[k](v->keys, lines, how->n);
    } else {
        v->line.keys = v->keys;
        for (int64_t i = 0; i < lines; i++, v->line.keys += step)
            if (alone)
                kernels->sort[k](v->line.keys, how->n, at_once && !f->same ? &f->bits : NULL);
            else if (odd)
                sort_odd(v);
            else
                stria__sort_keys(&v->line, how->n, &how->crew);
    }
    if (!at_once) (void)stria__divide(&how->crew, numbers, make_numbers, v);
}

void stria__sort_values(const struct value_sort *how, char *out, const char *in, int64_t lines,
                        char *room)
{
    const int64_t step = how->n * how->form.size;
    struct values v; /* most of it stays unused, so it is not cleared */
    v.how = how;
    for (int64_t i = 0, n; i < lines; i += n) {
        n = least(how->rows, lines - i);
        v.out = out + i * step;
        v.in = in + i * step;
        if (how->is_bool || how->counted) {
            stria__sort_by_counts(how, v.out, v.in, room);
            continue;
        }
        give_room(&v, room);
        sort_lines(&v, n);
    }
}
