/* SPDX-License-Identifier: Apache-2.0 */
/* Training steps and batches: when each ran, what its time was spent on, and how ranks compare. */
#include <math.h>
#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "analysis/timeline/serving_steps.h"
#include "analysis/timeline/timeline_parts.h"
#include "base/checked.h"
#include "base/memory/memory.h"

static enum step_part part_of(const struct host_tree *tree, event_id event)
{
    switch (role_of(tree, event)) {
    case ROLE_KERNEL:
        return tree->transfer_marks[tree->graph->timeline.frame[event]] & TRANSFER_KIND
                   ? PART_COMMUNICATION
                   : PART_KERNEL;
    case ROLE_MEMCPY:
        return PART_MEMCPY;
    case ROLE_MEMSET:
        return PART_MEMSET;
    case ROLE_COMMUNICATION:
        return PART_COMMUNICATION;
    case ROLE_RUNTIME:
        return PART_RUNTIME;
    case ROLE_DATALOADER:
        return PART_DATALOADER;
    case ROLE_OPERATOR:
    case ROLE_INNER:
    case ROLE_FORWARD:
    case ROLE_BACKWARD:
    case ROLE_OPTIMIZATION:
    case ROLE_USER:
    case ROLE_PYTHON_USER:
    case ROLE_PYTHON_OP:
        return PART_OPERATOR;
    default:
        return PART_OTHER;
    }
}

/* ---- when steps are ---- */

static uint32_t step_with(const struct host_tree *tree, event_id call)
{
    const struct timeline *t = &tree->graph->timeline;

    SEARCH(uint32_t, at, tree->step_count, tree->step_span[at].start <= t->start[call]);
    return at && end_of(tree, call) <= tree->step_span[at - 1].end ? at - 1 : UINT32_MAX;
}

/* When the first work begins that a step launched. */
static int64_t first_work_of(const struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; t->launch && i < tree->work_count; i++) {
        event_id e = tree->work[i].event;

        if (t->launch[e] != NO_EVENT && t->start[e] < first &&
            step_with(tree, t->launch[e]) != UINT32_MAX)
            first = t->start[e];
    }
    return first;
}

/* The work that a step launched prolongs it; what was launched before all of them delays the first.
 * So does work that nothing in the file launched, and that began before any that the first step
 * did: it is the tail of what came before the steps. */
static void prolong(const struct host_tree *tree, struct step_times *times)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t first = times->rows[0].span.start, delayed = first;
    int64_t first_work = first_work_of(tree);

    for (uint32_t i = 0; t->launch && i < tree->work_count; i++) {
        event_id e = tree->work[i].event, call = t->launch[e];
        uint32_t step = call == NO_EVENT ? UINT32_MAX : step_with(tree, call);
        bool is_before = call == NO_EVENT ? t->start[e] < first_work : t->start[call] < first;

        if (step != UINT32_MAX && end_of(tree, e) > times->rows[step].span.end)
            times->rows[step].span.end = end_of(tree, e);
        else if (step == UINT32_MAX && is_before && end_of(tree, e) > delayed)
            delayed = end_of(tree, e);
    }
    times->rows[0].span.start = delayed;
}

static void find_spans(const struct host_tree *tree, struct step_times *times)
{
    for (uint32_t i = 0; i < times->count; i++)
        times->rows[i] =
            (struct step_time){.name = graph_text(tree->graph, name_of(tree, tree->step[i])),
                               .span = tree->step_span[i]};
    prolong(tree, times);
    for (uint32_t i = 1; i < times->count; i++) {
        struct interval *span = &times->rows[i].span;
        int64_t before = times->rows[i - 1].span.end;

        span->start = before > span->start ? before : span->start;
        span->end = span->start > span->end ? span->start : span->end;
    }
}

/* Steps of serving last as those of training do; by start, as several threads may have some. */
static bool starts_earlier(const void *context, uint32_t a, uint32_t b)
{
    const struct serving_step *list = context;

    return list[a].start < list[b].start;
}

/* False where no step is labelled. */
static bool take_serving(const struct host_tree *tree, struct arena *arena,
                         struct step_times *times)
{
    struct serving_steps steps;
    int64_t before = INT64_MIN;
    uint32_t *order;

