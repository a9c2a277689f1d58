/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_samples.c — what the events of a recording come to: rows of counts and amounts, by stack and kind */
#include <stdlib.h>

#include "base/checked.h"
#include "graph/classify/function_class.h"
#include "parsers/jfr/jfr.h"

enum { NS_PER_S = 1000000000, KIND_BITS = 8 };

/* The order is that of the values, and their places are enum jfr_known. */
const struct jfr_rule jfr_rules[JFR_RULES] = {
    [JFR_SAMPLE] = {"ExecutionSample", "samples", {{0}}},
    [JFR_WALL] = {"WallClockSample", NULL, {{"wall", UNIT_COUNT, FIELD_SAMPLES}}},
    [JFR_NATIVE] = {"NativeMethodSample", "native", {{0}}},
    [JFR_CPU_TIME] = {"CPUTimeSample",
                      "cpu-samples",
                      {{"cpu-time", UNIT_NS, FIELD_SAMPLING_PERIOD}}},
    [JFR_ALLOCATION] = {"ObjectAllocationSample",
                        "alloc_count",
                        {{"alloc_bytes", UNIT_BYTES, FIELD_WEIGHT}}},
    [JFR_TLAB] = {"ObjectAllocationInNewTLAB",
                  "tlab_count",
                  {{"tlab_bytes", UNIT_BYTES, FIELD_TLAB_SIZE}}},
    [JFR_OUTSIDE_TLAB] = {"ObjectAllocationOutsideTLAB",
                          "outside_tlab_count",
                          {{"outside_tlab_bytes", UNIT_BYTES, FIELD_ALLOCATION_SIZE}}},
    [JFR_LIVE] = {"LiveObject", "live_count", {{"live_bytes", UNIT_BYTES, FIELD_ALLOCATION_SIZE}}},
    [JFR_MALLOC] = {"Malloc", "malloc_count", {{"malloc_bytes", UNIT_BYTES, FIELD_SIZE}}},
    [JFR_MONITOR] = {"JavaMonitorEnter", "contentions", {{"contention", UNIT_NS, FIELD_DURATION}}},
    [JFR_PARK] = {"ThreadPark", "parks", {{"parked", UNIT_NS, FIELD_DURATION}}},
    [JFR_MONITOR_WAIT] = {"JavaMonitorWait",
                          "monitor_waits",
                          {{"monitor_waited", UNIT_NS, FIELD_DURATION}}},
    [JFR_SLEEP] = {"ThreadSleep", "sleeps", {{"slept", UNIT_NS, FIELD_DURATION}}},
    [JFR_FILE_READ] = {"FileRead",
                       "file_reads",
                       {{"file_read_time", UNIT_NS, FIELD_DURATION},
                        {"file_read_bytes", UNIT_BYTES, FIELD_BYTES_READ}}},
    [JFR_FILE_WRITE] = {"FileWrite",
                        "file_writes",
                        {{"file_write_time", UNIT_NS, FIELD_DURATION},
                         {"file_write_bytes", UNIT_BYTES, FIELD_BYTES_WRITTEN}}},
    [JFR_SOCKET_READ] = {"SocketRead",
                         "socket_reads",
                         {{"socket_read_time", UNIT_NS, FIELD_DURATION},
                          {"socket_read_bytes", UNIT_BYTES, FIELD_BYTES_READ}}},
    [JFR_SOCKET_WRITE] = {"SocketWrite",
                          "socket_writes",
                          {{"socket_write_time", UNIT_NS, FIELD_DURATION},
                           {"socket_write_bytes", UNIT_BYTES, FIELD_BYTES_WRITTEN}}},
    [JFR_COLLECTION] = {"GarbageCollection",
                        "collections",
                        {{"gc_pauses", UNIT_NS, FIELD_SUM_OF_PAUSES}}},
    [JFR_PAUSE] = {"GCPhasePause", "gc_phases", {{"gc_pauses", UNIT_NS, FIELD_DURATION}}},
    [JFR_LOAD] = {"CPULoad", NULL, {{"cpu", UNIT_NS, FIELD_OTHER}}},
};

/* ---- kinds of events ---- */

/* What the JVM says of its recording, and not of the program. */
static bool is_of_the_recorder(struct span event)
{
    static const char *const own[] = {"ActiveSetting", "ActiveRecording",  "DataLoss", "DumpReason",
                                      "Flush",         "RecordingSetting", NULL};

    return span_is_any(event, own);
}

