/* SPDX-License-Identifier: Apache-2.0 */
/* perf_script.c — what `perf script` prints: an event a paragraph, its stack below, the leaf first
 *
 *     prog  4711/4712 [003] 1234.567890:     250000 cpu-clock:pppH:
 *             55d0c0a01139 work+0x10 (/usr/bin/prog)
 *             7f3a12a29d8f __libc_start_call_main+0x7f (/usr/lib/libc.so.6)
 *
 * Which columns the first line has was up to who called perf. The period (250000) is what the event
 * counted since the sample before: it is the sample's weight where it is there. */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/perf/perf_data.h"
#include "parsers/perf/perf_script.h"
#include "parsers/stacks/language_names.h"
#include "parsers/stacks/timed_samples.h"
#include "parsers/text/text_end.h"

enum { HEAD = 1 << 20 };

struct perf {
    struct builder *builder;
    struct stack_builder *stacks;
    struct VECTOR_OF(struct span) events; /* in `head` */
    struct idmap event_of;                /* by name: which of them */
    bool has_periods;

    bool is_open;                     /* a sample has begun, and its stack may go on */
    uint32_t event;                   /* of the open sample; IDMAP_NONE: one that is not counted */
    int64_t period;                   /* of the open sample */
    frame_id command;                 /* of the open sample */
    struct VECTOR_OF(frame_id) stack; /* the leaf first */
    struct VECTOR_OF(str_id) inlined; /* functions whose code is in that of the frame to come */
    bool has_addresses;
    bool has_leaf; /* the open sample has its innermost frame */
    bool has_times;              /* they are asked for, and there */
    struct timed_samples timed;
    uint32_t track;              /* of the open sample */
    int64_t time;
    uint64_t samples;
};

/* ---- the process ---- */

/* "MMAP2 4711/4711: [0x400000(0x1000) @ 0x1000 fe:00 56 41]: r-xp /usr/bin/prog"; in place of the
 * device and the inode there may be "<build id>". */
static void read_mapping(struct perf *perf, struct span record)
{
    struct code_mapping mapping = {0};
    size_t at = span_find(record, SPAN(": [0x"));
    struct span place, size, offset, rights;

    if (!span_starts(record, SPAN("MMAP")) || at == SIZE_MAX)
        return;
    place = span_after(record, at + 5);
    record = place;
    place.len = span_find(place, SPAN("]: "));
    if (place.len == SIZE_MAX)
        return;
    record = span_after(record, place.len + 3);
    rights = span_word(&record);
    size = place;
    place = span_split(&size, '(');
    offset = size;
    size = span_split(&offset, ')');
    if (span_find(rights, SPAN("x")) == SIZE_MAX || !span_starts(size, SPAN("0x")) ||
        !span_starts(offset, SPAN(" @ ")) || !span_hex_to_u64(place, &mapping.at.start) ||
        !span_hex_to_u64(span_after(size, 2), &mapping.at.end))
        return;
    mapping.at.end += mapping.at.start;
    offset = span_after(offset, 3);
    place = span_word(&offset);
    place = span_starts(place, SPAN("0x")) ? span_after(place, 2) : place;
    offset = span_trim(offset);
    if (!span_hex_to_u64(place, &mapping.at.offset) || mapping.at.end < mapping.at.start)
        return;
    if (span_starts(offset, SPAN("<")) && span_ends(offset, SPAN(">")))
        mapping.build_id =
            builder_intern(perf->builder, (struct span){offset.at + 1, offset.len - 2});
    mapping.path = builder_intern(perf->builder, span_trim(record));
    builder_mapping(perf->builder, &mapping);
}

/* ---- the lines of a stack ---- */

static frame_id frame_of(struct perf *perf, const struct perf_call *call, uint64_t address)
{
    struct frame frame = {.kind = KIND_HOST, .address = address};
    struct span library = perf_module(call->library);
    char name[300], module[PYTHON_MODULE_MAX];

    if (perf_python_frame(perf->builder, call->name, &frame)) {
        struct span file = builder_text(perf->builder, frame.file);

        frame.module = builder_intern(perf->builder, python_module(file, module));
        return builder_frame(perf->builder, &frame);
    }
    frame.name = builder_intern(perf->builder, call->name);
    frame.module = builder_intern(perf->builder, library);
    if ((call->name.len == 0 || span_eq(call->name, SPAN("[unknown]"))) && library.len) {
        int len = snprintf(name, sizeof(name), "[%.*s]", library.len < 256 ? (int)library.len : 256,
                           library.at);

        if (library.at[0] != '[')
            library = (struct span){name, (size_t)len};
        frame.name = builder_intern(perf->builder, library);
    }
    return builder_frame(perf->builder, &frame);
}

