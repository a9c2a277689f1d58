/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_ftrace.c — which thread each processor ran, as Linux's scheduler tells it */
#include <stdlib.h>

#include "parsers/perfetto/perfetto.h"

/* From now on the processor runs this thread; 0 is its idle loop. */
static void add_switch(struct perfetto *perfetto, uint32_t row, int64_t time, int32_t tid,
                       str_id name)
{
    vector_add(
        &perfetto->switches,
        (struct perfetto_event){.time = time,
                                .clock = perfetto_clock(&perfetto->clocks, CLOCK_BOOTTIME_ID, 0),
                                .row = row,
                                .name = tid ? name : 0,
                                .type = PERFETTO_STATE});
}

/* Columns of one length; times are differences, and names are indices into a list of their own. */
static void read_compact(struct perfetto *perfetto, uint32_t row, struct span message,
                         int64_t shift)
{
    enum { TIME = 1, TID = 3, NAMES = 5, NAME = 6, COLUMNS = 7 };
    struct perfetto_numbers columns[COLUMNS] = {0};
    struct wire wire = wire_of(message);
    struct wire_field field;
    uint64_t time = 0;

    while (wire_next(&wire, &field))
        if (field.number == NAMES && field.type == WIRE_BYTES)
            vector_add(&columns[NAMES], builder_intern(perfetto->builder, field.bytes));
        else if (field.number < COLUMNS)
            perfetto_numbers(&field, &columns[field.number]);
    for (size_t i = 0; i < columns[TIME].count && i < columns[TID].count && i < columns[NAME].count;
         i++) {
        uint64_t name = columns[NAME].list[i];

        time += columns[TIME].list[i];
        add_switch(perfetto, row, checked_add((int64_t)time, shift), (int32_t)columns[TID].list[i],
                   name < columns[NAMES].count ? (str_id)columns[NAMES].list[name] : 0);
    }
    for (size_t i = 0; i < COLUMNS; i++)
        free(columns[i].list);
}

/* FtraceEvent, of ftrace_event.proto. */
struct ftrace_event {
    int64_t timestamp;
    struct span sched_switch;
};

static const struct wire_member ftrace_event[] = {
    [1] = WIRE_MEMBER(struct ftrace_event, timestamp),
    [4] = WIRE_MEMBER(struct ftrace_event, sched_switch),
};

/* SchedSwitchFtraceEvent, of sched.proto. */
struct sched_switch {
    struct span next_comm;
    int32_t next_pid;
};

static const struct wire_member sched_switch[] = {
    [5] = WIRE_MEMBER(struct sched_switch, next_comm),
    [6] = WIRE_MEMBER(struct sched_switch, next_pid),
};

static void read_event(struct perfetto *perfetto, uint32_t row, struct span message, int64_t shift)
{
    struct ftrace_event event = {0};
    struct sched_switch to = {0};

    WIRE_READ(message, ftrace_event, &event);
    if (!event.sched_switch.at)
        return;
    WIRE_READ(event.sched_switch, sched_switch, &to);
    add_switch(perfetto, row, checked_add(event.timestamp, shift), to.next_pid,
               perfetto_intern_text(perfetto, to.next_comm));
}

/* FtraceEventBundle, of ftrace_event_bundle.proto. */
struct ftrace_bundle {
    uint64_t cpu, last_read_event_timestamp, previous_bundle_end_timestamp;
    int64_t ftrace_clock, ftrace_timestamp, boot_timestamp;
    struct wire_list events; /* and columns of them */
};

enum { BUNDLE_EVENT = 2, BUNDLE_COMPACT_SCHED = 4 };

static const struct wire_member ftrace_bundle[] = {
    [1] = WIRE_MEMBER(struct ftrace_bundle, cpu),
    [BUNDLE_EVENT] = WIRE_MEMBER(struct ftrace_bundle, events),
    [BUNDLE_COMPACT_SCHED] = WIRE_MEMBER(struct ftrace_bundle, events),
    [5] = WIRE_MEMBER(struct ftrace_bundle, ftrace_clock),
    [6] = WIRE_MEMBER(struct ftrace_bundle, ftrace_timestamp),
    [7] = WIRE_MEMBER(struct ftrace_bundle, boot_timestamp),
    [9] = WIRE_MEMBER(struct ftrace_bundle, last_read_event_timestamp),
    [10] = WIRE_MEMBER(struct ftrace_bundle, previous_bundle_end_timestamp),
};

void perfetto_ftrace(struct perfetto *perfetto, struct perfetto_sequence *sequence UNUSED,
                     struct span message, struct perfetto_time time UNUSED)
{
    struct ftrace_bundle bundle = {0};
    struct wire_field field;
    uint32_t row;
    int64_t shift;

    WIRE_READ(message, ftrace_bundle, &bundle);
    shift = bundle.ftrace_clock ? checked_sub(bundle.boot_timestamp, bundle.ftrace_timestamp) : 0;
    if (idmap_find(&perfetto->row_of_processor, (uint32_t)bundle.cpu) == IDMAP_NONE) {
        uint64_t from = bundle.previous_bundle_end_timestamp > bundle.last_read_event_timestamp
                            ? bundle.previous_bundle_end_timestamp
                            : bundle.last_read_event_timestamp;

        if (from > perfetto->switches_from)
            perfetto->switches_from = from;
    }
    row = perfetto_row_of_processor(perfetto, (uint32_t)bundle.cpu);
    while (wire_list_next(&bundle.events, &field))
        if (field.number == BUNDLE_COMPACT_SCHED)
            read_compact(perfetto, row, field.bytes, shift);
        else
            read_event(perfetto, row, field.bytes, shift);
}
