/* SPDX-License-Identifier: BSD-3-Clause */
/* stria show FILE... [EXPR] */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <stdlib.h>

#include "json.h"
#include "lang/failure.h"
#include "must.h"
#include "over_files.h"
#include "report.h"
#include "stria/eval.h"
#include "stria/format.h"
#include "stria/png.h"
#include "stria/view.h"
#include "target.h"

struct picture {
    const char *path; /* NULL: none is wanted */
    bool gray;        /* instead of colours */
    bool ranged;      /* from low to high; else from the least to the largest finite value */
    double low, high;
};

static bool picture_range(struct picture *out, const char *text)
{
    char *end;
    out->low = strtod(text, &end);
    if (end == text || *end != ',') return false;
    const char *const second = end + 1;
    out->high = strtod(second, &end);
    out->ranged = true;
    return end != second && !*end && out->low < out->high && isfinite(out->high - out->low);
}

/* Colours close to viridis, by polynomials of degree 6. */
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

/* The only array that the text makes of x, low, high and the map; results own it. */
static stria_status make(stria_results *results, const stria_view **out, const char *text,
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
        STRIA_TRY(make(&results, &number, ends[i].text, views));
        *ends[i].to = *(const double *)(const void *)number->data;
        stria_results_release(&results);
    }
    return STRIA_OK;
}

