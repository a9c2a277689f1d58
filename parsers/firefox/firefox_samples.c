/* SPDX-License-Identifier: Apache-2.0 */
/* firefox_samples.c — the samples of a Firefox profile, added up or as they were taken */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/firefox/firefox.h"

enum { WEIGHT_ONE = 1000000, CPU_ONE = 1000, LABELS_MAX = 5 };

/* Frames that all samples with labels may have together, so that one deep stack after the other
 * takes no hours. */
static const uint64_t FRAMES_MAX = UINT64_C(1) << 25;

static const struct value_name value_names[FIREFOX_VALUES] = {
    [FIREFOX_SAMPLES] = {LITERAL("samples"), UNIT_COUNT},
    [FIREFOX_CPU] = {LITERAL("cpu"), UNIT_NS},
    [FIREFOX_CYCLES] = {LITERAL("cycles"), UNIT_COUNT},
    [FIREFOX_TRACING] = {LITERAL("tracing-ms"), UNIT_NS},
    [FIREFOX_BYTES] = {LITERAL("bytes"), UNIT_BYTES},
    [FIREFOX_JS_ALLOC] = {LITERAL("js_alloc"), UNIT_BYTES},
    [FIREFOX_NATIVE_ALLOC] = {LITERAL("native_alloc"), UNIT_BYTES},
};

struct adding {
    struct firefox *firefox;
    const struct firefox_thread *thread;
    struct firefox_tables *tables;          /* those with the thread's stacks */
    uint32_t index[FIREFOX_VALUES];         /* of the file's values */
    struct sample_label labels[LABELS_MAX]; /* of the thread; the last is the category */
    uint32_t value_count;
    struct VECTOR_OF(uint32_t) path; /* frames of a sample with labels, or stacks, the leaf first */
    struct VECTOR_OF(uint32_t) used; /* stacks with sums */
    uint64_t frames, shortened;      /* of samples with labels */
    uint64_t samples, without_stack, bad_stacks, unequal; /* in all */
};

static void warn(struct firefox *firefox, enum severity severity, const char *text, uint64_t times)
{
    warning_count_many(builder_warnings(firefox->builder), severity, text, times);
}

static struct firefox_tables *tables_with_stacks(struct firefox *firefox,
                                                 struct firefox_thread *thread)
{
    struct firefox_tables *shared = &firefox->processes.list[thread->process].shared;
    struct firefox_tables *tables =
        thread->tables.columns[STACK_FRAME].count ? &thread->tables : shared;

    firefox_give_stacks(firefox, tables, shared);
    return tables;
}

/* How many samples all of the table's columns have that are there at all. */
static size_t sample_rows(struct adding *adding)
{
    const struct firefox_tables *tables = &adding->thread->tables;
    size_t rows = tables->columns[SAMPLE_STACK].count;

    for (size_t i = SAMPLE_STACK; i <= SAMPLE_CPU; i++)
        if (tables->columns[i].count && tables->columns[i].count < rows)
            rows = tables->columns[i].count;
    adding->unequal += tables->columns[SAMPLE_STACK].count - rows;
    return rows;
}

/* The row's stack, or NO_STACK; counts which it was. */
static uint32_t stack_at(struct adding *adding, enum firefox_column column, size_t row)
{
    int64_t stack = firefox_cell(&adding->thread->tables, column, (int64_t)row);

    if (stack == UNKNOWN)
        adding->without_stack++;
    else if (stack < 0 || (uint64_t)stack >= adding->tables->columns[STACK_FRAME].count)
        adding->bad_stacks++;
    else
        return (uint32_t)stack;
    return NO_STACK;
}

/* ---- labels ---- */

static struct sample_label label(struct firefox *firefox, struct span key, str_id text)
{
    return (struct sample_label){.key = builder_intern(firefox->builder, key), .text = text};
}

