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

static void read_switch(struct perfetto *perfetto, uint32_t row, struct span message, int64_t time)
{
    enum { NAME = 5, TID = 6 };
    struct wire wire = wire_of(message);
    struct wire_field field;
    int32_t tid = 0;
    str_id name = 0;

    while (wire_next(&wire, &field))
        if (field.number == NAME && field.type == WIRE_BYTES)
            name = builder_intern(perfetto->builder, field.bytes);
        else if (field.number == TID)
            tid = (int32_t)field.value;
    add_switch(perfetto, row, time, tid, name);
}

void perfetto_ftrace(struct perfetto *perfetto, struct perfetto_sequence *sequence UNUSED,
                     struct span message, struct perfetto_time time UNUSED)
{
    enum {
        CPU = 1,
        EVENT = 2,
        COMPACT = 4,
        CLOCK = 5,
        ITS_TIME = 6,
        BOOT_TIME = 7,
        LAST_READ = 9,
        LAST_END = 10
    };
    enum { EVENT_TIME = 1, SWITCH = 4 };
    uint64_t said[11] = {0};
    struct wire wire = wire_of(message), parts;
    struct wire_field field, event;
    uint32_t row;
    int64_t shift;

    perfetto_fields(message, said, COUNT_OF(said));
    shift = said[CLOCK] ? checked_sub((int64_t)said[BOOT_TIME], (int64_t)said[ITS_TIME]) : 0;
    if (idmap_find(&perfetto->row_of_processor, (uint32_t)said[CPU]) == IDMAP_NONE) {
        uint64_t from = said[LAST_END] > said[LAST_READ] ? said[LAST_END] : said[LAST_READ];

        if (from > perfetto->switches_from)
            perfetto->switches_from = from;
    }
    row = perfetto_row_of_processor(perfetto, (uint32_t)said[CPU]);
    while (wire_next(&wire, &field)) {
        uint64_t is[2] = {0};

        if (field.type != WIRE_BYTES)
            continue;
        if (field.number == COMPACT)
            read_compact(perfetto, row, field.bytes, shift);
        if (field.number != EVENT)
            continue;
        perfetto_fields(field.bytes, is, COUNT_OF(is));
        parts = wire_of(field.bytes);
        while (wire_next(&parts, &event))
            if (event.number == SWITCH && event.type == WIRE_BYTES)
                read_switch(perfetto, row, event.bytes,
                            checked_add((int64_t)is[EVENT_TIME], shift));
    }
}