/* "jdk.X", "profiler.X", and "com.oracle.jdk.X" of JDK 9 and 10, where an event is one of ours. */
static struct span event_of(struct span class_name)
{
    static const char *const makers[] = {"com.oracle.jdk.", "jdk.", "profiler."};

    for (size_t i = 0; i < COUNT_OF(makers); i++)
        if (span_starts(class_name, span_of(makers[i])))
            return span_after(class_name, strlen(makers[i]));
    return SPAN("");
}

uint32_t jfr_kind_of(struct jfr *jfr, struct span class_name)
{
    struct span event = event_of(class_name);
    str_id name;

    if (is_of_the_recorder(event))
        return JFR_NO_KIND;
    for (uint32_t i = 0; i < JFR_RULES; i++)
        if (span_eq(event, span_of(jfr_rules[i].event)))
            return i;
    if (span_starts(class_name, SPAN("com.oracle.jdk.")))
        class_name = span_after(class_name, strlen("com.oracle."));
    name = builder_intern(jfr->builder, class_name);
    for (uint32_t i = JFR_RULES; i < jfr->kind_count; i++)
        if (jfr->kinds[i].name == name)
            return i;
    if (jfr->kind_count == JFR_KINDS_MAX)
        return JFR_BEYOND;
    jfr->kinds[jfr->kind_count].name = name;
    return jfr->kind_count++;
}

/* ---- rows ---- */

/* The name of the event's thread, or 0; `id`: its number in the recording. */
static str_id thread_of(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event, int64_t *id)
{
    static const enum jfr_field fields[] = {FIELD_SAMPLED_THREAD, FIELD_EVENT_THREAD};
    struct jfr_value thread;

    *id = 0;
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        struct span name;

        if (!jfr_constant(chunk, event, fields[i], &thread))
            continue;
        name = jfr_text(chunk, &thread, FIELD_JAVA_NAME, &jfr->text);
        if (!name.len)
            name = jfr_text(chunk, &thread, FIELD_OS_NAME, &jfr->text);
        if (!name.len)
            continue;
        *id = (int64_t)jfr_id(event, fields[i]);
        return builder_intern(jfr->builder, name);
    }
    return 0;
}

static uint32_t labels_of(struct jfr *jfr, const struct jfr_chunk *chunk,
                          const struct jfr_value *event)
{
    struct jfr_labels labels = {0};
    struct span name = jfr_text(chunk, event, FIELD_STATE, &jfr->text);
    uint32_t *known;
    int64_t id;

    labels.state = name.len ? builder_intern(jfr->builder, name) : 0;
    labels.thread = thread_of(jfr, chunk, event, &id);
    if (!labels.thread && !labels.state)
        return 0;
    known = idmap_at(&jfr->labels_of, idmap_pair(labels.thread, labels.state));
    if (*known == IDMAP_NONE) {
        vector_add(&jfr->labels, labels);
        *known = (uint32_t)jfr->labels.count;
    }
    return *known;
}

static struct jfr_row *row_of(struct jfr *jfr, uint32_t node, uint32_t kind, uint32_t labels)
{
    uint32_t *known = idmap_at(&jfr->row_of, idmap_pair(node, labels << KIND_BITS | kind));

    if (*known == IDMAP_NONE) {
        *known = (uint32_t)jfr->rows.count;
        vector_add(&jfr->rows, (struct jfr_row){.node = node, .kind = kind, .labels = labels});
        jfr->kinds[kind].is_there = true;
        jfr->kinds[kind].has_stacks |= node != 0;
    }
    return &jfr->rows.list[*known];
}

static int64_t amount_of(const struct jfr_chunk *chunk, const struct jfr_value *event,
                         const struct jfr_amount *amount)
{
    __extension__ typedef __int128 wide;
    int64_t figure = not_negative(jfr_number(chunk, event, amount->field));
    wide ns;

    if (amount->field != FIELD_DURATION && amount->field != FIELD_SUM_OF_PAUSES)
        return figure;
    ns = chunk->hz == NS_PER_S ? figure : (wide)figure * NS_PER_S / chunk->hz; /* of ticks */
    return ns < INT64_MAX ? (int64_t)ns : INT64_MAX;
}

