/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a timeline that has the phases of all ranks of a job, as simulators write it. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/ranks/rank_summaries.h"
#include "analysis/ranks/summary_rows.h"
#include "base/memory/memory.h"
#include "graph/classify/job_names.h"

/* A worker's lanes are five threads in a row. */
enum { LANES_OF_WORKER = 5, SEQUENCES_OF_STEP = 1 << 20 };

struct operation {
    int64_t worker, step, start, length;
    uint32_t stage, dp, tp;
    int64_t sequence, chunk;
    enum training_phase phase;
    uint32_t op; /* index in the rows */
};

struct phases {
    const struct graph *graph;
    VECTOR(struct operation);
};

/* The event of a thread as an operation, without its place in the job; false: it is none. */
static bool read_operation(const struct graph *graph, const struct track *track, event_id event,
                           struct operation *operation)
{
    const struct timeline *timeline = &graph->timeline;
    const struct frame *frame = graph_frame(graph, timeline->frame[event]);
    int64_t chunk = event_property(graph, PROP_MODEL_CHUNK, event, UNKNOWN);

    *operation = (struct operation){
        .worker = track->tid / LANES_OF_WORKER,
        .step = event_property(graph, PROP_IN_STEP, event, UNKNOWN),
        .start = timeline->start[event],
        .length = timeline->duration[event],
        .dp = (uint32_t)track->pid & UINT16_MAX,
        .sequence = event_property(graph, PROP_COLLECTIVE_SEQ, event, UNKNOWN),
        .chunk = chunk > 0 ? chunk : 0,
        .phase = training_phase_of(graph_text(graph, frame->name)),
    };
    return operation->phase != PHASE_COUNT && operation->step != UNKNOWN &&
           operation->sequence >= 0 && operation->sequence < SEQUENCES_OF_STEP;
}

