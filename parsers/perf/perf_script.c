/* SPDX-License-Identifier: Apache-2.0 */
/* perf_script.c — what `perf script` prints: an event a paragraph, its stack below, the leaf first
 *
 *     prog  4711/4712 [003] 1234.567890:     250000 cpu-clock:pppH:
 *             55d0c0a01139 work+0x10 (/usr/bin/prog)
 *             7f3a12a29d8f __libc_start_call_main+0x7f (/usr/lib/libc.so.6)
 *
 * Which columns the first line has was up to who called perf. The period (250000) is what the event
 * counted since the sample before: it is the sample's weight where it is there. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/perf/perf_data.h"
#include "parsers/stacks/language_names.h"
#include "parsers/text/text_end.h"

enum { HEAD = 1 << 20, TOKENS_MAX = 64, EVENTS_MAX = 16 };

struct perf {
    struct builder *builder;
    struct stack_builder *stacks;
    struct span events[EVENTS_MAX]; /* in `head` */
    uint32_t event_count;
    bool has_periods;

    bool is_open;                     /* a sample has begun, and its stack may go on */
    uint32_t event;                   /* of the open sample; EVENTS_MAX: one that is not counted */
    int64_t period;                   /* of the open sample */
    frame_id command;                 /* of the open sample */
    struct VECTOR_OF(frame_id) stack; /* the leaf first */
    struct VECTOR_OF(str_id) inlined; /* functions whose code is in that of the frame to come */
    bool has_addresses;
    bool has_leaf; /* the open sample has its innermost frame */
    uint64_t samples;
};

/* ---- the first line of a sample ---- */

#define RECORD "PERF_RECORD_"

struct header {
    struct span command, event; /* the event may be empty */
    struct span rest;           /* what follows the event: a frame, or a tracepoint's arguments */
    struct span record; /* "MMAP2 4711/4711: [0x…": no sample, but of the process; else empty */
    int64_t period;     /* 0 when the line has none */
};

/* "1234.567890:" */
static bool is_time(struct span token)
{
    struct span seconds = span_split(&token, '.');

    return span_is_digits(seconds) && span_ends(token, SPAN(":")) &&
           span_is_digits((struct span){token.at, token.len - 1});
}

/* "[003]" */
static bool is_cpu(struct span token)
{
    return token.len > 2 && token.at[0] == '[' && span_ends(token, SPAN("]")) &&
           span_is_digits((struct span){token.at + 1, token.len - 2});
}

/* "4711", "4711/4712" and "-1" */
static bool is_thread(struct span token)
{
    struct span process = span_split(&token, '/');

    return (span_is_digits(process) || span_eq(process, SPAN("-1"))) &&
           (token.len == 0 || span_is_digits(token));
}

struct tokens {
    struct span list[TOKENS_MAX];
    size_t count;
};

static void split_tokens(struct span line, struct tokens *tokens)
{
    tokens->count = 0;
    while (tokens->count < TOKENS_MAX && (tokens->list[tokens->count] = span_word(&line)).len)
        tokens->count++;
}

static struct span until(struct span line, struct span token)
{
    return span_trim((struct span){line.at, (size_t)(token.at - line.at)});
}

/* The period and the event, from a token on. */
static void read_event(struct span line, const struct tokens *tokens, size_t at,
                       struct header *header)
{
    if (at + 1 < tokens->count && span_to_i64(tokens->list[at], &header->period))
        at++;
    if (at < tokens->count && span_ends(tokens->list[at], SPAN(":"))) {
        header->event = tokens->list[at];
        header->rest =
            span_trim(span_after(line, (size_t)(header->event.at - line.at) + header->event.len));
        header->event.len--;
    }
}

/* Where the thread stands when there is no time to find it by: before the first token that ends
 * in a colon, with the period between or not. */