/* Kinds whose samples make a timeline: the first that the file has. */
static bool is_time(uint32_t kind)
{
    return kind == JFR_SAMPLE || kind == JFR_WALL || kind == JFR_NATIVE || kind == JFR_CPU_TIME;
}

static void note_time(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event, uint32_t kind,
                      uint32_t node)
{
    struct jfr_timed sample = {.time = jfr_time(chunk, jfr_number(chunk, event, FIELD_START)), .node = node, .kind = kind};

    sample.thread = thread_of(jfr, chunk, event, &sample.thread_id);
    vector_add(&jfr->timed, sample);
}

void jfr_add(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event,
             uint32_t kind, uint32_t node)
{
    uint32_t labels = jfr->wants_labels ? labels_of(jfr, chunk, event) : 0;
    struct jfr_row *row = row_of(jfr, node, kind, labels);

    row->count++;
    if (jfr->wants_times && is_time(kind))
        note_time(jfr, chunk, event, kind, node);
    if (kind >= JFR_RULES)
        return;
    for (size_t i = 0; i < JFR_AMOUNTS && jfr_rules[kind].amounts[i].name; i++)
        row->amounts[i] =
            checked_add(row->amounts[i], amount_of(chunk, event, &jfr_rules[kind].amounts[i]));
}

/* ---- what processors did ---- */

void jfr_add_load(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event)
{
    struct jfr_load *load = &jfr->load;
    int64_t now = jfr_time(chunk, jfr_number(chunk, event, FIELD_START));
    int64_t from = load->last > chunk->start ? load->last : chunk->start;
    double time = now > from ? (double)(now - from) : 0;

    load->seen += time;
    load->user += time * jfr_fraction(chunk, event, FIELD_JVM_USER);
    load->system += time * jfr_fraction(chunk, event, FIELD_JVM_SYSTEM);
    load->last = now > load->last ? now : load->last;
}

/* Time on processors: the mean load, of all processors, for as long as was recorded. */
static void note_load(struct jfr *jfr)
{
    const struct jfr_load *load = &jfr->load;
    double all = load->seen > 0 ? (double)jfr->duration * (double)load->processors / load->seen : 0;
    const int64_t times[] = {checked_whole(load->user * all), checked_whole(load->system * all)};
    static const enum fact_id facts[] = {FACT_USER_TIME, FACT_SYSTEM_TIME};
    static const char *const names[] = {"(user code of the JVM)", "(the kernel for the JVM)"};

    if (all <= 0)
        return;
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        row_of(jfr, jfr_named_node(jfr, 0, span_of(names[i])), JFR_LOAD, 0)->amounts[0] = times[i];
        builder_known_fact(jfr->builder, facts[i], times[i], UNIT_NS);
    }
    builder_fact(jfr->builder, "processors", load->processors, UNIT_COUNT);
    warning_count_many(builder_warnings(jfr->builder), WARNING_NOTE,
                       "times on processors from means of the JVM's load (jdk.CPULoad)", 1);
}

/* ---- onto the graph ---- */

struct jfr_values {
    struct value_name names[(1 + JFR_AMOUNTS) * JFR_KINDS_MAX];
    uint32_t count;
};

static void add_value(struct jfr_values *values, struct span name, enum unit unit, uint32_t *place)
{
    values->names[values->count] = (struct value_name){name, unit};
    *place = ++values->count;
}

/* New TLABs are the file's allocations, unless it samples those. */
static struct span value_named(const struct jfr *jfr, const char *name)
{
    if (strncmp(name, "tlab_", 5) != 0 || jfr->kinds[JFR_ALLOCATION].is_there)
        return span_of(name);
    return name[5] == 'b' ? SPAN("alloc_bytes") : SPAN("alloc_count");
}

/* A kind that no rule is for is worth a value where its events have stacks. The pauses of a
 * collection are its phases' as well. */
static bool is_value(const struct jfr *jfr, uint32_t kind)
{
    if (kind == JFR_PAUSE && jfr->kinds[JFR_COLLECTION].is_there)
        return false;
    return kind < JFR_RULES ? jfr->kinds[kind].is_there : jfr->kinds[kind].has_stacks;
}