static void take_track(struct phases *phases, const struct track *track)
{
    struct operation operation;
    uint32_t stage, tensor;

    if (!training_phase_thread(graph_text(phases->graph, track->name), &stage, &tensor))
        return;
    for (event_id event = track->first; event < track->first + track->count; event++)
        if (read_operation(phases->graph, track, event, &operation)) {
            operation.stage = stage;
            operation.tp = tensor;
            vector_add(phases, operation);
        }
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_start(const void *a, const void *b)
{
    const struct operation *first = a, *second = b;
    int order = compare(first->worker, second->worker);

    order = order ? order : compare(first->step, second->step);
    order = order ? order : compare(first->start, second->start);
    order = order ? order : compare(first->sequence, second->sequence);
    return order ? order : compare(first->phase, second->phase);
}

/* ---- one worker's step ---- */

/* The operations of one worker in one step, and by phase those of it in the order of their
 * numbers. */
struct worker_step {
    struct summary_rows *rows;
    struct operation *list;
    uint32_t count;
    struct operation **of[PHASE_COUNT];
    uint32_t of_count[PHASE_COUNT];
    struct operation **compute; /* forward and backward, by start */
    uint32_t compute_count;
};

static int by_sequence(const void *a, const void *b)
{
    const struct operation *const *first = a, *const *second = b;

    return compare((*first)->sequence, (*second)->sequence);
}

static void lay_out(struct worker_step *worker, struct arena *scratch)
{
    for (uint32_t i = 0; i < worker->count; i++)
        worker->of_count[worker->list[i].phase]++;
    for (int p = 0; p < PHASE_COUNT; p++) {
        worker->of[p] = arena_array(scratch, worker->of_count[p], sizeof(*worker->of[p]));
        worker->of_count[p] = 0;
    }
    worker->compute = arena_array(scratch, worker->count, sizeof(*worker->compute));
    for (uint32_t i = 0; i < worker->count; i++) {
        struct operation *operation = &worker->list[i];

        worker->of[operation->phase][worker->of_count[operation->phase]++] = operation;
        if (operation->phase <= PHASE_BACKWARD)
            worker->compute[worker->compute_count++] = operation;
    }
    for (int p = 0; p < PHASE_COUNT; p++)
        if (worker->of_count[p])
            qsort(worker->of[p], worker->of_count[p], sizeof(*worker->of[p]), by_sequence);
}

static void depend(struct worker_step *worker, const struct operation *on,
                   const struct operation *op)
{
    if (on && op && on != op)
        summary_add_dependency(worker->rows, op->op, on->op);
}

static void chain(struct worker_step *worker, struct operation **list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        depend(worker, list[i - 1], list[i]);
}

static struct operation *first_of(const struct worker_step *worker, enum training_phase phase)
{
    return worker->of_count[phase] ? worker->of[phase][0] : NULL;
}

static struct operation *last_of(const struct worker_step *worker, enum training_phase phase)
{
    return worker->of_count[phase] ? worker->of[phase][worker->of_count[phase] - 1] : NULL;
}

/* A transfer belongs to the computing that makes or needs what it carries: the k-th of those that
 * have one, as with several parts of the model on a stage the ends of the model have none. */
static void tie_transfers(struct worker_step *worker, enum training_phase transfer,
                          enum training_phase work, bool is_send)
{
    uint32_t count = worker->of_count[transfer], works = worker->of_count[work];
    uint32_t skipped = !is_send && works > count ? works - count : 0;

    for (uint32_t k = 0; k < count; k++) {
        struct operation *operation = worker->of[transfer][k];

        if (is_send) {
            if (k < works)
                depend(worker, worker->of[work][k], operation);
            continue;
        }
        if (k + skipped >= works)
            continue;
        depend(worker, operation, worker->of[work][k + skipped]);
        if (k + skipped > 0) /* a receive is not posted earlier */
            depend(worker, worker->of[work][k + skipped - 1], operation);
    }
}

/* A framework posts the first transfers of the backward pass after the forward before the last. */
static void tie_first_backward(struct worker_step *worker)
{
    for (uint32_t i = 0; i < worker->compute_count; i++) {
        if (worker->compute[i]->phase != PHASE_BACKWARD)
            continue;
        if (i >= 2) {
            depend(worker, worker->compute[i - 2], first_of(worker, PHASE_BACKWARD_RECV));
            depend(worker, worker->compute[i - 2], first_of(worker, PHASE_BACKWARD_SEND));
        }
        return;
    }
}

static struct operation *of_chunk(const struct worker_step *worker, enum training_phase phase,
                                  int64_t chunk, bool is_last)
{
    struct operation *found = NULL;

    for (uint32_t i = 0; i < worker->of_count[phase]; i++)
        if (worker->of[phase][i]->chunk == chunk && (is_last || !found))
            found = worker->of[phase][i];
    return found;
}

static int by_time(const void *a, const void *b)
{
    const struct operation *const *first = a, *const *second = b;
    int order = compare((*first)->start, (*second)->start);

    return order ? order : compare((*first)->phase, (*second)->phase);
}

/* Gathers and scatters share a stream; the first forward waits for its parameters. */
static void tie_data_parallel(struct worker_step *worker, struct arena *scratch)
{
    uint32_t gathers = worker->of_count[PHASE_GATHER], scatters = worker->of_count[PHASE_SCATTER];
    struct operation **stream = arena_array(scratch, gathers + scatters, sizeof(*stream));

    for (uint32_t i = 0; i < gathers; i++)
        stream[i] = worker->of[PHASE_GATHER][i];
    for (uint32_t i = 0; i < scatters; i++)
        stream[gathers + i] = worker->of[PHASE_SCATTER][i];
    if (gathers + scatters)
        qsort(stream, gathers + scatters, sizeof(*stream), by_time);
    chain(worker, stream, gathers + scatters);
    for (uint32_t i = 0; i < gathers; i++) {
        int64_t chunk = worker->of[PHASE_GATHER][i]->chunk;

        depend(worker, of_chunk(worker, PHASE_GATHER, chunk, true),
               of_chunk(worker, PHASE_FORWARD, chunk, false));
    }
    for (uint32_t i = 0; i < scatters && first_of(worker, PHASE_SEPARATE); i++) {
        int64_t chunk = worker->of[PHASE_SCATTER][i]->chunk;

        depend(worker, of_chunk(worker, PHASE_BACKWARD, chunk, true),
               of_chunk(worker, PHASE_SCATTER, chunk, false));
    }
}

static struct operation *last_compute(const struct worker_step *worker)
{
    struct operation *last = NULL;

    for (uint32_t i = 0; i < worker->compute_count; i++)
        if (!last ||
            worker->compute[i]->start + worker->compute[i]->length > last->start + last->length)
            last = worker->compute[i];
    return last;
}

/* What comes after the last computing, one after the other. */
static void tie_tail(struct worker_step *worker, struct arena *scratch)
{
    struct operation **tail = arena_array(scratch, worker->count + 1, sizeof(*tail));
    uint32_t count = 0;
    static const enum training_phase head[] = {PHASE_COLLECT_GARBAGE, PHASE_LAYERNORM,
                                               PHASE_EMBEDDING},
                                     foot[] = {PHASE_CLIP, PHASE_OPTIMIZER};

    for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
        if (first_of(worker, head[i]))
            tail[count++] = first_of(worker, head[i]);
    if (first_of(worker, PHASE_SEPARATE)) {
        depend(worker, last_of(worker, PHASE_SCATTER), first_of(worker, PHASE_LAYERNORM));
        tail[count++] = first_of(worker, PHASE_SEPARATE);
    } else {
        for (uint32_t i = 0; i < worker->of_count[PHASE_SCATTER]; i++)
            tail[count++] = worker->of[PHASE_SCATTER][i];
    }
    for (size_t i = 0; i < sizeof(foot) / sizeof(foot[0]); i++)
        if (first_of(worker, foot[i]))
            tail[count++] = first_of(worker, foot[i]);
    if (count)
        depend(worker, last_compute(worker), tail[0]);
    chain(worker, tail, count);
}

static void tie(struct worker_step *worker)
{
    struct arena scratch = {0};

    lay_out(worker, &scratch);
    chain(worker, worker->compute, worker->compute_count);
    for (int p = PHASE_FORWARD_SEND; p <= PHASE_BACKWARD_RECV; p++)
        chain(worker, worker->of[p], worker->of_count[p]);
    tie_transfers(worker, PHASE_FORWARD_SEND, PHASE_FORWARD, true);
    tie_transfers(worker, PHASE_BACKWARD_SEND, PHASE_BACKWARD, true);
    tie_transfers(worker, PHASE_FORWARD_RECV, PHASE_FORWARD, false);
    tie_transfers(worker, PHASE_BACKWARD_RECV, PHASE_BACKWARD, false);
    tie_first_backward(worker);
    tie_data_parallel(worker, &scratch);
    tie_tail(worker, &scratch);
    arena_free(&scratch);
}

/* ---- participations ---- */

/* Whom an operation meets. Which ranks these are is not on record, only how many at most. `stages`:
 * 0 where the file has one worker, which has no neighbour before the first stage then. */
static uint32_t group_of(struct group_list *groups, const struct operation *operation,
                         uint32_t stages, struct arena *scratch)
{
    const char *name = NULL;
    uint32_t size = 0, from = operation->stage;
    struct span use = training_phase_label(operation->phase);

    switch (operation->phase) {
    case PHASE_FORWARD_RECV:
    case PHASE_BACKWARD_RECV:
    case PHASE_FORWARD_SEND:
    case PHASE_BACKWARD_SEND: {
        bool is_forward =
            operation->phase == PHASE_FORWARD_SEND || operation->phase == PHASE_FORWARD_RECV;
        bool is_send =
            operation->phase == PHASE_FORWARD_SEND || operation->phase == PHASE_BACKWARD_SEND;

        from = is_send ? from : is_forward ? from + stages - 1 : from + 1;
        from = stages ? from % stages : from;
        name = arena_printf(scratch, "%s from stage %" PRIu32 " of %" PRIu32,
                            is_forward ? "forward" : "backward", from, operation->dp);
        size = 2;
        break;
    }
    case PHASE_GATHER:
    case PHASE_SCATTER:
    case PHASE_SEPARATE:
        name =
            arena_printf(scratch, "%.*s of stage %" PRIu32, (int)use.len, use.at, operation->stage);
        break;
    case PHASE_EMBEDDING:
        name = arena_printf(scratch, "embedding of %" PRIu32, operation->dp);
        size = 2;
        break;
    case PHASE_CLIP:
        name = "all";
        break;
    default:
        return UINT32_MAX;
    }
    return group_list_add(groups, span_of(name), use, SPAN(""), size, size == 2);
}

static bool is_median(enum training_phase phase)
{
    return phase > PHASE_BACKWARD && phase < PHASE_COLLECT_GARBAGE;
}

static void add_operation(struct summary_rows *rows, struct group_list *groups,
                          struct operation *operation, uint32_t stages, int64_t origin)
{
    struct span name = training_phase_name(operation->phase);
    struct job_shard *shard = rows->shard;
    struct arena scratch = {0};
    uint32_t group = group_of(groups, operation, stages, &scratch),
             participation = NO_PARTICIPATION;

    if (group != UINT32_MAX)
        participation = summary_add_participation(
            rows, &(struct participation_row){.group = group,
                                              .sequence = operation->step * SEQUENCES_OF_STEP +
                                                          operation->sequence,
                                              .size = NOT_KNOWN,
                                              .start = checked_add(operation->start, origin),
                                              .lasted = operation->length,
                                              .operation = strings_intern(&shard->strings, name),
                                              .step = (uint32_t)rows->steps.count - 1});
    operation->op = summary_add_operation(
        rows, &(struct operation_row){
                  .label = strings_intern(&shard->strings, training_phase_label(operation->phase)),
                  .type = strings_intern(&shard->strings, name),
                  .kind = is_median(operation->phase) ? OPERATION_TRANSFER : OPERATION_COMPUTE,
                  .length = operation->length,
                  .participation = participation});
    arena_free(&scratch);
}

/* The work of a step as far as it is known: what is not computing is communication. */
static void measure(struct step_row *step, const struct operation *list, uint32_t count)
{
    int64_t busy_until = INT64_MIN, compute = 0, joint = 0;

    for (uint32_t i = 0; i < count; i++) {
        int64_t from = list[i].start > busy_until ? list[i].start : busy_until;
        int64_t until = list[i].start + list[i].length;

        if (is_median(list[i].phase))
            joint += list[i].length;
        else
            compute += list[i].length;
        if (until > from)
            step->figure[ROW_IDLE] +=
                from > busy_until && busy_until != INT64_MIN ? from - busy_until : 0;
        busy_until = until > busy_until ? until : busy_until;
    }
    step->figure[ROW_LENGTH] = step->end - step->begin;
    step->figure[ROW_COMPUTE] = compute;
    step->figure[ROW_COMMUNICATION] = joint;
    step->figure[ROW_KERNELS] = count;
}

/* Host delays are known of what waits for nothing: elsewhere such traces begin a collective when
 * its last rank has come, so that waiting for others looks like a delay of one's own. */
static void find_delays(struct summary_rows *rows, const struct operation *list, uint32_t count,
                        uint32_t first_op, size_t first_dep)
{
    bool *waits = grow_zeroed((size_t)count + 1, sizeof(*waits));

    for (size_t d = first_dep; d < rows->deps.count; d++)
        waits[rows->deps.list[d].op - first_op] = true;
    for (uint32_t i = 0; i < count; i++)
        if (!waits[i] && rows->ops.list[first_op + i].participation == NO_PARTICIPATION)
            rows->ops.list[first_op + i].delay = list[i].start - list[0].start;
    free(waits);
}

static void add_step(struct summary_rows *rows, struct group_list *groups, struct operation *list,
                     uint32_t count, uint32_t stages, int64_t origin)
{
    struct step_row *step = summary_add_step(rows, list->step);
    struct worker_step worker = {.rows = rows, .list = list, .count = count};
    uint32_t first_op = (uint32_t)rows->ops.count;
    size_t first_dep = rows->deps.count;

    step->begin = checked_add(list->start, origin);
    for (uint32_t i = 0; i < count; i++) {
        int64_t end = checked_add(checked_add(list[i].start, list[i].length), origin);

        step->end = end > step->end || !i ? end : step->end;
        add_operation(rows, groups, &list[i], stages, origin);
    }
    measure(step, list, count);
    tie(&worker);
    find_delays(rows, list, count, first_op, first_dep);
}

bool has_phases_of_ranks(const struct graph *graph)
{
    int64_t worker = UNKNOWN;
    struct operation operation;
    uint32_t stage, tensor;

    for (uint32_t i = 0; i < graph->timeline.track_count; i++) {
        const struct track *track = &graph->timeline.tracks[i];
        event_id event = track->first, past = track->first + track->count;

        if (!training_phase_thread(graph_text(graph, track->name), &stage, &tensor))
            continue;
        while (event < past && !read_operation(graph, track, event, &operation))
            event++;
        if (event == past)
            continue;
        if (worker != UNKNOWN && worker != operation.worker)
            return true;
        worker = operation.worker;
    }
    return false;
}

bool summaries_of_phases(const struct graph *graph, const struct rank_summaries_options *options,
                         struct job_shard *shard)
{
    struct phases phases = {.graph = graph};
    struct summary_rows rows = {.shard = shard};
    struct group_list groups = {.shard = shard};
    int64_t world = 0;
    uint32_t stages = 0, folded;

    for (uint32_t i = 0; i < graph->timeline.track_count; i++)
        take_track(&phases, &graph->timeline.tracks[i]);
    if (phases.count)
        qsort(phases.list, phases.count, sizeof(*phases.list), by_start);
    graph_fact(graph, FACT_WORLD_SIZE, &world);
    if (phases.count && phases.list[phases.count - 1].worker != phases.list[0].worker)
        for (size_t i = 0; i < phases.count; i++)
            stages = phases.list[i].stage >= stages ? phases.list[i].stage + 1 : stages;
    for (size_t i = 0; i < phases.count;) {
        const struct operation *first = &phases.list[i];

        for (size_t end; i < phases.count && phases.list[i].worker == first->worker; i = end) {
            for (end = i + 1; end < phases.count && phases.list[end].worker == first->worker &&
                              phases.list[end].step == phases.list[i].step;)
                end++;
            add_step(&rows, &groups, &phases.list[i], (uint32_t)(end - i), stages,
                     graph->timeline.origin);
        }
        folded = summary_rows_fit_steps(&rows);
        summary_rows_finish(
            &rows, &(struct rank_summary){
                       .folds.steps = folded,
                       .rank = (uint32_t)first->worker,
                       .world = (uint32_t)world,
                       .stage = (int32_t)first->stage,
                       .dp = (int32_t)first->dp,
                       .tp = (int32_t)first->tp,
                       .file = strings_intern(&shard->strings, span_of(options->file)),
                       .bytes = options->bytes,
                       .flags = RANK_ONE_CLOCK | (options->is_truncated ? RANK_TRUNCATED : 0)});
    }
    free(phases.list);
    group_list_finish(&groups);
    return shard->summary_count > 0;
}