static stria_status write_steps(const char *path, struct picture *p, const stria_view *a)
{
    unsigned char map[256][3];
    stria_view views[4] = {*a};
    stria_results results = {0};
    const stria_view *made;
    const bool one = a->ndim == 2 || a->shape[2] == 1;
    make_map(map, p->gray);
    if (a->ndim == 3 && one) STRIA_TRY(stria_select(&views[0], a, 2, 0));
    STRIA_TRY(stria_view_foreign(&views[1], &p->low, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    STRIA_TRY(stria_view_foreign(&views[2], &p->high, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    STRIA_TRY(stria_view_foreign(&views[3], map, stria_dtype_of(STRIA_U8), 2,
                                 (const int64_t[]){256, 3}, NULL, 0));
    STRIA_TRY(find_range(p, views));
#define STEPS "np.nan_to_num(((x.to(f64) - low) * (255 / (high - low))).clip(0, 255).round())"
    STRIA_TRY(make(&results, &made, one ? "map[" STEPS ".to(i64)]" : STEPS ".to(u8)", views));
    const stria_status status = stria_png_write(path, made, NULL);
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
    const stria_status status = stays ? stria_png_write(path, a, NULL) : write_steps(path, &p, a);
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}

static int run_show(int argc, char **argv);

enum {
    SHOW_PRECISION = OVER_OWN,
    SHOW_THRESHOLD,
    SHOW_EDGE,
    SHOW_WIDTH,
    SHOW_SUPPRESS,
    SHOW_ALL,
    SHOW_IMAGE,
    SHOW_MAP,
    SHOW_RANGE
};
static const struct option own_options[] = {OVER_FILES_OPTIONS,
                                            {"precision", required_argument, NULL, SHOW_PRECISION},
                                            {"threshold", required_argument, NULL, SHOW_THRESHOLD},
                                            {"edge", required_argument, NULL, SHOW_EDGE},
                                            {"width", required_argument, NULL, SHOW_WIDTH},
                                            {"suppress", no_argument, NULL, SHOW_SUPPRESS},
                                            {"all", no_argument, NULL, SHOW_ALL},
                                            {"image", required_argument, NULL, SHOW_IMAGE},
                                            {"map", required_argument, NULL, SHOW_MAP},
                                            {"range", required_argument, NULL, SHOW_RANGE},
                                            {0}};

const struct command show_command = {
    .name = "show",
    .summary = "print the values of an array, as NumPy prints them",
    .options = own_options,
    .letters = "",
    .ops = true,
    .raw = true,
    .joins = true,
    .run = run_show,
};

struct show {
    stria_format_options options;
    int shown;
    struct picture picture;
};

static bool to_stdout(void *context, const char *text, size_t size)
{
    (void)context;
    return fwrite(text, 1, size, stdout) == size;
}

static stria_status print_text(const struct over_files *o, const stria_view *a, struct show *show)
{
    if (o->files > 1) (void)printf("%sfile  %s\n", show->shown ? "\n" : "", source_name(o->path));
    show->shown++;
    if (!a) {
        report_value(stdout, o->answer);
        (void)putchar('\n');
        return STRIA_OK;
    }
    const stria_status status = stria_format_to(to_stdout, NULL, a, &show->options);
    if (status == STRIA_OK) (void)putchar('\n');
    return status;
}

static stria_status print_json(const struct over_files *o, const stria_view *a,
                               const stria_format_options *options)
{
    size_t length;
    STRIA_TRY(stria_format(NULL, 0, &length, a, options));
    struct pool pool = {0};
    char *text = must_take_array(&pool, length + 1, 1);
    const stria_status status = stria_format(text, length + 1, NULL, a, options);
    if (status == STRIA_OK) {
        json_t *object = json_object();
        json_put(object, "ok", json_true());
        json_put(object, "file", json_text(o->path));
        json_put(object, "dtype", json_dtype(a->dtype));
        json_put(object, "shape", json_integers(a->shape, a->ndim));
        json_put(object, "text", json_text(text));
        json_print(object);
    }
    stria__pool_free(&pool);
    return status;
}

static void print_json_answer(const struct over_files *o)
{
    json_t *object = json_object();
    json_put(object, "ok", json_true());
    json_put(object, "file", json_text(o->path));
    json_put(object, "answer", json_answer(o->answer));
    json_print(object);
}

static stria_status draw(struct over_files *o, const stria_view *a, const struct show *show,
                         struct failure *failure)
{
    char *path;
    if (!a) return stria__fail_request(failure, STRIA_ERR_ARGUMENT, "--image is of an array");
    STRIA_TRY(
        target_name(&path, show->picture.path, o->path, (size_t)show->shown, &o->pool, failure));
    STRIA_TRY(picture_write(path, &show->picture, a, failure));
    if (!common.quiet) (void)printf("wrote %s\n", path);
    return STRIA_OK;
}

/* What stdout does not take is reported where the command ends. */
static stria_status show_one(struct over_files *o, const stria_view *a, void *own,
                             struct failure *failure)
{
    struct show *const show = own;
    if (show->picture.path) {
        show->shown++;
        return draw(o, a, show, failure);
    }
    if (!a && o->json) {
        print_json_answer(o);
        return STRIA_OK;
    }
    const stria_status status = o->json ? print_json(o, a, &show->options) : print_text(o, a, show);
    if (status == STRIA_OK || ferror(stdout)) return STRIA_OK;
    return stria__fail_library(failure, status, NO_PLACE);
}

/* The options of pictures; false, with a complaint, where one is wrong. */
static bool take_picture(struct picture *picture, int option)
{
    const bool map = option == SHOW_MAP;
    if (option == SHOW_IMAGE) {
        picture->path = optarg;
        return true;
    }
    if (map) picture->gray = !strcmp(optarg, "gray");
    if (map ? picture->gray || !strcmp(optarg, "viridis") : picture_range(picture, optarg))
        return true;
    (void)usage_error(&show_command,
                      map ? "--map is viridis or gray, not '%.60s'"
                          : "--range wants two numbers, LOW,HIGH, not '%.60s'",
                      optarg);
    return false;
}

/* Takes one of show's own options; false, with a complaint, when its number is none. */
static bool take_option(struct show *show, int option)
{
    stria_format_options *const options = &show->options;
    static const struct {
        const char *name;
        int64_t low, high;
    } numbers[] = {[SHOW_PRECISION] = {"--precision", -1, 400},
                   [SHOW_THRESHOLD] = {"--threshold", 0, INT64_MAX},
                   [SHOW_EDGE] = {"--edge", 0, 1 << 30},
                   [SHOW_WIDTH] = {"--width", 0, INT_MAX}};
    int64_t number;
    if (option >= SHOW_IMAGE) return take_picture(&show->picture, option);
    if (option == SHOW_SUPPRESS || option == SHOW_ALL) {
        options->suppress |= option == SHOW_SUPPRESS;
        if (option == SHOW_ALL) options->threshold = INT64_MAX;
        return true;
    }
    if (!read_integer(&number, optarg, numbers[option].low, numbers[option].high)) {
        (void)usage_error(&show_command, "%s takes an integer from %lld to %lld, not '%.40s'",
                          numbers[option].name, (long long)numbers[option].low,
                          (long long)numbers[option].high, optarg);
        return false;
    }
    switch (option) {
    case SHOW_PRECISION: options->precision = (int)number; break;
    case SHOW_THRESHOLD: options->threshold = number; break;
    case SHOW_EDGE: options->edgeitems = number; break;
    default: options->linewidth = (int)number;
    }
    return true;
}

static int run_show(int argc, char **argv)
{
    struct over_files o;
    struct show show = {.options = stria_format_defaults()};
    over_files_start(&o, &show_command, argc);
    o.asks = true;
    for (int option; (option = next_option(argc, argv, &show_command)) != -1;) {
        const bool own = option >= OVER_OWN && option <= SHOW_RANGE;
        if (own ? take_option(&show, option) : over_files_option(&o, option)) continue;
        stria__pool_free(&o.pool);
        return option == 'h' ? EXIT_OK : EXIT_USAGE;
    }
    if (show.picture.path && argc - optind > 2 && !strchr(show.picture.path, '{')) {
        stria__pool_free(&o.pool);
        return usage_error(&show_command, "several FILEs would be written to one picture; use "
                                          "{stem}, {name}, {dir} or {n} in its name");
    }
    return over_files(&o, argc, argv, show_one, &show);
}