static void name_values(struct jfr *jfr, struct jfr_values *values)
{
    for (uint32_t k = 0; k < jfr->kind_count; k++) {
        const struct jfr_rule *rule = k < JFR_RULES ? &jfr_rules[k] : NULL;
        struct jfr_kind *kind = &jfr->kinds[k];

        if (!is_value(jfr, k))
            continue;
        for (size_t i = 0; rule && i < JFR_AMOUNTS && rule->amounts[i].name; i++)
            add_value(values, value_named(jfr, rule->amounts[i].name), rule->amounts[i].unit,
                      &kind->of_amount[i]);
        if (!rule || rule->count)
            add_value(values,
                      rule ? value_named(jfr, rule->count) : builder_text(jfr->builder, kind->name),
                      UNIT_COUNT, &kind->of_count);
    }
    if (!values->count)
        values->names[values->count++] = (struct value_name){SPAN("samples"), UNIT_COUNT};
}

static void plant_row(struct jfr *jfr, const struct jfr_row *row, int64_t *figures)
{
    const struct jfr_kind *kind = &jfr->kinds[row->kind];
    struct stack_builder *builder = builder_stacks(jfr->builder);
    struct sample_label labels[2];
    uint32_t count = 0;

    if (kind->of_count)
        figures[kind->of_count - 1] = row->count;
    for (size_t i = 0; i < JFR_AMOUNTS; i++)
        if (kind->of_amount[i])
            figures[kind->of_amount[i] - 1] = row->amounts[i];
    if (row->labels) {
        const struct jfr_labels *known = &jfr->labels.list[row->labels - 1];

        if (known->thread)
            labels[count++] = (struct sample_label){
                .key = builder_intern(jfr->builder, SPAN("thread")), .text = known->thread};
        if (known->state)
            labels[count++] = (struct sample_label){
                .key = builder_intern(jfr->builder, SPAN("state")), .text = known->state};
    }
    jfr->path.count = 0;
    for (uint32_t at = row->node; at; at = jfr->stacks.nodes.list[at - 1].parent)
        vector_add(&jfr->path, jfr->stacks.nodes.list[at - 1].frame);
    if (jfr->wants_labels)
        builder_labels(builder, labels, count);
    builder_records(builder, row->count);
    builder_stack(builder, jfr->path.list, (uint32_t)jfr->path.count, figures);
    if (kind->of_count)
        figures[kind->of_count - 1] = 0;
    for (size_t i = 0; i < JFR_AMOUNTS; i++)
        if (kind->of_amount[i])
            figures[kind->of_amount[i] - 1] = 0;
}

/* ---- what the program waited for ---- */

/* The function of the program's own that waits, or is behind what does. */
static frame_id own_function(const struct jfr *jfr, uint32_t node)
{
    for (uint32_t at = node; at; at = jfr->stacks.nodes.list[at - 1].parent) {
        frame_id frame = jfr->stacks.nodes.list[at - 1].frame;

        if (!java_is_of_the_jdk(builder_frame_name(jfr->builder, frame)))
            return frame;
    }
    return 0;
}

struct jfr_waits {
    int64_t time, calls, bytes;
    frame_id place; /* where most of the time is; 0: not known */
};

/* Of the kinds from `first` to `last`. */
static struct jfr_waits sum_waits(struct jfr *jfr, enum jfr_known first, enum jfr_known last)
{
    struct jfr_waits waits = {0};
    struct idmap by_place = {0};
    struct VECTOR_OF(int64_t) times = {0};
    int64_t most = 0;

    for (size_t r = 0; r < jfr->rows.count; r++) {
        const struct jfr_row *row = &jfr->rows.list[r];
        frame_id place;
        uint32_t *known;

        if (row->kind < (unsigned)first || row->kind > (unsigned)last)
            continue;
        waits.time = checked_add(waits.time, row->amounts[0]);
        waits.calls = checked_add(waits.calls, row->count);
        waits.bytes = checked_add(waits.bytes, row->amounts[1]);
        place = own_function(jfr, row->node);
        known = idmap_at(&by_place, place);
        if (*known == IDMAP_NONE) {
            *known = (uint32_t)times.count;
            vector_add(&times, 0);
        }
        times.list[*known] = checked_add(times.list[*known], row->amounts[0]);
        if (place && times.list[*known] > most) {
            most = times.list[*known];
            waits.place = place;
        }
    }
    idmap_free(&by_place);
    free(times.list);
    return waits;
}