static void give_labels(struct adding *adding)
{
    const struct firefox_thread *thread = adding->thread;

    adding->labels[0] = label(adding->firefox, SPAN("thread"), thread->name);
    adding->labels[1] = label(adding->firefox, SPAN("process"), thread->process_name);
    adding->labels[2] = label(adding->firefox, SPAN("pid"), thread->pid);
    adding->labels[3] = label(adding->firefox, SPAN("tid"), thread->tid);
    adding->labels[4] = label(adding->firefox, SPAN("category"), 0);
}

/* Of the innermost frame that has one. */
static str_id category_of(const struct adding *adding, uint32_t stack)
{
    const struct firefox_tables *shared =
        &adding->firefox->processes.list[adding->thread->process].shared;
    const struct firefox_tables *framed =
        adding->thread->tables.columns[FRAME_CATEGORY].count ? &adding->thread->tables : shared;
    int64_t category = UNKNOWN;

    for (; category == UNKNOWN && stack != NO_STACK; stack = adding->tables->stacks[stack].parent) {
        category = firefox_cell(adding->tables, STACK_CATEGORY, stack);
        if (category == UNKNOWN)
            category = firefox_cell(framed, FRAME_CATEGORY,
                                    firefox_cell(adding->tables, STACK_FRAME, stack));
    }
    return category >= 0 && (uint64_t)category < shared->categories.count
               ? shared->categories.list[category]
               : 0;
}

/* What the thread's samples with a stack come to: each value, and how many there are. */
static int64_t *sums_of(const struct adding *adding, uint32_t stack)
{
    return adding->tables->sums + (size_t)stack * (adding->value_count + 1);
}

static void add_with_labels(struct adding *adding, uint32_t stack, const int64_t *values)
{
    struct stack_builder *builder = builder_stacks(adding->firefox->builder);
    struct sample_label labels[LABELS_MAX];
    uint32_t count = 0;

    adding->labels[LABELS_MAX - 1].text = category_of(adding, stack);
    for (size_t i = 0; i < LABELS_MAX; i++)
        if (adding->labels[i].text)
            labels[count++] = adding->labels[i];
    adding->path.count = 0;
    for (uint32_t at = stack; at != NO_STACK; at = adding->tables->stacks[at].parent) {
        if (adding->path.count && adding->frames >= FRAMES_MAX) {
            adding->shortened++;
            break;
        }
        adding->frames++;
        vector_add(&adding->path, adding->tables->stacks[at].frame);
    }
    builder_labels(builder, labels, count);
    builder_stack(builder, adding->path.list, (uint32_t)adding->path.count, values);
}

/* ---- the tree ---- */

/* The node of a stack, made when it is first asked for, after those above it. */
static node_id node_of(struct adding *adding, uint32_t stack)
{
    struct firefox_tables *tables = adding->tables;
    uint32_t at = stack;
    node_id above = 0;

    adding->path.count = 0;
    for (; at != NO_STACK && !tables->nodes[at]; at = tables->stacks[at].parent)
        vector_add(&adding->path, at);
    if (at != NO_STACK)
        above = tables->nodes[at];
    while (adding->path.count) {
        at = adding->path.list[--adding->path.count];
        above = builder_child(builder_stacks(adding->firefox->builder), above,
                              tables->stacks[at].frame);
        tables->nodes[at] = above;
    }
    return above;
}

static void add_amounts(struct adding *adding, uint32_t stack, const int64_t *values)
{
    struct stack_builder *builder = builder_stacks(adding->firefox->builder);

    if (builder_wants_labels(builder)) {
        int64_t *sums = sums_of(adding, stack);

        if (!sums[adding->value_count]++)
            vector_add(&adding->used, stack);
        for (uint32_t v = 0; v < adding->value_count; v++)
            sums[v] = checked_add(sums[v], values[v]);
        return;
    }
    for (uint32_t v = 0; v < adding->value_count; v++)
        if (values[v])
            builder_add(builder, node_of(adding, stack), v, values[v]);
}

