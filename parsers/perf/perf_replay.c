/* SPDX-License-Identifier: Apache-2.0 */
/* perf_replay.c — perf.data in the order of time: what ran where when a sample was taken
 *
 * Each processor's records are in order, but those of all are not. So all are sorted, and then programs
 * begin, fork and map files as they did, and each sample's addresses are looked up in what was there. */
#include <stdio.h>
#include <stdlib.h>

#include "parsers/perf/perf_data.h"
#include "parsers/stacks/timed_samples.h"

enum { VALUES_MAX = 64, LABELS = 3 };

/* What a sample adds to one event: of its own, or what a counter of its group has grown by. */
struct contribution {
    uint32_t sample, event;
    int64_t amount;
};

struct replay {
    struct perf_data *perf;
    struct perf_maps *maps;
    struct perf_names *names;
    struct stack_builder *stacks;
    struct timed_samples timed; /* where times are asked for */
    bool has_times;
    uint32_t *order; /* of steps */
    struct VECTOR_OF(struct contribution) contributions;

    uint32_t *value_of_event; /* IDMAP_NONE: it has no samples */
    uint32_t value_count;
    bool counts_samples; /* value 0 is how many samples there are of the one event */

    struct idmap command_of_thread; /* a text */
    struct VECTOR_OF(frame_id) stack;
    struct sample_label labels[LABELS]; /* of the sample at hand */
};

static bool is_earlier(const void *context, uint32_t a, uint32_t b)
{
    const struct perf_step *steps = context;

    return steps[a].time < steps[b].time;
}

/* ---- what samples weigh ---- */

static void contribute(struct replay *replay, uint32_t sample, uint32_t event, int64_t amount)
{
    vector_add(&replay->contributions, (struct contribution){sample, event, amount});
    replay->perf->events.list[event].samples++;
}

/* Of a group's leader: each counter's growth since it was read before, by the same thread where threads
 * have counters of their own. */
static void contribute_growth(struct replay *replay, uint32_t at, struct idmap *last_of,
                              uint64_t *last)
{
    struct perf_data *perf = replay->perf;
    const struct perf_sample *sample = &perf->samples.list[at];

    for (uint32_t i = 0; i < sample->readings; i++) {
        uint32_t index = sample->first_reading + i;
        const struct counter_reading *reading = &perf->readings.list[index];
        bool by_thread = perf->events.list[sample->event].is_inherited;
        uint32_t *slot = idmap_at(last_of, reading->counter * UINT64_C(0x9E3779B97F4A7C15) ^
                                               (by_thread ? sample->thread : 0) ^
                                               (uint64_t)reading->event << 32);
        uint64_t before = *slot == IDMAP_NONE ? 0 : last[*slot], grown = reading->value - before;

        last[index] = reading->value;
        *slot = index;
        if (grown)
            contribute(replay, at, reading->event, grown > INT64_MAX ? INT64_MAX : (int64_t)grown);
    }
}

static void weigh(struct replay *replay)
{
    struct perf_data *perf = replay->perf;
    uint64_t *last = grow_zeroed(perf->readings.count + 1, sizeof(*last));
    struct idmap last_of = {0};

    for (size_t i = 0; i < perf->steps.count; i++) {
        const struct perf_step *step = &perf->steps.list[replay->order[i]];
        const struct perf_sample *sample;

        if (step->kind != STEP_SAMPLE)
            continue;
        sample = &perf->samples.list[step->item];
        if (has_bit(perf->events.list[sample->event].sample_type, SAMPLE_READ))
            contribute_growth(replay, step->item, &last_of, last);
        else
            contribute(replay, step->item, sample->event, sample->period);
    }
    idmap_free(&last_of);
    free(last);
}

/* ---- events as values ---- */

static const char *const hardware_events[] = {"cycles",
                                              "instructions",
                                              "cache-references",
                                              "cache-misses",
                                              "branches",
                                              "branch-misses",
                                              "bus-cycles",
                                              "stalled-cycles-frontend",
                                              "stalled-cycles-backend",
                                              "ref-cycles"};