    serving_steps_find(tree->graph, false, arena, &steps);
    if (!steps.count)
        return false;
    order = sorted_order(steps.count, starts_earlier, steps.list);
    times->count = steps.count;
    times->rows = arena_array(arena, steps.count, sizeof(*times->rows));
    for (uint32_t i = 0; i < steps.count; i++) {
        const struct serving_step *step = &steps.list[order[i]];
        int64_t end = step->last != UNKNOWN && step->last > step->end ? step->last : step->end;
        int64_t start = step->start > before ? step->start : before;

        before = end > start ? end : start;
        times->rows[i] = (struct step_time){
            .name = graph_text(tree->graph, graph_frame(tree->graph, step->labelled)->name),
            .span = {start, before},
            .stage = serving_step_stage(step),
            .requests = sum_known(step->label->prompts, step->label->generations),
            .tokens = step->label->tokens,
            .busy = step->busy};
    }
    free(order);
    return true;
}

static void take_whole(const struct host_tree *tree, struct step_time *row)
{
    const struct timeline *t = &tree->graph->timeline;

    *row = (struct step_time){.name = SPAN("all"), .span = {INT64_MAX, INT64_MIN}};
    for (event_id e = 0; e < t->count; e++)
        if (role_of(tree, e) != ROLE_NONE) {
            row->span.start = t->start[e] < row->span.start ? t->start[e] : row->span.start;
            row->span.end = end_of(tree, e) > row->span.end ? end_of(tree, e) : row->span.end;
        }
    if (row->span.start > row->span.end)
        row->span = (struct interval){0, 0};
}

/* ---- what they are spent on ---- */

/* Adds to each step what it has of a set; both are in order. */
static void share_out(const struct intervals *set, enum step_part part, struct step_times *times)
{
    if (!set->count)
        return;

    SEARCH(uint32_t, i, times->count, times->rows[i].span.end <= set->list[0].start);
    for (size_t k = 0; k < set->count; k++) {
        struct interval at = set->list[k];

        while (i < times->count && times->rows[i].span.end <= at.start)
            i++;
        for (uint32_t j = i; j < times->count && times->rows[j].span.start < at.end; j++) {
            struct interval step = times->rows[j].span;
            int64_t from = at.start > step.start ? at.start : step.start;
            int64_t to = at.end < step.end ? at.end : step.end;

            if (from < to)
                times->rows[j].parts[part] = checked_add(times->rows[j].parts[part], to - from);
        }
    }
}

/* What is spent in one part of the timeline, and what goes on after it. */
struct spending {
    struct intervals open[PART_OTHER]; /* by what it is spent on */
    struct intervals taken, rest;
};

/* Up to `until`: what is done beside something that comes first takes none of the time. */
static void spend_until(struct spending *spending, int64_t until, struct step_times *times)
{
    spending->taken.count = 0;
    for (enum step_part part = 0; part < PART_OTHER; part++) {
        struct intervals *open = &spending->open[part];
        int64_t end = intervals_cut(open, until);

        spending->rest.count = 0;
        intervals_subtract(open, &spending->taken, &spending->rest);
        share_out(&spending->rest, part, times);
        intervals_add_all(&spending->taken, &spending->rest);
        intervals_unite(&spending->taken);
        open->count = 0;
        intervals_add(open, until, end);
    }
}

static void spend(const struct host_tree *tree, struct step_times *times)
{
    const struct timeline *t = &tree->graph->timeline;
    struct spending spending = {.rest.count = 0};
    struct parts parts;

    parts_begin(&parts, t);
    while (parts_next(&parts)) {
        for (uint32_t i = 0; i < t->track_count; i++) {
            event_id e, end = parts_take(&parts, i, &e);

            for (; e < end; e++)
                if (part_of(tree, e) != PART_OTHER)
                    intervals_cover(&spending.open[part_of(tree, e)], t->start[e],
                                    end_of(tree, e));
        }
        spend_until(&spending, parts.until, times);
    }
    parts_end(&parts);
    for (enum step_part part = 0; part < PART_OTHER; part++)
        intervals_free(&spending.open[part]);
    intervals_free(&spending.taken);
    intervals_free(&spending.rest);
    for (uint32_t i = 0; i < times->count; i++) {
        int64_t other = times->rows[i].span.end - times->rows[i].span.start;

        for (enum step_part part = 0; part < PART_OTHER; part++)
            other -= times->rows[i].parts[part];
        times->rows[i].parts[PART_OTHER] = other;
    }
}