static void add_samples(struct adding *adding)
{
    const struct firefox_thread *thread = adding->thread;
    int64_t cpu_per_ns = adding->firefox->processes.list[thread->process].cpu_per_ns;
    enum firefox_value cpu_value = cpu_per_ns ? FIREFOX_CPU : FIREFOX_CYCLES;
    size_t rows = sample_rows(adding);

    for (size_t i = 0; i < rows; i++) {
        uint32_t stack = stack_at(adding, SAMPLE_STACK, i);
        int64_t values[FIREFOX_VALUES] = {0};
        int64_t weight = firefox_cell(&thread->tables, SAMPLE_WEIGHT, (int64_t)i);
        int64_t cpu = firefox_cell(&thread->tables, SAMPLE_CPU, (int64_t)i);

        if (stack == NO_STACK)
            continue;
        if (weight == UNKNOWN)
            weight = WEIGHT_ONE;
        values[adding->index[thread->weight]] =
            thread->weight == FIREFOX_TRACING ? weight : weight / WEIGHT_ONE;
        if (cpu != UNKNOWN)
            values[adding->index[cpu_value]] = cpu / (cpu_per_ns ? cpu_per_ns : CPU_ONE);
        add_amounts(adding, stack, values);
    }
    adding->samples += rows;
}

/* What is freed counts against what was allocated there. */
static void add_allocations(struct adding *adding, enum firefox_column stacks,
                            enum firefox_column weights, enum firefox_value value)
{
    for (size_t i = 0; i < adding->thread->tables.columns[stacks].count; i++) {
        uint32_t stack = stack_at(adding, stacks, i);
        int64_t values[FIREFOX_VALUES] = {0};
        int64_t weight = firefox_cell(&adding->thread->tables, weights, (int64_t)i);

        if (stack == NO_STACK || weight == UNKNOWN)
            continue;
        values[adding->index[value]] = weight;
        add_amounts(adding, stack, values);
    }
}

/* Which values any thread has. */
static bool begin_tree(struct adding *adding, struct error *err)
{
    struct firefox *firefox = adding->firefox;
    struct value_name values[FIREFOX_VALUES];
    bool is_there[FIREFOX_VALUES] = {false};
    uint32_t count = 0;

    for (size_t i = 0; i < firefox->threads.count; i++) {
        const struct firefox_thread *thread = &firefox->threads.list[i];
        const struct firefox_process *process = &firefox->processes.list[thread->process];

        is_there[thread->weight] |= thread->tables.columns[SAMPLE_STACK].count > 0;
        is_there[process->cpu_per_ns ? FIREFOX_CPU : FIREFOX_CYCLES] |=
            thread->tables.columns[SAMPLE_CPU].count > 0;
        is_there[FIREFOX_JS_ALLOC] |= thread->tables.columns[JS_STACK].count > 0;
        is_there[FIREFOX_NATIVE_ALLOC] |= thread->tables.columns[NATIVE_STACK].count > 0;
    }
    for (size_t v = 0; v < FIREFOX_VALUES; v++) {
        adding->index[v] = is_there[v] ? count : UINT32_MAX;
        if (is_there[v])
            values[count++] = value_names[v];
    }
    adding->value_count = count;
    return builder_begin(firefox->builder, LEVEL_CALLTREE, values, count, 0, err);
}

static bool build_tree(struct adding *adding, struct error *err)
{
    struct firefox *firefox = adding->firefox;

    if (!begin_tree(adding, err))
        return false;
    for (size_t i = 0; i < firefox->threads.count; i++) {
        adding->thread = &firefox->threads.list[i];
        adding->tables = tables_with_stacks(firefox, &firefox->threads.list[i]);
        if (!adding->tables->nodes)
            adding->tables->nodes = grow_zeroed(adding->tables->columns[STACK_FRAME].count + 1,
                                                sizeof(*adding->tables->nodes));
        if (builder_wants_labels(builder_stacks(firefox->builder)))
            give_labels(adding);
        if (!adding->tables->sums && builder_wants_labels(builder_stacks(firefox->builder)))
            adding->tables->sums =
                grow_zeroed(adding->tables->columns[STACK_FRAME].count + 1,
                            (adding->value_count + 1) * sizeof(*adding->tables->sums));
        add_samples(adding);
        add_allocations(adding, JS_STACK, JS_WEIGHT, FIREFOX_JS_ALLOC);
        add_allocations(adding, NATIVE_STACK, NATIVE_WEIGHT, FIREFOX_NATIVE_ALLOC);
        while (adding->used.count) {
            uint32_t stack = adding->used.list[--adding->used.count];

            add_with_labels(adding, stack, sums_of(adding, stack));
            memset(sums_of(adding, stack), 0,
                   (adding->value_count + 1) * sizeof(*adding->tables->sums));
        }
    }
    warn(firefox, WARNING_LOSS,
         "stacks of samples with labels cut short: they are too deep together", adding->shortened);
    free(adding->path.list);
    free(adding->used.list);
    return true;
}