static void push_frame(struct perf *perf, frame_id frame, bool is_inlined)
{
    builder_inlining(perf->builder, frame, is_inlined);
    vector_add(&perf->stack, frame);
}

/* They are of the library of the function that they are in. */
static void push_inlined(struct perf *perf, str_id library, uint64_t address)
{
    for (size_t i = 0; i < perf->inlined.count; i++) {
        struct frame frame = {.name = perf->inlined.list[i],
                              .module = library,
                              .kind = KIND_HOST,
                              .is_inlined = address != 0,
                              .address = address};

        push_frame(perf, builder_frame(perf->builder, &frame), true);
    }
    perf->inlined.count = 0;
}

static void add_call(struct perf *perf, const struct perf_call *call)
{
    struct span library = perf_module(call->library);
    uint64_t address = 0;

    if (span_eq(library, SPAN("inlined"))) {
        vector_add(&perf->inlined, builder_intern(perf->builder, call->name));
        return;
    }
    if (perf->has_addresses && call->address) /* a caller's is where it goes on */
        address = call->address - perf->has_leaf;
    perf->has_leaf = true;
    push_inlined(perf, builder_intern(perf->builder, library), address);
    push_frame(perf, frame_of(perf, call, address), false);
}

/* ---- samples ---- */

/* Of the first event; others are no time. */
static void add_timed(struct perf *perf)
{
    if (perf->event || perf->time == UNKNOWN)
        return;
    if (perf->command)
        vector_add(&perf->stack, perf->command);
    timed_samples_add(&perf->timed, perf->track, perf->time, perf->stack.list, perf->stack.count);
    perf->samples++;
}

/* "4711/4712" is a process and a thread of it, "4711" a thread. */
static uint32_t track_of(struct perf *perf, const struct perf_header *header)
{
    struct span thread = perf_is_thread(header->thread) ? header->thread : SPAN("");
    str_id key = builder_intern(perf->builder, thread.len ? thread : header->command);
    struct span process = span_split(&thread, '/');
    int64_t pid = 0, tid = 0;

    if (span_to_i64(process, &pid) && !span_to_i64(thread, &tid)) {
        tid = pid;
        pid = 0;
    }
    return timed_samples_track(&perf->timed, key, builder_intern(perf->builder, header->command), pid, tid);
}

/* Adds the open sample to the tree. */
static void close_sample(struct perf *perf)
{
    node_id node;

    if (!perf->is_open)
        return;
    perf->is_open = false;
    if (perf->event == IDMAP_NONE)
        return;
    push_inlined(perf, 0, 0);
    if (perf->has_times) {
        add_timed(perf);
        return;
    }
    node = perf->command ? builder_child(perf->stacks, 0, perf->command) : 0;
    for (size_t i = perf->stack.count; i-- > 0;)
        node = builder_child(perf->stacks, node, perf->stack.list[i]);
    if (perf->events.count > 1) {
        builder_add(perf->stacks, node, perf->event, perf->has_periods ? perf->period : 1);
    } else {
        builder_add(perf->stacks, node, 0, 1);
        if (perf->has_periods)
            builder_add(perf->stacks, node, 1, perf->period);
    }
    perf->samples++;
}

static uint32_t event_at(const struct perf *perf, struct span event)
{
    if (perf->event < perf->events.count && span_eq(perf->events.list[perf->event], event))
        return perf->event; /* as a rule that of the sample before */
    return idmap_find(&perf->event_of, builder_intern(perf->builder, event));
}

static void open_sample(struct perf *perf, const struct perf_header *header, uint64_t offset)
{
    struct perf_call call;

    perf->is_open = true;
    perf->has_leaf = false;
    perf->stack.count = perf->inlined.count = 0;
    perf->event = event_at(perf, header->event);
    perf->period = header->period;
    perf->command = 0;
    if (perf->has_times) {
        perf->time = header->time.len ? perf_time_ns(header->time) : UNKNOWN;
        perf->track = track_of(perf, header);
    }
    if (header->command.len)
        perf->command = builder_frame(
            perf->builder, &(struct frame){.name = builder_intern(perf->builder, header->command),
                                           .kind = KIND_OTHER});
    if (perf->event == IDMAP_NONE)
        warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                      "samples of events that the beginning of the file does not have, left out",
                      offset);
    if (header->rest.len && perf_call_read(header->rest, &call) && call.library.len)
        add_call(perf, &call);
}

