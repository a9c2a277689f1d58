/* SPDX-License-Identifier: Apache-2.0 */
/* serve_fit.c — the time of decode steps as a line over their tokens, by least squares */
#include "analysis/serving/serve.h"

#include <math.h>

#include "base/checked.h"

/* What a step has of a fit: its tokens, the tokens that it looks at, its time. */
struct fit_point {
    double x, keys, y;
};

static bool point_of(const struct serving_step *step, enum serve_fit_by by, struct fit_point *point)
{
    int64_t x = by == FIT_PADDED && step->label->padded > 0 ? step->label->padded
                                                           : step->label->generation_tokens;

    if (step->label->stage != STAGE_DECODE || x == UNKNOWN || step->first == UNKNOWN ||
        (by == FIT_TOKENS_AND_KEYS && !step->label->has_sums))
        return false;
    *point = (struct fit_point){
        .x = (double)x, .keys = (double)step->label->generation.keys, .y = (double)step->busy};
    return true;
}

/* Sums of squares around the means. */
struct fit_sums {
    double x, keys, y; /* means */
    double xx, kk, yy, xk, xy, ky;
};

/* A plane needs x and keys that do not follow from each other. */
static bool solve(const struct fit_sums *sums, bool has_keys, struct serve_fit *fit)
{
    double determinant = sums->xx * sums->kk - sums->xk * sums->xk;

    if (!(sums->xx > 0))
        return false;
    fit->each = sums->xy / sums->xx;
    if (has_keys) {
        if (!(determinant > 1e-9 * sums->xx * sums->kk))
            return false;
        fit->each = (sums->xy * sums->kk - sums->ky * sums->xk) / determinant;
        fit->per_key = (sums->ky * sums->xx - sums->xy * sums->xk) / determinant;
    }
    fit->fixed = sums->y - fit->each * sums->x - fit->per_key * sums->keys;
    return true;
}

static bool fit_steps(const struct serving_steps *steps, struct serve_fit *fit)
{
    struct fit_sums sums = {0};
    struct fit_point point;
    double left = 0;

    fit->from = INT64_MAX;
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t i = 0; i < steps->count; i++) {
            if ((steps->list[i].is_recomputing && !fit->has_recomputing) ||
                !point_of(&steps->list[i], fit->by, &point))
                continue;
            if (pass == 0) {
                fit->count++;
                fit->from = (int64_t)point.x < fit->from ? (int64_t)point.x : fit->from;
                fit->to = (int64_t)point.x > fit->to ? (int64_t)point.x : fit->to;
                sums.x += point.x;
                sums.keys += point.keys;
                sums.y += point.y;
            } else if (pass == 1) {
                double x = point.x - sums.x, k = point.keys - sums.keys, y = point.y - sums.y;

                sums.xx += x * x;
                sums.kk += k * k;
                sums.yy += y * y;
                sums.xk += x * k;
                sums.xy += x * y;
                sums.ky += k * y;
            } else {
                double miss = point.y - fit->fixed - fit->each * point.x - fit->per_key * point.keys;

                left += miss * miss;
            }
        }
        if (pass == 0) {
            if (fit->count < 3 || fit->from == fit->to ||
                (fit->by == FIT_TOKENS_AND_KEYS && fit->count < 4))
                return false;
            sums.x /= fit->count;
            sums.keys /= fit->count;
            sums.y /= fit->count;
        } else if (pass == 1 && !solve(&sums, fit->by == FIT_TOKENS_AND_KEYS, fit)) {
            return false;
        }
    }
    fit->r2 = sums.yy > 0 ? 1 - left / sums.yy : 1;
    return true;
}

static bool has_padding(const struct serving_steps *steps)
{
    for (uint32_t i = 0; i < steps->count; i++)
        if (steps->list[i].label->stage == STAGE_DECODE && steps->list[i].label->padded > 0)
            return true;
    return false;
}

static bool has_recomputing(const struct serving_steps *steps)
{
    for (uint32_t i = 0; i < steps->count; i++)
        if (steps->list[i].is_recomputing)
            return true;
    return false;
}

uint32_t serve_fits_find(const struct serving_steps *steps, struct serve_fit *fits)
{
    const struct serve_fit wanted[FITS_MAX] = {{.by = FIT_TOKENS},
                                               {.by = FIT_PADDED},
                                               {.by = FIT_TOKENS_AND_KEYS},
                                               {.by = FIT_TOKENS, .has_recomputing = true}};
    uint32_t count = 0;

    for (int i = 0; i < FITS_MAX; i++) {
        struct serve_fit fit = wanted[i];

        if ((fit.by == FIT_PADDED && !has_padding(steps)) ||
            (fit.has_recomputing && !has_recomputing(steps)) || !fit_steps(steps, &fit))
            continue;
        fits[count++] = fit;
    }
    return count;
}