/* ---- times ---- */

/* ns since the first process began to record; UNKNOWN where the file has no time. */
static int64_t sample_time(const struct adding *adding, size_t row, int64_t *now)
{
    const struct firefox_process *processes = adding->firefox->processes.list;
    const struct firefox_tables *tables = &adding->thread->tables;
    int64_t delta = firefox_cell(tables, SAMPLE_TIME_DELTA, (int64_t)row);
    int64_t time = firefox_cell(tables, SAMPLE_TIME, (int64_t)row);

    if (tables->columns[SAMPLE_TIME_DELTA].count)
        time = *now = checked_add(*now, delta == UNKNOWN ? 0 : delta);
    return time == UNKNOWN ? UNKNOWN
                           : checked_add(time, checked_sub(processes[adding->thread->process].start,
                                                           processes[0].start));
}

/* Returns when the last of the thread's samples ends, or UNKNOWN where none has a time. */
static int64_t add_times(struct adding *adding, struct sampled *sampled, uint32_t track)
{
    int64_t interval = adding->firefox->processes.list[adding->thread->process].interval;
    int64_t now = 0, end = UNKNOWN;
    size_t rows = sample_rows(adding);

    for (size_t i = 0; i < rows; i++) {
        int64_t time = sample_time(adding, i, &now);
        uint32_t stack = stack_at(adding, SAMPLE_STACK, i);

        if (time == UNKNOWN)
            continue;
        end = time > end ? time : end;
        sampled_add(sampled, track, time,
                    stack == NO_STACK ? 0 : adding->tables->first_stack + stack);
    }
    adding->samples += rows;
    if (end == UNKNOWN)
        return UNKNOWN;
    end = checked_add(end, interval);
    sampled_add(sampled, track, end, 0);
    return end;
}

/* The nodes of a table's stacks: numbered one after the other, from the first. */
static void list_stacks(struct firefox_tables *tables, struct sampled *sampled)
{
    if (tables->first_stack)
        return;
    tables->first_stack = (uint32_t)sampled->nodes.count;
    for (size_t i = 0; i < tables->columns[STACK_FRAME].count; i++) {
        struct sampled_node node = tables->stacks[i];
        uint32_t at = sampled_node(sampled, sampled->nodes.count);

        node.parent = node.parent == NO_STACK ? 0 : tables->first_stack + node.parent;
        sampled->nodes.list[at] = node;
    }
}

static bool build_timeline(struct adding *adding, struct error *err)
{
    struct firefox *firefox = adding->firefox;
    struct sampled sampled = {0};
    struct sampled_budget budget;
    int64_t last = INT64_MIN;

    if (!builder_begin_timeline(firefox->builder, err))
        return false;
    (void)sampled_node(&sampled, 0);
    sampled.nodes.list[0] = (struct sampled_node){0, NO_STACK};
    for (size_t i = 0; i < firefox->threads.count; i++) {
        struct firefox_thread *thread = &firefox->threads.list[i];
        uint32_t track = builder_track(
            builder_timeline(firefox->builder),
            &(struct track){.name = thread->name, .kind = TRACK_SAMPLES, .device = -1});
        int64_t end;

        adding->thread = thread;
        adding->tables = tables_with_stacks(firefox, thread);
        list_stacks(adding->tables, &sampled);
        end = add_times(adding, &sampled, track);
        last = end > last ? end : last;
    }
    budget = sampled_budget(adding->samples, input_bytes_read(firefox->json->in));
    sampled_emit(&sampled, firefox->builder, last, &budget);
    sampled_warn(&budget, firefox->builder);
    if (firefox->wants_beside)
        firefox_add_beside(firefox);
    warn(firefox, WARNING_NOTE, "samples: times and calls of functions are estimates",
         adding->samples);
    sampled_free(&sampled);
    return true;
}