static size_t thread_without_time(const struct tokens *tokens)
{
    for (size_t i = 1; i < tokens->count; i++) {
        if (!span_ends(tokens->list[i], SPAN(":")))
            continue;
        if (i > 1 && span_is_digits(tokens->list[i - 1]) && is_thread(tokens->list[i - 2]))
            return i - 2;
        return is_thread(tokens->list[i - 1]) ? i - 1 : 0;
    }
    return 0;
}

static bool read_header(struct span line, struct header *header)
{
    struct tokens tokens;
    size_t time = 0, thread;

    split_tokens(line, &tokens);
    *header = (struct header){0};
    while (time < tokens.count && !is_time(tokens.list[time]))
        time++;
    if (time == tokens.count) {
        thread = line.len && isspace((unsigned char)line.at[0]) ? 0 : thread_without_time(&tokens);
        if (thread == 0)
            return false;
        header->command = until(line, tokens.list[thread]);
        read_event(line, &tokens, thread + 1, header);
        return header->event.len > 0;
    }
    thread = time;
    if (thread && is_cpu(tokens.list[thread - 1]))
        thread--;
    if (thread && is_thread(tokens.list[thread - 1]))
        thread--;
    header->command = until(line, tokens.list[thread]);
    read_event(line, &tokens, time + 1, header);
    if (time + 1 < tokens.count && span_starts(tokens.list[time + 1], SPAN(RECORD)))
        header->record =
            span_after(line, (size_t)(tokens.list[time + 1].at - line.at) + strlen(RECORD));
    return true;
}

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

/* "55d0c0a01139 name+0x10 (/usr/bin/prog)" in its parts; the library may be missing. */
struct call {
    struct span name, library;
    uint64_t address;
};

static bool is_hex(struct span text)
{
    return text.len && span_hex_digits(text) == text.len;
}

/* Where the parenthesis opens that closes at the end of the text; libraries may hold some of
 * their own, as "(deleted)". */
static size_t last_group(struct span text)
{
    size_t depth = 0;

    for (size_t i = text.len; i-- > 0;) {
        depth += text.at[i] == ')';
        if (text.at[i] == '(' && --depth == 0)
            return i;
        if (depth == 0)
            break;
    }
    return SIZE_MAX;
}

static bool read_call(struct span line, struct call *call)
{
    struct span rest = span_trim(line);
    struct span address = span_word(&rest);
    size_t group, plus;

    if (span_starts(address, SPAN("0x")))
        address = span_after(address, 2);
    if (!is_hex(address))
        return false;
    rest = span_trim(rest);
    group = last_group(rest);
    *call = (struct call){.name = rest};
    if (!span_hex_to_u64(address, &call->address))
        return false;
    if (group != SIZE_MAX && (group == 0 || rest.at[group - 1] == ' ')) {
        call->library = (struct span){rest.at + group + 1, rest.len - group - 2};
        call->name = span_trim((struct span){rest.at, group});
    }
    plus = span_rfind(call->name, '+');
    if (plus != SIZE_MAX && span_starts(span_after(call->name, plus), SPAN("+0x")) &&
        is_hex(span_after(call->name, plus + 3)))
        call->name.len = plus;
    return true;
}

static frame_id frame_of(struct perf *perf, const struct call *call, uint64_t address)
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

static void add_call(struct perf *perf, const struct call *call)
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

/* Adds the open sample to the tree. */
static void close_sample(struct perf *perf)
{
    node_id node;

    if (!perf->is_open)
        return;
    perf->is_open = false;
    if (perf->event == EVENTS_MAX)
        return;
    push_inlined(perf, 0, 0);
    node = perf->command ? builder_child(perf->stacks, 0, perf->command) : 0;
    for (size_t i = perf->stack.count; i-- > 0;)
        node = builder_child(perf->stacks, node, perf->stack.list[i]);
    if (perf->event_count > 1) {
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
    uint32_t at = 0;

    while (at < perf->event_count && !span_eq(perf->events[at], event))
        at++;
    return at < perf->event_count ? at : EVENTS_MAX;
}

static void open_sample(struct perf *perf, const struct header *header, uint64_t offset)
{
    struct call call;

    perf->is_open = true;
    perf->has_leaf = false;
    perf->stack.count = perf->inlined.count = 0;
    perf->event = event_at(perf, header->event);
    perf->period = header->period;
    perf->command = 0;
    if (header->command.len)
        perf->command = builder_frame(
            perf->builder, &(struct frame){.name = builder_intern(perf->builder, header->command),
                                           .kind = KIND_OTHER});
    if (perf->event == EVENTS_MAX)
        warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                      "samples of events that the beginning of the file does not have, left out",
                      offset);
    if (header->rest.len && read_call(header->rest, &call) && call.library.len)
        add_call(perf, &call);
}