static void note_waits(struct jfr *jfr)
{
    static const struct {
        enum jfr_known first, last;
        enum fact_id time, calls, bytes, place;
    } told[] = {
        {JFR_FILE_READ, JFR_FILE_WRITE, FACT_FILE_TIME, FACT_FILE_CALLS, FACT_FILE_BYTES,
         FACT_FILE_PLACE},
        {JFR_SOCKET_READ, JFR_SOCKET_WRITE, FACT_SOCKET_TIME, FACT_SHOWN, FACT_SHOWN, FACT_SHOWN},
        {JFR_MONITOR, JFR_MONITOR, FACT_CONTENTION_TIME, FACT_SHOWN, FACT_SHOWN, FACT_SHOWN},
    };
    bool has_collections = jfr->kinds[JFR_COLLECTION].is_there;

    for (size_t i = 0; i < COUNT_OF(told); i++) {
        struct jfr_waits waits = sum_waits(jfr, told[i].first, told[i].last);

        if (!waits.calls)
            continue;
        builder_known_fact(jfr->builder, told[i].time, waits.time, UNIT_NS);
        if (told[i].calls == FACT_SHOWN)
            continue;
        builder_known_fact(jfr->builder, told[i].calls, waits.calls, UNIT_COUNT);
        builder_known_fact(jfr->builder, told[i].bytes, waits.bytes, UNIT_BYTES);
        if (waits.place)
            builder_known_text(jfr->builder, told[i].place,
                               builder_frame_name(jfr->builder, waits.place));
    }
    if (has_collections || jfr->kinds[JFR_PAUSE].is_there) {
        enum jfr_known pauses = has_collections ? JFR_COLLECTION : JFR_PAUSE;
        struct jfr_waits waits = sum_waits(jfr, pauses, pauses);

        builder_known_fact(jfr->builder, FACT_PAUSES, waits.time, UNIT_NS);
        builder_fact(jfr->builder, "collections", waits.calls, UNIT_COUNT);
    }
}

/* ---- the tree ---- */

static bool plant_tree(struct jfr *jfr, struct error *err)
{
    struct jfr_values *values = grow_zeroed(1, sizeof(*values));
    uint64_t stackless = 0;
    bool ok;

    note_load(jfr);
    name_values(jfr, values);
    ok = builder_begin(jfr->builder, LEVEL_CALLTREE, values->names, values->count, 0, err);
    if (ok) {
        int64_t *figures = grow_zeroed(values->count, sizeof(*figures));

        for (size_t r = 0; r < jfr->rows.count; r++) {
            const struct jfr_row *row = &jfr->rows.list[r];

            if (!is_value(jfr, row->kind))
                continue;
            plant_row(jfr, row, figures);
            stackless += row->node ? 0 : (uint64_t)row->count;
        }
        free(figures);
        note_waits(jfr);
        warning_count_many(builder_warnings(jfr->builder), WARNING_NOTE,
                           "samples without a stack, in no function", stackless);
    }
    free(values);
    return ok;
}

/* ---- with times ---- */

static bool plant_timeline(struct jfr *jfr, struct error *err)
{
    struct timed_samples timed;
    uint32_t kind = JFR_RULES;

    for (size_t i = 0; i < jfr->timed.count; i++)
        kind = jfr->timed.list[i].kind < kind ? jfr->timed.list[i].kind : kind;
    if (!timed_samples_begin(&timed, jfr->builder, err))
        return false;
    for (size_t i = 0; i < jfr->timed.count; i++) {
        const struct jfr_timed *sample = &jfr->timed.list[i];
        uint64_t key = (uint64_t)sample->thread_id * UINT64_C(0x9E3779B97F4A7C15) ^ sample->thread;

        if (sample->kind != kind)
            continue;
        jfr->path.count = 0;
        for (uint32_t at = sample->node; at; at = jfr->stacks.nodes.list[at - 1].parent)
            vector_add(&jfr->path, jfr->stacks.nodes.list[at - 1].frame);
        timed_samples_add(&timed, timed_samples_track(&timed, key, sample->thread, 0, sample->thread_id), sample->time,
                          jfr->path.list, jfr->path.count);
    }
    timed_samples_end(&timed, input_bytes_read(jfr->in));
    return true;
}

/* ---- the whole ---- */

bool jfr_plant(struct jfr *jfr, struct error *err)
{
    return jfr->timed.count ? plant_timeline(jfr, err) : plant_tree(jfr, err);
}