/* ---- the whole ---- */

static bool has_times(const struct firefox *firefox)
{
    for (size_t i = 0; i < firefox->threads.count; i++)
        if (firefox->threads.list[i].tables.columns[SAMPLE_TIME].count ||
            firefox->threads.list[i].tables.columns[SAMPLE_TIME_DELTA].count ||
            firefox->threads.list[i].tables.columns[MARKER_START].count)
            return true;
    return false;
}

/* What stands beside the samples: markers, counters, and the time on CPUs. */
static void note_others(struct firefox *firefox)
{
    enum { COUNTERS_TOLD = 16 };
    int64_t cpu = 0;

    for (size_t i = 0; i < firefox->threads.count; i++) {
        const struct firefox_thread *thread = &firefox->threads.list[i];
        int64_t per_ns = firefox->processes.list[thread->process].cpu_per_ns;

        for (size_t row = 0; per_ns && row < thread->tables.columns[SAMPLE_CPU].count; row++) {
            int64_t delta = thread->tables.columns[SAMPLE_CPU].list[row];

            cpu = checked_add(cpu, delta == UNKNOWN ? 0 : delta / per_ns);
        }
    }
    if (cpu)
        builder_fact(firefox->builder, "cpu_time", cpu, UNIT_NS);
    if (firefox->markers)
        builder_fact(firefox->builder, "markers", (int64_t)firefox->markers, UNIT_COUNT);
    if (firefox->counters.count)
        builder_fact(firefox->builder, "counters", (int64_t)firefox->counters.count, UNIT_COUNT);
    for (size_t i = 0; i < firefox->counters.count && i < COUNTERS_TOLD; i++)
        builder_fact_text(firefox->builder, "counter",
                          builder_text(firefox->builder, firefox->counters.list[i]));
}

/* From the first sample to the last, and the time that this stands for. */
static void note_facts(struct firefox *firefox, const struct adding *counted)
{
    struct adding adding = {.firefox = firefox};
    int64_t first = INT64_MAX, last = INT64_MIN;

    for (size_t i = 0; i < firefox->threads.count; i++) {
        int64_t now = 0;

        adding.thread = &firefox->threads.list[i];
        for (size_t row = 0; row < adding.thread->tables.columns[SAMPLE_STACK].count; row++) {
            int64_t time = sample_time(&adding, row, &now);

            first = time != UNKNOWN && time < first ? time : first;
            last = time > last ? time : last;
        }
    }
    builder_fact(firefox->builder, "samples", (int64_t)counted->samples, UNIT_COUNT);
    builder_fact(firefox->builder, "threads", (int64_t)firefox->threads.count, UNIT_COUNT);
    if (firefox->processes.list[0].interval)
        builder_fact(firefox->builder, "interval", firefox->processes.list[0].interval, UNIT_NS);
    if (first < last)
        builder_known_fact(
            firefox->builder, FACT_DURATION,
            checked_add(checked_sub(last, first), firefox->processes.list[0].interval), UNIT_NS);
}

bool firefox_build(struct firefox *firefox, struct error *err)
{
    struct adding adding = {.firefox = firefox};
    bool ok = builder_wants_times(firefox->builder) && has_times(firefox)
                  ? build_timeline(&adding, err)
                  : build_tree(&adding, err);

    if (!ok)
        return false;
    warn(firefox, WARNING_NOTE, "samples without a stack, left out", adding.without_stack);
    warn(firefox, WARNING_LOSS, "samples of stacks that the file does not have, left out",
         adding.bad_stacks);
    warn(firefox, WARNING_LOSS, "samples that not all columns of their table have, left out",
         adding.unequal);
    note_facts(firefox, &adding);
    note_others(firefox);
    return true;
}
