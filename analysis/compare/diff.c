/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between two sides of runs, function by function, with how likely chance is the
 * cause. */
#include "analysis/compare/diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

/* ---- figures of a side ---- */

enum diff_figure { FIGURE_SELF, FIGURE_CUM, FIGURE_CALLS };

/* A function's figures in a side's runs, in `room`. */
static struct runs figures_of_runs(const struct diff *diff, enum diff_end end, frame_id id,
                                   enum diff_figure figure, int64_t *room)
{
    struct runs runs = {.figures = room, .count = diff->run_count[end]};

    for (uint32_t i = 0; i < runs.count; i++) {
        const struct diff_run *run = &diff->runs[end][i];
        const int64_t *column = figure == FIGURE_SELF  ? run->self
                                : figure == FIGURE_CUM ? run->cum
                                                       : run->calls;

        room[i] = id && id < run->count ? column[id] : 0;
        runs.quantum = i && run->quantum != runs.quantum ? 0 : run->quantum;
    }
    return runs;
}

static int64_t mean_of(const struct diff *diff, enum diff_end end, frame_id id,
                       enum diff_figure figure, int64_t *room)
{
    struct runs runs = figures_of_runs(diff, end, id, figure, room);

    for (uint32_t i = 0; i < runs.count; i++)
        if (room[i] == UNKNOWN)
            return UNKNOWN;
    return runs.count == 1 ? room[0] : (int64_t)llround(runs_mean(&runs));
}

/* ---- the runs themselves ---- */

static void compare_measure(const struct diff *diff, enum run_measure measure, int64_t *const *room,
                            struct run_difference *run)
{
    struct runs sides[DIFF_ENDS];

    for (int end = 0; end < DIFF_ENDS; end++) {
        sides[end] = (struct runs){.figures = room[end], .count = diff->run_count[end]};
        for (uint32_t i = 0; i < diff->run_count[end]; i++) {
            const struct run_measures *of = &diff->runs[end][i].measures;

            room[end][i] = (run->is_by_step ? of->of_steps : of->of_run)[measure];
            if (room[end][i] == UNKNOWN)
                run->time[measure][end] = UNKNOWN;
        }
        if (run->time[measure][end] != UNKNOWN)
            run->time[measure][end] = (int64_t)llround(runs_mean(&sides[end]));
    }
    run->noise[measure] = noise_of_difference(&sides[DIFF_BEFORE], &sides[DIFF_AFTER], 0, 0.05);
}

static void compare_runs(const struct diff *diff, int64_t *const *room, struct run_difference *run)
{
    *run = (struct run_difference){.is_known = true, .is_by_step = true};
    for (int end = 0; end < DIFF_ENDS; end++)
        for (uint32_t i = 0; i < diff->run_count[end]; i++) {
            run->is_known &= diff->runs[end][i].measures.is_known;
            run->is_by_step &= diff->runs[end][i].measures.steps > 0;
        }
    for (int measure = 0; measure < MEASURE_COUNT && run->is_known; measure++)
        compare_measure(diff, (enum run_measure)measure, room, run);
}

/* ---- computing ---- */

struct computing {
    const struct diff *diff;
    const struct diff_options *options;
    struct difference *result;
    struct diff_row *rows; /* all */
    uint32_t count;
    int64_t *room[DIFF_ENDS]; /* a figure a run */
    double whole;             /* the larger total */
    double sum;               /* of all rows' larger figures */
    double usual_spread;      /* see noise_spread(); 0: not known */
};

static int64_t compared(const struct computing *computing, const struct diff_row *row,
                        enum diff_end end)
{
    return computing->options->is_cum ? row->cum[end] : row->self[end];
}

static double larger_of(const struct computing *computing, const struct diff_row *row)
{
    return fmax(fabs((double)compared(computing, row, DIFF_BEFORE)),
                fabs((double)compared(computing, row, DIFF_AFTER)));
}

static double delta_of(const struct computing *computing, const struct diff_row *row)
{
    return (double)compared(computing, row, DIFF_AFTER) -
           (double)compared(computing, row, DIFF_BEFORE);
}