static const char *const software_events[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

/* The name that the file has, or the one that its type and configuration have. */
static struct span event_name(struct perf_data *perf, const struct recorded_event *event)
{
    enum { HARDWARE, SOFTWARE };
    uint64_t config = event->type == HARDWARE ? event->config & 0xff : event->config;

    if (event->name)
        return builder_text(perf->builder, event->name);
    if (event->type == HARDWARE && config < COUNT_OF(hardware_events))
        return span_of(hardware_events[config]);
    if (event->type == SOFTWARE && config < COUNT_OF(software_events))
        return span_of(software_events[config]);
    return span_of(
        arena_printf(&perf->arena, "%u:0x%llx", event->type, (unsigned long long)event->config));
}

/* One event: how many samples, and their periods. Several: one value each. */
static bool begin_values(struct replay *replay, struct error *err)
{
    struct perf_data *perf = replay->perf;
    struct value_name values[VALUES_MAX + 1];
    uint32_t events = 0, left_out = 0;

    for (size_t i = 0; i < perf->events.count; i++)
        events += perf->events.list[i].samples > 0;
    replay->counts_samples = events <= 1;
    if (replay->counts_samples)
        values[replay->value_count++] = (struct value_name){SPAN("samples"), UNIT_COUNT};
    for (size_t i = 0; i < perf->events.count; i++) {
        struct span name;

        replay->value_of_event[i] = IDMAP_NONE;
        if (perf->events.list[i].samples == 0)
            continue;
        if (replay->value_count == VALUES_MAX) {
            left_out++;
            continue;
        }
        name = event_name(perf, &perf->events.list[i]);
        replay->value_of_event[i] = replay->value_count;
        values[replay->value_count++] = (struct value_name){name, perf_event_unit(name)};
    }
    warning_count_many(builder_warnings(perf->builder), WARNING_LOSS,
                       "events, left out: there are too many", left_out);
    return builder_begin(perf->builder, LEVEL_CALLTREE, values, replay->value_count,
                         replay->counts_samples ? replay->value_count - 1 : 0, err);
}

/* ---- stacks ---- */

/* The name that the thread had then. */
static str_id command_name(struct replay *replay, const struct perf_sample *sample)
{
    struct builder *builder = replay->perf->builder;
    uint32_t name = idmap_find(&replay->command_of_thread, sample->thread);
    char room[16];

    if (name == IDMAP_NONE && sample->thread == 0)
        name = builder_intern(builder, SPAN("swapper"));
    if (name == IDMAP_NONE) {
        snprintf(room, sizeof(room), ":%d", (int)sample->thread);
        name = builder_intern(builder, span_of(room));
    }
    return name;
}

static frame_id command_frame(struct replay *replay, const struct perf_sample *sample)
{
    return builder_frame(replay->perf->builder,
                         &(struct frame){.name = command_name(replay, sample), .kind = KIND_OTHER});
}

static void collect_stack(struct replay *replay, const struct perf_sample *sample)
{
    const struct chains *chains = &replay->perf->chains;

    replay->stack.count = 0;
    for (uint32_t node = sample->chain; node; node = (uint32_t)(chains->nodes.list[node] >> 32)) {
        uint32_t place = (uint32_t)chains->nodes.list[node], count;
        uint32_t mapping =
            perf_maps_find(replay->maps, sample->process, &chains->places.list[place]);
        const frame_id *frames = perf_names_find(replay->names, mapping, place, &count);

        for (uint32_t i = 0; i < count; i++)
            vector_add(&replay->stack, frames[i]);
    }
    vector_add(&replay->stack, command_frame(replay, sample));
}

static struct sample_label number_label(struct builder *builder, const char *key, uint32_t number)
{
    char room[16];
    int len = snprintf(room, sizeof(room), "%d", (int)number);

    return (struct sample_label){.key = builder_intern(builder, span_of(key)),
                                 .text = builder_intern(builder, (struct span){room, (size_t)len}),
                                 .is_number = true};
}

static void add_labels(struct replay *replay, const struct perf_sample *sample)
{
    struct builder *builder = replay->perf->builder;
    uint64_t set = replay->perf->events.list[sample->event].sample_type;
    struct sample_label *labels = replay->labels;
    uint32_t count = 0;

    if (has_bit(set, SAMPLE_TID)) {
        labels[count++] = number_label(builder, "pid", sample->process);
        labels[count++] = number_label(builder, "tid", sample->thread);
    }
    if (has_bit(set, SAMPLE_CPU))
        labels[count++] = number_label(builder, "cpu", sample->cpu);
    builder_labels(replay->stacks, labels, count);
}

static size_t parts_of_sample(const struct replay *replay, size_t first)
{
    size_t end = first;

    while (end < replay->contributions.count &&
           replay->contributions.list[end].sample == replay->contributions.list[first].sample)
        end++;
    return end - first;
}

/* All that one sample contributes; returns how many contributions that were. */
static size_t add_sample(struct replay *replay, size_t first)
{
    struct perf_data *perf = replay->perf;
    uint32_t at = replay->contributions.list[first].sample;
    int64_t values[VALUES_MAX + 1] = {0};
    size_t end = first;

    collect_stack(replay, &perf->samples.list[at]);
    if (builder_wants_labels(replay->stacks))
        add_labels(replay, &perf->samples.list[at]);
    for (; end < replay->contributions.count && replay->contributions.list[end].sample == at;
         end++) {
        const struct contribution *part = &replay->contributions.list[end];
        uint32_t value = replay->value_of_event[part->event];

        if (value != IDMAP_NONE)
            values[value] = checked_add(values[value], part->amount);
        if (replay->counts_samples)
            values[0]++;
    }
    builder_stack(replay->stacks, replay->stack.list, (uint32_t)replay->stack.count, values);
    return end - first;
}

/* ---- with times ---- */

/* The event whose samples make the timeline: the first that has some. */
static uint32_t timed_event(const struct perf_data *perf)
{
    uint32_t event = 0;

    while (event < perf->events.count && !perf->events.list[event].samples)
        event++;
    return event;
}

static bool begin_timeline(struct replay *replay, struct error *err)
{
    struct perf_data *perf = replay->perf;
    uint64_t left_out = 0;

    for (size_t i = timed_event(perf) + 1u; i < perf->events.count; i++)
        left_out += perf->events.list[i].samples;
    warning_count_many(builder_warnings(perf->builder), WARNING_NOTE,
                       "samples of further events, which are no time, left out", left_out);
    return timed_samples_begin(&replay->timed, perf->builder, err);
}

/* A processor's idle loop is thread 0 on each. */
static void add_timed(struct replay *replay, size_t first, uint64_t time)
{
    const struct contribution *part = &replay->contributions.list[first];
    const struct perf_sample *sample = &replay->perf->samples.list[part->sample];
    uint64_t key = (uint64_t)sample->process << 32 | sample->thread;
    str_id name;
    uint32_t track;

    if (part->event != timed_event(replay->perf) || time > INT64_MAX)
        return;
    if (sample->thread == 0)
        key = ~(uint64_t)sample->cpu;
    collect_stack(replay, sample);
    name = command_name(replay, sample);
    track = timed_samples_track(&replay->timed, key, name, sample->process == PERF_NOBODY ? 0 : sample->process,
                                sample->thread == PERF_NOBODY ? 0 : sample->thread);
    timed_samples_add(&replay->timed, track, (int64_t)time, replay->stack.list, replay->stack.count);
}

/* ---- programs that begin and fork ---- */

/* A thread is called as it says, and before it does as that which made it. */
static void apply_name(struct replay *replay, const struct thread_record *thread, bool is_fork)
{
    uint32_t name =
        is_fork ? idmap_find(&replay->command_of_thread, thread->parent_thread) : thread->name;

    if (name != IDMAP_NONE)
        *idmap_at(&replay->command_of_thread, thread->thread) = name;
}

static void play(struct replay *replay)
{
    struct perf_data *perf = replay->perf;
    size_t next = 0;

    for (size_t i = 0; i < perf->steps.count; i++) {
        const struct perf_step *step = &perf->steps.list[replay->order[i]];

        if (step->kind == STEP_SAMPLE && next < replay->contributions.count &&
            replay->contributions.list[next].sample == step->item) {
            if (replay->has_times)
                add_timed(replay, next, step->time);
            next += replay->has_times ? parts_of_sample(replay, next) : add_sample(replay, next);
        }
        else if (step->kind == STEP_COMMAND || step->kind == STEP_FORK)
            apply_name(replay, &perf->threads.list[step->item], step->kind == STEP_FORK);
        perf_maps_step(replay->maps, step);
    }
}

/* ---- the whole ---- */

/* How callers were found out. */
static const char *stack_kind(const struct perf_data *perf)
{
    enum { CALL_STACK = 11 };
    uint64_t set = 0, branches = 0;

    for (size_t i = 0; i < perf->events.count; i++) {
        set |= perf->events.list[i].sample_type;
        branches |= perf->events.list[i].branch_type;
    }
    if (has_bit(set, SAMPLE_STACK_USER))
        return "pieces of the stack";
    if (has_bit(set, SAMPLE_BRANCH_STACK) && has_bit(branches, CALL_STACK))
        return "last branches";
    return has_bit(set, SAMPLE_CALLCHAIN) ? "frame pointers" : "none";
}

static void note_facts(const struct perf_data *perf, uint64_t not_copied)
{
    struct builder *builder = perf->builder;
    struct warnings *warnings = builder_warnings(builder);
    uint64_t lost = perf->lost > perf->lost_samples ? perf->lost : perf->lost_samples;

    builder_fact(builder, "samples", (int64_t)perf->samples.count, UNIT_COUNT);
    builder_fact(builder, "records", (int64_t)perf->records, UNIT_COUNT);
    builder_fact_text(builder, "stacks_by", span_of(stack_kind(perf)));
    if (perf->last_time > perf->first_time && perf->last_time - perf->first_time <= INT64_MAX)
        builder_known_fact(builder, FACT_DURATION, (int64_t)(perf->last_time - perf->first_time),
                           UNIT_NS);
    /* both say the same losses */
    warning_count_many(warnings, WARNING_LOSS, "samples that the recorder lost", lost);
    warning_count_many(warnings, WARNING_NOTE, "times that the kernel throttled sampling",
                       perf->throttled);
    warning_count_many(warnings, WARNING_LOSS, "maps of memory left out: there are too many",
                       not_copied);
}

bool perf_replay(struct perf_data *perf, struct error *err)
{
    struct replay replay = {.perf = perf,
                            .maps = perf_maps_new(perf),
                            .names = perf_names_new(perf),
                            .stacks = builder_stacks(perf->builder),
                            .order = sorted_order(perf->steps.count, is_earlier, perf->steps.list)};
    bool ok;

    replay.value_of_event = grow_to(NULL, perf->events.count + 1, sizeof(*replay.value_of_event));
    weigh(&replay);
    replay.has_times = builder_wants_times(perf->builder) && perf->first_time < perf->last_time;
    ok = replay.has_times ? begin_timeline(&replay, err) : begin_values(&replay, err);
    if (ok) {
        play(&replay);
        if (replay.has_times)
            timed_samples_end(&replay.timed, input_bytes_read(perf->in));
        note_facts(perf, perf_maps_dropped(replay.maps));
    }
    perf_maps_free(replay.maps);
    perf_names_free(replay.names);
    free(replay.order);
    free(replay.contributions.list);
    free(replay.value_of_event);
    free(replay.stack.list);
    idmap_free(&replay.command_of_thread);
    return ok;
}
