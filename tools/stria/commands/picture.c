/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

#include <math.h>
#include <stdlib.h>

#include "stria/eval.h"
#include "stria/png.h"

bool picture_range(struct picture *out, const char *text)
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

stria_status picture_write(const char *path, const struct picture *picture, const stria_view *a,
                           struct failure *failure)
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