double diff_growth(int64_t old, int64_t new)
{
    if (old == new)
        return 0;
    return old ? ((double)new - (double)old) / fabs((double)old) : INFINITY;
}

static double growth_of(const struct computing *computing, const struct diff_row *row)
{
    return diff_growth(compared(computing, row, DIFF_BEFORE), compared(computing, row, DIFF_AFTER));
}

static void add_row(struct computing *computing, frame_id before, frame_id after, bool is_doubtful)
{
    struct diff_row *row = &computing->rows[computing->count++];
    frame_id id[DIFF_ENDS] = {before, after};

    *row = (struct diff_row){.before = before, .after = after, .is_doubtful = is_doubtful};
    for (int end = 0; end < DIFF_ENDS; end++) {
        int64_t *room = computing->room[end];

        row->self[end] = mean_of(computing->diff, (enum diff_end)end, id[end], FIGURE_SELF, room);
        row->cum[end] = mean_of(computing->diff, (enum diff_end)end, id[end], FIGURE_CUM, room);
        row->calls[end] = mean_of(computing->diff, (enum diff_end)end, id[end], FIGURE_CALLS, room);
    }
    for (int end = 0; end < DIFF_ENDS; end++)
        if (id[end] == 0 && row->calls[1 - end] == UNKNOWN)
            row->calls[end] = UNKNOWN;
    computing->result->added += before == 0;
    computing->result->removed += after == 0;
}

bool *diff_frames_of(const struct diff *diff, enum diff_end end, struct arena *arena)
{
    bool *is_there = arena_array(arena, diff->names.frames.count, sizeof(*is_there));

    for (uint32_t i = 0; i < diff->run_count[end]; i++)
        for (frame_id id = 1; id < diff->runs[end][i].count; id++)
            is_there[id] |= diff->runs[end][i].is_there[id];
    return is_there;
}

static struct runs row_runs(const struct computing *computing, const struct diff_row *row,
                            enum diff_end end)
{
    enum diff_figure figure = computing->options->is_cum ? FIGURE_CUM : FIGURE_SELF;

    return figures_of_runs(computing->diff, end, end == DIFF_BEFORE ? row->before : row->after,
                           figure, computing->room[end]);
}

struct diff_spread {
    double spread, weight;
};

static int by_spread(const void *a, const void *b)
{
    double left = ((const struct diff_spread *)a)->spread,
           right = ((const struct diff_spread *)b)->spread;

    return (left > right) - (left < right);
}

/* The median over the figures, not the functions: most functions are small, and vary more. */
static double usual_spread(const struct computing *computing, struct arena *arena)
{
    struct diff_spread *spreads = arena_array(arena, computing->count, sizeof(*spreads));
    double all = 0, below = 0;
    uint32_t count = 0, i = 0;

    for (uint32_t row = 0; row < computing->count; row++) {
        struct runs before = row_runs(computing, &computing->rows[row], DIFF_BEFORE);
        struct runs after = row_runs(computing, &computing->rows[row], DIFF_AFTER);
        struct diff_spread spread = {noise_spread(&before, &after),
                                     larger_of(computing, &computing->rows[row])};

        if (isnan(spread.spread))
            continue;
        spreads[count++] = spread;
        all += spread.weight;
    }
    qsort(spreads, count, sizeof(*spreads), by_spread);
    while (i < count && (below += spreads[i].weight) < all / 2)
        i++;
    return i < count ? spreads[i].spread : 0;
}

/* Of their own time on both sides. */
static double paired_kernels(const struct computing *computing)
{
    double all = 0, paired = 0;

    for (uint32_t i = 0; i < computing->count; i++) {
        const struct diff_row *row = &computing->rows[i];
        frame_id frame = row->after ? row->after : row->before;
        double time = (double)row->self[DIFF_BEFORE] + (double)row->self[DIFF_AFTER];

        if (graph_frame(&computing->diff->names, frame)->kind != KIND_KERNEL)
            continue;
        all += time;
        paired += row->before && row->after ? time : 0;
    }
    return all > 0 ? paired / all : NAN;
}