void summary_step_spans(const struct host_tree *tree, struct arena *arena, struct step_times *steps)
{
    steps->count = tree->step_count ? tree->step_count : 1;
    steps->rows = arena_array(arena, steps->count, sizeof(*steps->rows));
    if (tree->step_count)
        find_spans(tree, steps);
    else if (!take_serving(tree, arena, steps))
        take_whole(tree, &steps->rows[0]);
}

void summary_step_times(const struct host_tree *tree, struct arena *arena, struct step_times *steps)
{
    summary_step_spans(tree, arena, steps);
    spend(tree, steps);
}

/* ---- how fast batches are ---- */

enum { PADDLE_WARM_UP = 10 };

/* One batch, seconds. */
struct timed_batch {
    double cost, reader;
};

/* Loading data counts to the batch in which it begins. */
static void add_reader(const struct host_tree *tree, struct timed_batch *batches)
{
    const struct timeline *t = &tree->graph->timeline;

    for (event_id e = 0; tree->has_role[ROLE_DATALOADER] && e < t->count; e++) {
        if (role_of(tree, e) != ROLE_DATALOADER || is_in_phase(tree, e))
            continue;

        SEARCH(uint32_t, begun, tree->step_count, tree->step_span[begun].start <= t->start[e]);
        if (begun)
            batches[begun - 1].reader += (double)t->duration[e] / 1e9;
    }
}

static void rate_add(struct summary_rate *rate, double value, bool is_paddle)
{
    rate->average += value;
    if (value > rate->max) {
        rate->max = value;
        if (is_paddle)
            return;
    }
    if (value < rate->min)
        rate->min = value;
}

/* Batches from the tenth on, the reader from the eleventh; the averages over those after ten. */
static void measure(const struct timed_batch *batches, uint32_t count, bool is_paddle,
                    struct summary_benchmark *b)
{
    uint32_t warm_up = is_paddle ? PADDLE_WARM_UP : 0;
    double time;

    for (uint32_t i = is_paddle ? warm_up - 1 : 0; i < count; i++) {
        rate_add(&b->batch, batches[i].cost, is_paddle);
        if (batches[i].cost > 0)
            rate_add(&b->ips, 1 / batches[i].cost, is_paddle);
        if (i >= warm_up)
            rate_add(&b->reader, batches[i].reader, is_paddle);
    }
    time = b->batch.average;
    b->steps = count - warm_up;
    b->ips.average = time > 0 ? (double)b->steps / time : 0;
    b->batch.average /= (double)b->steps;
    b->reader.average /= (double)b->steps;
    b->reader_share = b->batch.average > 0 ? b->reader.average / b->batch.average : 0;
    b->has_reader = b->reader.average > 0;
}

void summary_benchmark(const struct host_tree *tree, struct summary_benchmark *benchmark)
{
    struct summary_rate none = {0, 0, INFINITY};
    uint32_t count = tree->step_count;
    struct timed_batch *batches = grow_zeroed((size_t)count + 1, sizeof(*batches));

    *benchmark = (struct summary_benchmark){.reader = none, .batch = none, .ips = none};
    for (uint32_t i = 0; i < count; i++) {
        const struct interval *step = &tree->step_span[i];
        int64_t end = i + 1 < count ? tree->step_span[i + 1].start : step->end;

        batches[i].cost = (double)(end - step->start) / 1e9;
    }
    add_reader(tree, batches);
    if (count > (tree->is_paddle_compat ? PADDLE_WARM_UP : 0u))
        measure(batches, count, tree->is_paddle_compat, benchmark);
    free(batches);
}

/* ---- the steps of several ranks ---- */

/* ---- one rank ---- */

static int64_t length_of(const struct step_time *step)
{
    return checked_sub(step->span.end, step->span.start);
}