static void read_line(struct perf *perf, struct span line, uint64_t offset)
{
    struct header header;
    struct call call;
    struct span text = span_trim(line);
    int64_t source_line;

    if (text.len == 0)
        close_sample(perf);
    else if (line.at[0] == '#')
        return;
    else if (read_header(line, &header)) {
        close_sample(perf);
        if (header.record.len)
            read_mapping(perf, header.record);
        else
            open_sample(perf, &header, offset);
    } else if (perf->is_open && read_call(line, &call))
        add_call(perf, &call);
    else if (place_file(text, &source_line).len == text.len) /* it is no "prog.c:12" either */
        warning_count(builder_warnings(perf->builder), WARNING_LOSS,
                      "lines that are neither an event nor a frame, left out", offset);
}

/* ---- the whole ---- */

/* The events that the head of the file has, in their order. */
static void find_events(struct perf *perf, struct span head)
{
    struct header header;

    while (head.len && perf->event_count < EVENTS_MAX) {
        struct span line = span_split(&head, '\n');

        if (line.len == 0 || line.at[0] == '#' || !read_header(line, &header) || header.record.len)
            continue;
        perf->has_periods |= header.period != 0;
        if (event_at(perf, header.event) == EVENTS_MAX)
            perf->events[perf->event_count++] = header.event;
    }
}

/* One event: how many samples, and their periods. Several: one value each. */
static bool begin_values(struct perf *perf, struct error *err)
{
    struct value_name values[EVENTS_MAX];
    uint32_t count = 0;

    if (perf->event_count == 1)
        values[count++] = (struct value_name){SPAN("samples"), UNIT_COUNT};
    for (uint32_t i = 0; i < perf->event_count; i++)
        if (perf->event_count > 1 || perf->has_periods)
            values[count++] = (struct value_name){
                perf->events[i].len ? perf->events[i] : SPAN("period"),
                perf->has_periods ? perf_event_unit(perf->events[i]) : UNIT_COUNT};
    return builder_begin(perf->builder, LEVEL_CALLTREE, values, count,
                         perf->event_count == 1 ? count - 1 : 0, err);
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
    if (perf.event_count == 0)
        ok = error_set_at(err, 0, 0, "no line is the first of a sample");
    else
        ok = begin_values(&perf, err);
    for (; ok && input_line(in, &line); offset = input_offset(in))
        read_line(&perf, line, offset);
    if (ok && perf.is_open && perf.stack.count > 1) /* a blank line ends each paragraph */
        text_ends_within(builder, "the stack of a sample");
    if (ok)
        close_sample(&perf);
    builder_producer(builder, "perf");
    builder_fact(builder, "samples", (int64_t)perf.samples, UNIT_COUNT);
    free(perf.stack.list);
    free(perf.inlined.list);
    arena_free(&arena);
    return ok;
}

/* A first line, and below it a frame. */
static enum sniff sniff(struct span head, bool is_all)
{
    struct header header;
    struct call call;
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
            return read_call(line, &call) ? SNIFF_YES : SNIFF_NO;
        if (!read_header(line, &header))
            return SNIFF_NO;
        if (header.record.len)
            continue;
        if (header.rest.len && read_call(header.rest, &call) && call.library.len)
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