static void add_rows(struct computing *computing, struct arena *arena)
{
    const struct diff *diff = computing->diff;
    size_t frames = diff->names.frames.count;
    bool *is_before = diff_frames_of(diff, DIFF_BEFORE, arena);
    bool *is_after = diff_frames_of(diff, DIFF_AFTER, arena);
    bool *is_doubtful = arena_array(arena, frames, sizeof(*is_doubtful));
    bool *is_renamed = arena_array(arena, frames, sizeof(*is_renamed));
    frame_id *after_of = diff_match(diff, is_before, is_after, is_doubtful, arena);

    diff_match_renamed(diff, is_before, is_after, after_of, is_renamed, arena);
    computing->rows = arena_array(arena, frames, sizeof(*computing->rows));
    for (frame_id id = 1; id < frames; id++)
        if (is_before[id]) {
            add_row(computing, id, after_of[id], is_doubtful[id]);
            computing->rows[computing->count - 1].is_renamed = is_renamed[id];
            if (after_of[id])
                is_after[after_of[id]] = false;
        }
    for (frame_id id = 1; id < frames; id++)
        if (is_after[id])
            add_row(computing, 0, id, false);
    for (uint32_t i = 0; i < computing->count; i++)
        computing->sum += larger_of(computing, &computing->rows[i]);
    computing->usual_spread = usual_spread(computing, arena);
}

static struct confidence noise_of(const struct computing *computing, const struct diff_row *row)
{
    struct runs before = row_runs(computing, row, DIFF_BEFORE);
    struct runs after = row_runs(computing, row, DIFF_AFTER);
    double part = computing->sum > 0 ? larger_of(computing, row) / computing->sum : 0;

    return noise_of_difference(&before, &after, computing->usual_spread,
                               part / DIFF_COMPARISONS_PER_ERROR);
}

/* ---- what fails ---- */

/* Where the noise is known, growth that can be chance fails nothing. */
static bool fails(struct computing *computing, struct diff_row *row)
{
    const struct diff_options *options = computing->options;
    double old = (double)compared(computing, row, DIFF_BEFORE);
    double new = (double)compared(computing, row, DIFF_AFTER);
    double larger = new > old ? new : old;

    if (options->fail_percent < 0 || growth_of(computing, row) * 100 <= options->fail_percent ||
        larger * 100 < options->fail_min_percent * computing->whole)
        return false;
    row->noise = noise_of(computing, row);
    return !row->noise.is_known || row->noise.low > 0;
}

static void find_failures(struct computing *computing)
{
    struct difference *result = computing->result;

    for (uint32_t i = 0; i < computing->count; i++) {
        struct diff_row *row = &computing->rows[i];

        row->fails = fails(computing, row);
        if (!row->fails)
            continue;
        result->failed++;
        if (!result->worst || delta_of(computing, row) > delta_of(computing, result->worst))
            result->worst = row;
    }
}

/* ---- order ---- */

static struct span name_of(const struct computing *computing, const struct diff_row *row)
{
    const struct graph *names = &computing->diff->names;

    return graph_text(names, graph_frame(names, row->after ? row->after : row->before)->name);
}

/* The larger first; names the other way round. */
static double rank(const struct computing *computing, const struct diff_row *row)
{
    switch (computing->options->order) {
    case DIFF_BY_DELTA:
        return fabs(delta_of(computing, row));
    case DIFF_BY_GROWTH:
        return growth_of(computing, row);
    case DIFF_BY_OLD:
        return (double)compared(computing, row, DIFF_BEFORE);
    case DIFF_BY_NEW:
        return (double)compared(computing, row, DIFF_AFTER);
    case DIFF_BY_NAME:
        break;
    }
    return 0;
}

/* Calls that were counted are no chance: where times may be, functions that are called more or less often come
 * first. */