static struct rank_total total_of(const struct step_times *steps, struct arena *arena)
{
    struct rank_total total = {.steps = steps->count};
    int64_t *lengths = arena_array(arena, steps->count, sizeof(*lengths));

    for (uint32_t i = 0; i < steps->count; i++) {
        lengths[i] = length_of(&steps->rows[i]);
        total.time = checked_add(total.time, lengths[i]);
        for (int part = 0; part < PART_COUNT; part++)
            total.parts[part] = checked_add(total.parts[part], steps->rows[i].parts[part]);
    }
    if (steps->count)
        total.step = extremes_of(lengths, steps->count);
    return total;
}

/* ---- one figure of all ranks ---- */

static int64_t mean(int64_t time, uint32_t steps)
{
    return steps ? time / steps : 0;
}

static void measure_parts(struct rank_steps *out, uint32_t count, struct arena *arena)
{
    int64_t *values = arena_array(arena, count, sizeof(*values));

    for (int part = 0; part < PART_COUNT; part++) {
        for (uint32_t i = 0; i < count; i++)
            values[i] = mean(out->ranks[i].parts[part], out->ranks[i].steps);
        out->parts[part] = extremes_of(values, count);
    }
    for (uint32_t i = 0; i < count; i++)
        values[i] = mean(out->ranks[i].time, out->ranks[i].steps);
    out->time = extremes_of(values, count);
}

/* ---- one step on all ranks ---- */

/* A rank's own step. */
struct rank_step_time {
    str_id name;
    uint32_t rank;
    int64_t time;
};

static int compare_taken(const void *a, const void *b)
{
    const struct rank_step_time *first = a, *second = b;

    if (first->name != second->name)
        return first->name < second->name ? -1 : 1;
    return (first->rank > second->rank) - (first->rank < second->rank);
}

/* Names get their numbers in the order in which they are first seen. */
static uint32_t list_taken(const struct step_times *const *list, uint32_t count,
                           struct strings *names, struct rank_step_time *taken)
{
    uint32_t at = 0;

    for (uint32_t rank = 0; rank < count; rank++)
        for (uint32_t i = 0; i < list[rank]->count; i++)
            taken[at++] = (struct rank_step_time){strings_intern(names, list[rank]->rows[i].name),
                                                  rank, length_of(&list[rank]->rows[i])};
    qsort(taken, at, sizeof(*taken), compare_taken);
    return at;
}

static struct rank_step step_of(const struct rank_step_time *taken, uint32_t count,
                                struct span name, int64_t *values)
{
    struct rank_step step = {.name = name, .ranks = count};

    for (uint32_t i = 0; i < count; i++)
        values[i] = taken[i].time;
    step.time = extremes_of(values, count);
    step.time.least_at = taken[step.time.least_at].rank;
    step.time.most_at = taken[step.time.most_at].rank;
    return step;
}

static void match_steps(const struct step_times *const *list, uint32_t count, struct arena *arena,
                        struct rank_steps *out)
{
    struct strings names = {0};
    struct rank_step_time *taken;
    int64_t *values;
    size_t most = 0;
    uint32_t total;

    for (uint32_t i = 0; i < count; i++)
        most += list[i]->count;
    taken = arena_array(arena, most + 1, sizeof(*taken));
    values = arena_array(arena, most + 1, sizeof(*values));
    out->steps = arena_array(arena, most, sizeof(*out->steps));
    total = list_taken(list, count, &names, taken);
    for (uint32_t first = 0, end; first < total; first = end) {
        struct span name = strings_get(&names, taken[first].name);

        for (end = first + 1; end < total && taken[end].name == taken[first].name;)
            end++;
        name.at = arena_copy(arena, name);
        out->steps[out->step_count++] = step_of(taken + first, end - first, name, values);
    }
    strings_free(&names);
}

void rank_steps_compare(const struct step_times *const *list, uint32_t count, struct arena *arena,
                        struct rank_steps *out)
{
    *out = (struct rank_steps){.ranks = arena_array(arena, count, sizeof(*out->ranks))};
    for (uint32_t i = 0; i < count; i++)
        out->ranks[i] = total_of(list[i], arena);
    measure_parts(out, count, arena);
    match_steps(list, count, arena, out);
}
