/* SPDX-License-Identifier: BSD-3-Clause */
/* The same functions, which write their results into views. */
#include "stria/linalg.h"

#include "linalg/batch.h"
#include "stria/copy.h"
#include "stria/overlap.h"

enum { RESULTS = 4 };

/* Checks views; NULL is right where a name begins with a question mark. */
static stria_status check_views(const char *op, const stria_view *const *out,
                                const char *const *names)
{
    for (int i = 0; i < RESULTS; i++)
        if (names[i] && (out[i] || names[i][0] != '?'))
            STRIA_TRY(stria__check_writable(out[i], op, names[i] + (names[i][0] == '?')));
    return STRIA_OK;
}

/* Copies results, with which a call has ended, to views; nothing is written unless all fit. */
static stria_status write_views(const char *op, const stria_view *const *out, stria_array *made,
                                stria_status status, const stria_exec *exec)
{
    enum { WORK = 1000 };
    for (int i = 0; i < RESULTS && status == STRIA_OK; i++) {
        const stria_view *const a = &made[i].view;
        if (!out[i]) continue;
        status = stria__check_out(out[i], a->ndim, a->shape, a->dtype, op);
        for (int k = 0; k < i && status == STRIA_OK; k++)
            if (out[k] && stria_shares_memory(out[k], out[i], WORK) != STRIA_OVERLAP_NO)
                status =
                    stria__fail(STRIA_ERR_OVERLAP, "%s: results %d and %d share bytes", op, k, i);
    }
    for (int i = 0; i < RESULTS; i++) {
        if (out[i] && status == STRIA_OK) status = stria_copy(out[i], &made[i].view, exec);
        stria_array_release(&made[i]);
    }
    return status;
}

#define LIST(...) __VA_ARGS__
/* Defines a function that writes into views by the one that makes arrays. */
#define INTO_VIEWS(name, parameters, views, texts, call)                                           \
    stria_status stria_##name(parameters, const stria_exec *exec)                                  \
    {                                                                                              \
        const stria_view *const out_views[RESULTS] = {views};                                      \
        static const char *const names[RESULTS] = {texts};                                         \
        stria_array made[RESULTS] = {{.owned = NULL}};                                             \
        OBEYS(exec);                                                                               \
        STRIA_TRY(check_views(#name, out_views, names));                                           \
        return write_views(#name, out_views, made, stria_##name##_new(call, exec), exec);          \
    }
INTO_VIEWS(solve, LIST(const stria_view *out, const stria_view *a, const stria_view *b), LIST(out),
           LIST("out"), LIST(&made[0], a, b))
INTO_VIEWS(triangular_solve,
           LIST(const stria_view *out, const stria_view *a, const stria_view *b, bool upper,
                bool unit),
           LIST(out), LIST("out"), LIST(&made[0], a, b, upper, unit))
INTO_VIEWS(inv, LIST(const stria_view *out, const stria_view *a), LIST(out), LIST("out"),
           LIST(&made[0], a))
INTO_VIEWS(det, LIST(const stria_view *out, const stria_view *a), LIST(out), LIST("out"),
           LIST(&made[0], a))
INTO_VIEWS(slogdet,
           LIST(const stria_view *out_sign, const stria_view *out_logarithm, const stria_view *a),
           LIST(out_sign, out_logarithm), LIST("out_sign", "out_logarithm"),
           LIST(&made[0], &made[1], a))
INTO_VIEWS(lu_factor,
           LIST(const stria_view *out_lu, const stria_view *out_pivots, const stria_view *a),
           LIST(out_lu, out_pivots), LIST("out_lu", "out_pivots"), LIST(&made[0], &made[1], a))
INTO_VIEWS(cholesky, LIST(const stria_view *out, const stria_view *a, bool upper), LIST(out),
           LIST("out"), LIST(&made[0], a, upper))
INTO_VIEWS(qr,
           LIST(const stria_view *out_q, const stria_view *out_r, const stria_view *a,
                bool complete),
           LIST(out_q, out_r), LIST("out_q", "out_r"), LIST(&made[0], &made[1], a, complete))
INTO_VIEWS(svd,
           LIST(const stria_view *out_u, const stria_view *out_s, const stria_view *out_vh,
                const stria_view *a, bool full),
           LIST(out_u, out_s, out_vh), LIST("?out_u", "out_s", "?out_vh"),
           LIST(out_u ? &made[0] : NULL, &made[1], out_vh ? &made[2] : NULL, a, full))
INTO_VIEWS(eigh,
           LIST(const stria_view *out_w, const stria_view *out_v, const stria_view *a, bool upper),
           LIST(out_w, out_v), LIST("out_w", "?out_v"),
           LIST(&made[0], out_v ? &made[1] : NULL, a, upper))
INTO_VIEWS(eig, LIST(const stria_view *out_w, const stria_view *out_v, const stria_view *a),
           LIST(out_w, out_v), LIST("out_w", "?out_v"), LIST(&made[0], out_v ? &made[1] : NULL, a))
INTO_VIEWS(cond, LIST(const stria_view *out, const stria_view *a), LIST(out), LIST("out"),
           LIST(&made[0], a))
INTO_VIEWS(matrix_rank, LIST(const stria_view *out, const stria_view *a, double rtol), LIST(out),
           LIST("out"), LIST(&made[0], a, rtol))
INTO_VIEWS(pinv, LIST(const stria_view *out, const stria_view *a, double rtol), LIST(out),
           LIST("out"), LIST(&made[0], a, rtol))
INTO_VIEWS(lstsq,
           LIST(const stria_view *out_x, const stria_view *out_residuals,
                const stria_view *out_rank, const stria_view *out_s, const stria_view *a,
                const stria_view *b, double rtol),
           LIST(out_x, out_residuals, out_rank, out_s),
           LIST("out_x", "out_residuals", "out_rank", "out_s"),
           LIST(&made[0], &made[1], &made[2], &made[3], a, b, rtol))