static bool has_other_calls(const struct computing *computing, const struct diff_row *row)
{
    return computing->result->has_exact_calls && computing->options->order == DIFF_BY_DELTA &&
           row->calls[DIFF_BEFORE] != row->calls[DIFF_AFTER];
}

static bool is_ranked_before(const void *context, uint32_t a, uint32_t b)
{
    const struct computing *computing = context;
    const struct diff_row *left = &computing->rows[computing->options->is_reversed ? b : a];
    const struct diff_row *right = &computing->rows[computing->options->is_reversed ? a : b];
    double left_rank = rank(computing, left), right_rank = rank(computing, right);

    if (has_other_calls(computing, left) != has_other_calls(computing, right))
        return has_other_calls(computing, left);
    if (left_rank != right_rank)
        return left_rank > right_rank;
    return span_cmp(name_of(computing, left), name_of(computing, right)) < 0;
}

static void take_rows(struct computing *computing, struct arena *arena)
{
    uint32_t *order = arena_array(arena, computing->count, sizeof(*order)), kept = 0;
    struct difference *result = computing->result;

    for (uint32_t i = 0; i < computing->count; i++) {
        double delta = fabs(delta_of(computing, &computing->rows[i]));

        if ((delta > 0 || computing->options->limit == 0) && /* 0: also what has not changed */
            delta * 100 >= computing->options->min_percent * computing->whole)
            order[kept++] = i;
    }
    sort_stable(order, kept, is_ranked_before, computing);
    if (computing->options->limit && kept > computing->options->limit)
        kept = computing->options->limit;
    result->rows = arena_array(arena, kept, sizeof(*result->rows));
    result->count = kept;
    result->left_out = computing->count - kept;
    for (uint32_t i = 0; i < kept; i++) {
        result->rows[i] = computing->rows[order[i]];
        result->rows[i].noise = noise_of(computing, &result->rows[i]);
    }
}

/* Of single runs, none of them sampled nor a timeline, whose calls are known. */
static bool has_exact_calls(const struct computing *computing)
{
    const struct diff *diff = computing->diff;
    bool is_known = false;

    for (int end = 0; end < DIFF_ENDS; end++)
        if (diff->run_count[end] != 1 || diff->runs[end][0].quantum > 0 ||
            diff->runs[end][0].merged > 1 || diff->runs[end][0].measures.is_known)
            return false;
    for (uint32_t i = 0; i < computing->count; i++)
        is_known |=
            computing->rows[i].calls[DIFF_BEFORE] > 0 || computing->rows[i].calls[DIFF_AFTER] > 0;
    return is_known;
}

void diff_compute(const struct diff *diff, const struct diff_options *options, struct arena *arena,
                  struct difference *difference)
{
    struct computing computing = {.diff = diff, .options = options, .result = difference};
    struct runs totals[DIFF_ENDS];

    *difference = (struct difference){.is_cum = options->is_cum};
    for (int end = 0; end < DIFF_ENDS; end++) {
        int64_t *room = arena_array(arena, diff->run_count[end], sizeof(*room));

        computing.room[end] = room;
        totals[end] = figures_of_runs(diff, (enum diff_end)end, 0, FIGURE_SELF, room);
        for (uint32_t i = 0; i < diff->run_count[end]; i++)
            room[i] = diff->runs[end][i].total;
        difference->total[end] = (int64_t)llround(runs_mean(&totals[end]));
        computing.whole = fmax(computing.whole, (double)difference->total[end]);
    }
    difference->noise = noise_of_difference(&totals[DIFF_BEFORE], &totals[DIFF_AFTER], 0, 0.05);
    compare_runs(diff, computing.room, &difference->run);
    add_rows(&computing, arena);
    difference->paired_kernels = paired_kernels(&computing);
    difference->merged = 1;
    for (int end = 0; end < DIFF_ENDS; end++)
        for (uint32_t i = 0; i < diff->run_count[end]; i++)
            if (diff->runs[end][i].merged > difference->merged)
                difference->merged = diff->runs[end][i].merged;
    difference->has_exact_calls = has_exact_calls(&computing);
    find_failures(&computing);
    take_rows(&computing, arena);
}
