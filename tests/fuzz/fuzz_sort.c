/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys of any dtype, records of several fields in either byte order among them, from any bytes, in
 * lines of any layout. Functions that put elements in order must agree: places are a permutation,
 * with the elements that sorting gives; ranks and the numbers of different elements rise along
 * them, and equal elements keep their places in both directions; a part of a sorted line is the
 * same part. Among the different elements complex numbers with a NaN are one, but not in the order.
 */
#include <string.h>

#include "input.h"
#include "stria/stria.h"

enum { MOST = 40, LARGEST = 64, BYTES = 2 * MOST * LARGEST };

#define OK(call, name) MUST((call) == STRIA_OK, name)

static stria_dtype take_key(struct input *in, stria_dtype *record, bool *of_complex)
{
    static const char *const names[] = {"bool", "u8",    "i8",    "u16",  "i32",    "u64", "f16",
                                        "bf16", "f32",   "f64",   "c64",  "S1",     "S9",  "U2",
                                        "V3",   "M8[s]", "m8[D]", "c128", "f8e4m3", "i64"};
    enum { NAMES = sizeof names / sizeof *names };
    stria_dtype parts[3];
    const int64_t two = 2;
    for (int i = 0; i < 3; i++) {
        OK(stria_dtype_parse(&parts[i], names[take_below(in, NAMES)]), "dtype");
        if (take_once(in, 3)) parts[i] = stria_dtype_swap(parts[i]);
        *of_complex |= stria_dtype_is_complex(parts[i]);
    }
    if (take_once(in, 2)) return parts[0];
    const stria_field fields[] = {{"a", NULL, parts[0], STRIA_OFFSET_NEXT, 0, NULL},
                                  {"b", NULL, parts[1], STRIA_OFFSET_NEXT, take_once(in, 3), &two},
                                  {"c", NULL, parts[2], STRIA_OFFSET_NEXT, 0, NULL}};
    OK(stria_record_make(record, 1 + take_below(in, 3), fields, 0, take_once(in, 2)), "record");
    return *record;
}

/* Returns the result of an integer call at place i of a dense line. */
static int64_t at(const stria_array *a, int64_t i)
{
    return ((const int64_t *)(const void *)a->view.data)[i];
}

static bool same_item(const stria_array *a, int64_t i, const stria_array *b, int64_t k)
{
    const int64_t item = a->view.dtype.itemsize;
    return !memcmp(a->view.data + i * item, b->view.data + k * item, (size_t)item);
}

/* down: ranks fall along the places, except those of NaN elements, which are not known here. */
static void check_places(const stria_array *places, const stria_array *ranks, int64_t n, bool down)
{
    bool seen[MOST] = {false};
    for (int64_t i = 0; i < n; i++) {
        const int64_t place = at(places, i);
        MUST(place >= 0 && place < n && !seen[place], "a permutation");
        seen[place] = true;
        if (i == 0) continue;
        const int64_t before = at(places, i - 1), x = at(ranks, before), y = at(ranks, place);
        MUST(down || y >= x, "ranks rise");
        MUST(x != y || before < place, "equal elements keep their places");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static _Alignas(16) char memory[BYTES];
    struct input in = {data, size};
    stria_dtype record = {0};
    bool of_complex = false;
    const stria_dtype dtype = take_key(&in, &record, &of_complex);
    const int64_t n = take_below(&in, MOST + 1), item = dtype.itemsize;
    MUST(item <= LARGEST, "the memory is large enough");
    const int64_t step = take_once(&in, 3) ? -item : item * (1 + take_below(&in, 2));
    const bool few = take_once(&in, 2);
    const int64_t k = n ? take_below(&in, (int)n) : 0;
    stria_view a;
    stria_array line = {0}, places = {0}, down = {0}, sorted = {0}, ids = {0}, values = {0},
                ranks = {0}, lex = {0}, part = {0}, best = {0}, most = {0}, keys = {0};
    const stria_exec two = {.threads = 2};
    for (int i = 0; i < BYTES; i++)
        memory[i] = (char)(few ? take_below(&in, 3) * 0x7f : take_below(&in, 256));
    OK(stria_view_foreign(&a, memory + (step < 0 && n ? -step * (n - 1) : 0), dtype, 1, &n, &step,
                          0),
       "view");
    OK(stria_clone_ordered_new(&line, &a, STRIA_ORDER_C, NULL), "clone");
    OK(stria_argsort_new(&places, &a, 0, false, NULL), "argsort");
    OK(stria_argsort_new(&down, &a, 0, true, NULL), "argsort down");
    OK(stria_sort_new(&sorted, &a, 0, false, &two), "sort");
    OK(stria_unique_new(&values, NULL, &ids, NULL, &a, true, NULL), "unique");
    OK(stria_rank_new(&ranks, &a, 0, STRIA_RANK_DENSE, NULL), "rank");
    OK(stria_lexsort_new(&lex, 2, (const stria_view *[]){&a, &a}, 0, NULL), "lexsort");
    OK(stria_take_new(&keys, &a, &places.view, STRIA_INDEX_RAISE, NULL), "take");
    check_places(&places, &ranks, n, false);
    check_places(&down, &ranks, n, true);
    for (int64_t i = 0; i < n; i++) {
        MUST(at(&lex, i) == at(&places, i), "lexsort");
        MUST(of_complex || at(&ranks, i) == at(&ids, i) + 1, "ranks");
        for (int64_t j = 0; j < i; j++)
            MUST(at(&ranks, i) != at(&ranks, j) || at(&ids, i) == at(&ids, j), "equal elements");
        MUST(dtype.swapped || same_item(&sorted, i, &keys, i), "sorted");
    }
    if (n > 0) {
        OK(stria_argpartition_new(&part, &a, k, 0, NULL), "argpartition");
        MUST(at(&part, k) == at(&places, k), "the element of place k");
        OK(stria_empty(&best, stria_dtype_of(STRIA_I64), 1, &k), "empty");
        OK(stria_empty(&most, dtype, 1, &k), "empty");
        OK(stria_topk(&most.view, &best.view, &a, k, 0, false, NULL), "topk");
        for (int64_t i = 0; i < k; i++)
            MUST(at(&best, i) == at(&places, i) && same_item(&most, i, &sorted, i), "topk");
    }
    stria_array *const all[] = {&line,  &places, &down, &sorted, &ids,  &values,
                                &ranks, &lex,    &part, &best,   &most, &keys};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stria_array_release(all[i]);
    stria_dtype_release(record);
    return 0;
}