static void read_line(struct perf *perf, struct span line, uint64_t offset)
{
    struct perf_header header;
    struct perf_call call;
    struct span text = span_trim(line);
    int64_t source_line;

    if (text.len == 0)
        close_sample(perf);
    else if (line.at[0] == '#')
        return;
    else if (perf_header_read(line, &header)) {
        close_sample(perf);
        if (header.record.len)
            read_mapping(perf, header.record);
        else
            open_sample(perf, &header, offset);
    } else if (perf->is_open && perf_call_read(line, &call))
        add_call(perf, &call);
    else if (place_file(text, &source_line).len == text.len) /* it is no "prog.c:12" either */
        warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                      "lines that are neither an event nor a frame, left out", offset);
}

/* ---- the whole ---- */

/* The events that the head of the file has, in their order. */
static void find_events(struct perf *perf, struct span head)
{
    struct perf_header header;

    while (head.len) {
        struct span line = span_split(&head, '\n');

        if (line.len == 0 || line.at[0] == '#' || !perf_header_read(line, &header) || header.record.len)
            continue;
        perf->has_periods |= header.period != 0;
        perf->has_times |= header.time.len > 0;
        perf->event = event_at(perf, header.event);
        if (perf->event != IDMAP_NONE)
            continue;
        perf->event = (uint32_t)perf->events.count;
        *idmap_at(&perf->event_of, builder_intern(perf->builder, header.event)) = perf->event;
        vector_add(&perf->events, header.event);
    }
}

/* One event: how many samples, and their periods. Several: one value each. */
static bool begin_values(struct perf *perf, struct error *err)
{
    uint32_t events = (uint32_t)perf->events.count, count = 0;
    struct value_name *values = grow_zeroed(events + 1, sizeof(*values));
    bool ok;

    if (events == 1)
        values[count++] = (struct value_name){SPAN("samples"), UNIT_COUNT};
    for (uint32_t i = 0; i < events; i++)
        if (events > 1 || perf->has_periods)
            values[count++] = (struct value_name){
                perf->events.list[i].len ? perf->events.list[i] : SPAN("period"),
                perf->has_periods ? perf_event_unit(perf->events.list[i]) : UNIT_COUNT};
    ok = builder_begin(perf->builder, LEVEL_CALLTREE, values, count, events == 1 ? count - 1 : 0, err);
    free(values);
    return ok;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct perf perf = {.builder = builder, .stacks = builder_stacks(builder)};
    struct arena arena = {0};
    struct span line, head = input_peek(in, HEAD);
    uint64_t offset = 0;
    bool ok;

    /* it knows addresses, and no lines */
    perf.has_addresses = builder_detail(builder, DETAIL_ADDRESS) == DETAIL_ADDRESS;
    if (!perf.has_addresses)
        builder_detail(builder, DETAIL_FUNCTION);
    head = (struct span){arena_copy(&arena, head), head.len};
    find_events(&perf, head);
    perf.has_times &= builder_wants_times(builder);
    if (perf.events.count == 0)
        ok = error_set_at(err, 0, 0, "no line is the first of a sample");
    else
        ok = perf.has_times ? timed_samples_begin(&perf.timed, builder, err) : begin_values(&perf, err);
    for (; ok && input_line(in, &line); offset = input_offset(in))
        read_line(&perf, line, offset);
    if (ok && perf.is_open && perf.stack.count > 1) /* a blank line ends each paragraph */
        text_ends_within(builder, "the stack of a sample");
    if (ok)
        close_sample(&perf);
    if (ok && perf.has_times)
        timed_samples_end(&perf.timed, input_bytes_read(in));
    builder_producer(builder, "perf");
    builder_fact(builder, "samples", (int64_t)perf.samples, UNIT_COUNT);
    free(perf.events.list);
    idmap_free(&perf.event_of);
    free(perf.stack.list);
    free(perf.inlined.list);
    arena_free(&arena);
    return ok;
}

/* A first line, and below it a frame. */
static enum sniff sniff(struct span head, bool is_all)
{
    struct perf_header header;
    struct perf_call call;
    bool has_header = false;

    while (head.len) {
        bool is_whole = is_all || memchr(head.at, '\n', head.len);
        struct span line = span_split(&head, '\n');

        if (!is_whole)
            break;
        if (span_starts(line, SPAN("# cmdline : ")) && span_find(line, SPAN("perf")) != SIZE_MAX)
            return SNIFF_YES;
        if (line.len == 0 || line.at[0] == '#')
            continue;
        if (has_header)
            return perf_call_read(line, &call) ? SNIFF_YES : SNIFF_NO;
        if (!perf_header_read(line, &header))
            return SNIFF_NO;
        if (header.record.len)
            continue;
        if (header.rest.len && perf_call_read(header.rest, &call) && call.library.len)
            return SNIFF_YES;
        has_header = true;
    }
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_perf = {
    .name = "perf",
    .title = "texts of perf script",
    .summary = "Linux: perf record -g, then perf script",
    .tried = "perf 1 to 6.1, simpleperf",
    .omitted = "fields that only -F adds",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
