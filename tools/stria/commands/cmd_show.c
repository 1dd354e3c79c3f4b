/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria show FILE... [EXPR]. */
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "over_files.h"
#include "stria/eval.h"
#include "stria/format.h"
#include "stria/png.h"
#include "stria/view.h"
#include "target.h"
#include "tool.h"

struct picture {
    const char *path; /* NULL: no picture is wanted. */
    int map;          /* Value 2 means gray, instead of colours. */
    bool ranged; /* Colours go from low to high; else from the least to the largest finite value. */
    double low, high;
};

struct show {
    struct over_files o;
    int64_t precision, threshold, edge, width;
    bool suppress, all;
    stria_format_options options; /* Options that these stand for. */
    int shown;
    struct picture picture;
};

static int take_range(void *request, const char *text)
{
    struct picture *const p = &((struct show *)request)->picture;
    char *end, *after = NULL;
    p->low = strtod(text, &end);
    p->high = end != text && *end == ',' ? strtod(end + 1, &after) : 0;
    p->ranged = after && after != end + 1 && !*after && p->low < p->high;
    if (p->ranged && isfinite(p->high - p->low)) return -1;
    return usage_error("--range wants two numbers, LOW,HIGH, not '%.60s'", text);
}

/* Makes colours close to viridis, by polynomials of degree 6. */
static void make_map(unsigned char map[256][3], bool gray)
{
    static const double c[7][3] = {{0.2777273272234177, 0.005407344544966578, 0.3340998053353061},
                                   {0.1050930431085774, 1.404613529898575, 1.384590162594685},
                                   {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
                                   {-4.634230498983486, -5.799100973351585, -19.33244095627987},
                                   {6.228269936347081, 14.17993336680509, 56.69055260068105},
                                   {4.776384997670288, -13.74514537774601, -65.35303263337234},
                                   {-5.435455855934631, 4.645852612178535, 26.3124352495832}};
    for (int i = 0; i < 256; i++)
        for (int k = 0; k < 3; k++) {
            double y = 0;
            for (int power = 6; power >= 0; power--)
                y = y * (i / 255.0) + c[power][k];
            map[i][k] = (unsigned char)(gray ? i : lrint(255 * fmin(fmax(y, 0), 1)));
        }
}

/* Makes the only array that the text gives for x, low, high and the map; results own it. */
static stria_status make_by_text(stria_results *results, const stria_view **out, const char *text,
                                 const stria_view views[4])
{
    const stria_named names[] = {
        {"x", &views[0]}, {"low", &views[1]}, {"high", &views[2]}, {"map", &views[3]}};
    STRIA_TRY(stria_eval(results, text, 4, names, NULL));
    *out = &stria_results_at(results, 0)->view;
    return STRIA_OK;
}

static stria_status find_range(struct picture *p, const stria_view views[4])
{
    const struct {
        const char *text;
        double *to;
    } ends[] = {{"np.min(x.to(f64), where=np.isfinite(x.to(f64)), initial=low)", &p->low},
                {"np.max(x.to(f64), where=np.isfinite(x.to(f64)), initial=high)", &p->high}};
    if (!p->ranged) {
        p->low = (double)INFINITY;
        p->high = (double)-INFINITY;
    }
    for (int i = 0; i < 2 && !p->ranged; i++) {
        stria_results results = {0};
        const stria_view *number;
        STRIA_TRY(make_by_text(&results, &number, ends[i].text, views));
        *ends[i].to = *(const double *)(const void *)number->data;
        stria_results_release(&results);
    }
    return STRIA_OK;
}

static bool no_signal_waits(void *context, int64_t bytes)
{
    (void)context, (void)bytes;
    return !interrupt_waits();
}

/* Writes a picture. A signal ends the writing, and then the program: the library removes its
 * temporary file first. */
static stria_status write_png(const char *path, const stria_view *a)
{
    stria_watch watch = {.go_on = no_signal_waits};
    const stria_exec exec = {.watch = &watch};
    interrupt_hold();
    const stria_status status = stria_png_write(path, a, &exec);
    interrupt_let_go();
    return status;
}

static stria_status write_steps(const char *path, struct picture *p, const stria_view *a)
{
    unsigned char map[256][3];
    stria_view views[4] = {*a};
    stria_results results = {0};
    const stria_view *made;
    const bool one = a->ndim == 2 || a->shape[2] == 1;
    make_map(map, p->map == 2);
    if (a->ndim == 3 && one) STRIA_TRY(stria_select(&views[0], a, 2, 0));
    STRIA_TRY(stria_view_foreign(&views[1], &p->low, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    STRIA_TRY(stria_view_foreign(&views[2], &p->high, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    STRIA_TRY(stria_view_foreign(&views[3], map, stria_dtype_of(STRIA_U8), 2,
                                 (const int64_t[]){256, 3}, NULL, 0));
    STRIA_TRY(find_range(p, views));
#define STEPS "np.nan_to_num(((x.to(f64) - low) * (255 / (high - low))).clip(0, 255).round())"
    STRIA_TRY(
        make_by_text(&results, &made, one ? "map[" STEPS ".to(i64)]" : STEPS ".to(u8)", views));
    const stria_status status = write_png(path, made);
    stria_results_release(&results);
    return status;
}

static stria_status picture_write(const char *path, const struct picture *picture,
                                  const stria_view *a, struct failure *failure)
{
    struct picture p = *picture;
    if (a->ndim < 2 || a->ndim > 3 || (a->ndim == 3 && (a->shape[2] < 1 || a->shape[2] > 4)))
        return stria__fail_request(failure, STRIA_ERR_SHAPE,
                                   "--image: a picture is (height, width) or (height, width, 1 to "
                                   "4), this array has %d dims; an EXPR takes a part of it",
                                   a->ndim);
    const bool stays = a->ndim == 3 && a->shape[2] > 1 && !p.ranged &&
                       (a->dtype.kind == STRIA_U8 || a->dtype.kind == STRIA_U16);
    const stria_status status = stays ? write_png(path, a) : write_steps(path, &p, a);
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}

#define TO(member) offsetof(struct show, member)
static const struct flag flags[] = {
    OVER_FILES_FLAGS,
    {.name = "precision", .kind = FLAG_NUMBER, .to = TO(precision), .low = -1, .high = 400},
    {.name = "threshold", .kind = FLAG_NUMBER, .to = TO(threshold), .low = 0, .high = INT64_MAX},
    {.name = "edge", .kind = FLAG_NUMBER, .to = TO(edge), .low = 0, .high = 1 << 30},
    {.name = "width", .kind = FLAG_NUMBER, .to = TO(width), .low = 0, .high = INT_MAX},
    {.name = "suppress", .kind = FLAG_TRUE, .to = TO(suppress)},
    {.name = "all", .kind = FLAG_TRUE, .to = TO(all)},
    {.name = "image", .kind = FLAG_TEXT, .to = TO(picture.path)},
    {.name = "map", .kind = FLAG_WORD, .to = TO(picture.map), .words = "viridis gray"},
    {.name = "range", .kind = FLAG_CALL, .take = take_range},
    {0}};

static bool to_stdout(void *context, const char *text, size_t size)
{
    (void)context;
    return fwrite(text, 1, size, stdout) == size;
}

static stria_status print_text(struct show *show, const stria_view *a)
{
    const struct over_files *const o = &show->o;
    if (o->files > 1) (void)printf("%sfile  %s\n", show->shown ? "\n" : "", source_name(o->path));
    show->shown++;
    if (!a) {
        report_value(stdout, o->answer);
        (void)putchar('\n');
        return STRIA_OK;
    }
    const stria_status status = stria_format_to(to_stdout, NULL, a, &show->options, NULL);
    if (status == STRIA_OK) (void)putchar('\n');
    return status;
}

static stria_status print_json(const struct show *show, const stria_view *a)
{
    size_t length;
    json_t *const file = json_text(show->o.path);
    if (!a) {
        json_print(json_of("{s:b,s:o,s:o}", "ok", true, "file", file, "answer",
                           json_answer(show->o.answer)));
        return STRIA_OK;
    }
    STRIA_TRY(stria_format(NULL, 0, &length, a, &show->options, NULL));
    char *const text = must_malloc(length + 1);
    const stria_status status = stria_format(text, length + 1, NULL, a, &show->options, NULL);
    if (status == STRIA_OK)
        json_print(json_of("{s:b,s:o,s:o,s:o,s:o}", "ok", true, "file", file, "dtype",
                           json_dtype(a->dtype), "shape", json_integers(a->shape, a->ndim), "text",
                           json_text(text)));
    free(text);
    return status;
}

static stria_status draw_picture(struct show *show, const stria_view *a, struct failure *failure)
{
    char *path;
    if (!a) return stria__fail_request(failure, STRIA_ERR_ARGUMENT, "--image is of an array");
    if (show->o.files > 1 && !strchr(show->picture.path, '{'))
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "--image: several FILEs would be written to one picture; use "
                                   "{stem}, {name}, {dir} or {n} in its name");
    STRIA_TRY(target_name(&path, show->picture.path, show->o.path, (size_t)++show->shown, failure));
    STRIA_TRY(picture_write(path, &show->picture, a, failure));
    if (!common.quiet) (void)printf("wrote %s\n", path);
    return STRIA_OK;
}

/* Shows an array. Failures of stdout are reported when the command ends. */
static stria_status show_one(struct over_files *o, const stria_view *a, struct failure *failure)
{
    struct show *const show = (struct show *)o;
    if (show->picture.path) return draw_picture(show, a, failure);
    const stria_status status = o->json ? print_json(show, a) : print_text(show, a);
    if (status == STRIA_OK || ferror(stdout)) return STRIA_OK;
    return stria__fail_library(failure, status, NO_PLACE);
}

/* The library's options for text, which are NumPy's, are those of the command. */
static void prepare_show(void *request, int argc, char **argv)
{
    struct show *const show = request;
    stria_format_options *const f = &show->options;
    (void)argc, (void)argv;
    stria_format_defaults(f);
    show->precision = f->precision;
    show->threshold = f->threshold;
    show->edge = f->edgeitems;
    show->width = f->linewidth;
}

static bool is_png(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcasecmp(path + length - 4, ".png") == 0;
}

static int run_show(void *request, int argc, char **argv)
{
    struct show *const show = request;
    stria_format_options *const f = &show->options;
    f->precision = (int)show->precision;
    f->threshold = show->all ? INT64_MAX : show->threshold;
    f->edgeitems = show->edge;
    f->linewidth = (int)show->width;
    f->suppress = show->suppress;
    if (show->picture.path && !is_png(show->picture.path))
        return usage_error("--image: '%.280s' does not end in .png, as pictures do",
                           show->picture.path);
    return over_files(request, argc, argv);
}

const struct command show_command = {
    .name = "show",
    .summary = "print the values of an array, as NumPy prints them",
    .flags = flags,
    .ops = true,
    .raw = true,
    .joins = true,
    .size = sizeof(struct show),
    .usual = &(const struct show){.o = {.act = show_one, .asks = true}},
    .prepare = prepare_show,
    .run = run_show,
};
