/* SPDX-License-Identifier: Apache-2.0 */
/* xctrace.c — tables of samples that xcrun xctrace export writes of Instruments' traces, as XML
 *
 *     <trace-query-result><node><schema name="time-profile">...</schema>
 *     <row><sample-time id="1">57246</sample-time><thread id="2" fmt="main 0x84 (app, pid: 7)"/>
 *       <weight id="9" fmt="1.00 ms">1000000</weight>
 *       <backtrace id="10"><frame id="11" name="main"><binary id="12" name="app"/></frame></backtrace></row>
 *     <row><sample-time ref="1"/><thread ref="2"/><weight ref="9"/><backtrace ref="10"/></row>
 *
 * An element with an id is referred to by it later, anywhere in the file. The leaf stands first. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/stacks/timed_samples.h"
#include "parsers/text/text_end.h"
#include "parsers/xctrace/xml_tags.h"

enum xctrace_element {
    ROW,
    SCHEMA,
    TIME,
    WEIGHT,
    THREAD,
    STATE,
    BACKTRACE,
    TAGGED,
    FRAME,
    BINARY,
    SOURCE,
    PATH,
    ELEMENTS
};

static const char *const names[ELEMENTS] = {
    [ROW] = "row",
    [SCHEMA] = "schema",
    [TIME] = "sample-time",
    [WEIGHT] = "weight",
    [THREAD] = "thread",
    [STATE] = "thread-state",
    [BACKTRACE] = "backtrace",
    [TAGGED] = "tagged-backtrace",
    [FRAME] = "frame",
    [BINARY] = "binary",
    [SOURCE] = "source",
    [PATH] = "path",
};

enum { DEPTH_MAX = 1024 }; /* of a stack; Instruments records no deeper ones */

/* What an element means, wherever it is referred to. */
struct meaning {
    int64_t number;      /* of a time, a weight */
    str_id text;         /* of a thread, a state, a binary, a path */
    frame_id frame;      /* of a frame */
    size_t begin, count; /* of a backtrace: its frames */
};

struct open_xml {
    enum xctrace_element element;
    uint64_t id; /* 0: none */
    struct meaning meaning;
};

struct xctrace {
    struct builder *builder;
    struct xml_tags tags;
    struct error *err;
    struct arena arena;
    struct idmap by_id; /* → a meaning's number */
    struct VECTOR_OF(struct meaning) meanings;
    struct VECTOR_OF(struct open_xml) open; /* the outermost first */
    struct VECTOR_OF(frame_id) frames;      /* of all backtraces */
    struct frame frame;                     /* that is open */
    struct meaning row[ELEMENTS];           /* what the row at hand has */
    bool has[ELEMENTS];
    struct timed_samples timed;
    bool has_times, has_lines, is_begun, has_ended;
    const struct sample_table *table;
    str_id thread_key, state_key;
    struct sample_label labels[2];
    uint64_t rows, dangling; /* `dangling`: references to ids that no element has */
};

/* What weights are of. */
static const struct sample_table {
    const char *schema, *value;
    enum unit unit;
} tables[] = {{"time-profile", "time", UNIT_NS},
              {"time-sample", "samples", UNIT_COUNT},
              {"cpu-profile", "cycles", UNIT_COUNT},
              {NULL, "weight", UNIT_COUNT}};

/* ---- rows ---- */

static bool begin_samples(struct xctrace *trace)
{
    struct value_name value = {span_of(trace->table->value), trace->table->unit};

    if (!trace->is_begun)
        trace->is_begun =
            trace->has_times
                ? timed_samples_begin(&trace->timed, trace->builder, trace->err)
                : builder_begin(trace->builder, LEVEL_CALLTREE, &value, 1, 0, trace->err);
    return trace->is_begun;
}

static bool give_row(struct xctrace *trace)
{
    struct meaning stack =
        trace->has[BACKTRACE] || trace->has[TAGGED] ? trace->row[BACKTRACE] : (struct meaning){0};
    str_id thread = trace->has[THREAD] ? trace->row[THREAD].text : 0;
    int64_t weight = trace->has[WEIGHT] ? trace->row[WEIGHT].number : 1;
    const frame_id *frames; /* NULL: of a stack without any */

    if (!begin_samples(trace))
        return false;
    trace->rows++;
    if (stack.count > DEPTH_MAX) {
        stack.count = DEPTH_MAX;
        warning_count_many(builder_warnings(trace->builder), WARNING_LOSS,
                           "stacks too deep, cut at their root", 1);
    }
    frames = stack.count ? trace->frames.list + stack.begin : NULL;
    if (trace->has_times) {
        if (trace->has[TIME])
            timed_samples_add(&trace->timed,
                              timed_samples_track(&trace->timed, thread, thread, 0, 0),
                              trace->row[TIME].number, frames, stack.count);
        return true;
    }
    trace->labels[0] = (struct sample_label){.key = trace->thread_key, .text = thread};
    trace->labels[1] =
        (struct sample_label){.key = trace->state_key, .text = trace->row[STATE].text};
    if (thread && builder_wants_labels(builder_stacks(trace->builder)))
        builder_labels(builder_stacks(trace->builder), trace->labels, trace->has[STATE] ? 2 : 1);
    builder_stack(builder_stacks(trace->builder), frames, (uint32_t)stack.count, &weight);
    return true;
}

/* ---- elements ---- */

static struct span attribute(struct xctrace *trace, const char *name)
{
    return xml_plain(xml_attribute(&trace->tags, span_of(name)), &trace->arena);
}

/* What is known from an element's attributes. */
static void begin_element(struct xctrace *trace, struct open_xml *open)
{
    struct builder *builder = trace->builder;

    if (open->element == ROW)
        memset(trace->has, 0, sizeof(trace->has));
    else if (open->element == SCHEMA)
        trace->table = &LOOKUP(tables, attribute(trace, "name"));
    else if (open->element == BACKTRACE)
        open->meaning.begin = trace->frames.count;
    else if (open->element == FRAME)
        trace->frame = (struct frame){.name = builder_intern(builder, attribute(trace, "name")),
                                      .kind = KIND_HOST};
    else if (open->element == BINARY)
        open->meaning.text = builder_intern(builder, attribute(trace, "name"));
    else if (open->element == THREAD || open->element == STATE)
        open->meaning.text = builder_intern(builder, attribute(trace, "fmt"));
    else if (open->element == SOURCE && trace->has_lines &&
             !span_to_i64(attribute(trace, "line"), &trace->frame.line))
        trace->frame.line = 0;
}

/* Adds an element that has ended, or is referred to, to what is around it. */
static bool add_element(struct xctrace *trace, enum xctrace_element element,
                        const struct meaning *meaning)
{
    trace->has[element] = true;
    trace->row[element] = *meaning;
    if (element == ROW)
        return give_row(trace);
    if (element == FRAME && meaning->frame)
        vector_add(&trace->frames, meaning->frame);
    else if (element == BINARY)
        trace->frame.module = meaning->text;
    else if (element == PATH)
        trace->frame.file = meaning->text;
    else if (element == TAGGED)
        trace->row[BACKTRACE] = *meaning;
    return true;
}

static bool end_element(struct xctrace *trace, struct open_xml *open, struct span text)
{
    struct meaning *meaning = &open->meaning;

    text = span_trim(text);
    if ((open->element == TIME || open->element == WEIGHT) &&
        (!span_to_i64(text, &meaning->number) || meaning->number < 0))
        meaning->number = 0;
    else if (open->element == PATH)
        meaning->text = builder_intern(trace->builder, xml_plain(text, &trace->arena));
    else if (open->element == FRAME)
        meaning->frame = builder_frame(trace->builder, &trace->frame);
    else if (open->element == BACKTRACE)
        meaning->count = trace->frames.count - meaning->begin;
    else if (open->element == TAGGED)
        *meaning = trace->row[BACKTRACE];
    if (open->id) {
        *idmap_at(&trace->by_id, open->id) = (uint32_t)trace->meanings.count;
        vector_add(&trace->meanings, *meaning);
    }
    return add_element(trace, open->element, meaning);
}

static bool read_tag(struct xctrace *trace)
{
    const struct xml_tags *tags = &trace->tags;
    struct open_xml open = {.element = ROW};
    uint64_t ref;

    trace->has_ended |= tags->is_end && span_eq(tags->name, SPAN("trace-query-result"));
    while (open.element < ELEMENTS && !span_eq(tags->name, span_of(names[open.element])))
        open.element++;
    if (open.element == ELEMENTS)
        return true;
    if (tags->is_end) {
        if (!trace->open.count || trace->open.list[trace->open.count - 1].element != open.element)
            return true; /* ends what has not begun */
        open = trace->open.list[--trace->open.count];
        return end_element(trace, &open, tags->before);
    }
    if (span_to_u64(xml_attribute(tags, SPAN("ref")), &ref)) {
        uint32_t known = idmap_find(&trace->by_id, ref);

        trace->dangling += known == IDMAP_NONE;
        return known == IDMAP_NONE ||
               add_element(trace, open.element, &trace->meanings.list[known]);
    }
    if (!span_to_u64(xml_attribute(tags, SPAN("id")), &open.id))
        open.id = 0;
    begin_element(trace, &open);
    if (tags->is_empty)
        return end_element(trace, &open, (struct span){0});
    vector_add(&trace->open, open);
    return true;
}

/* ---- the whole ---- */

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct xctrace trace = {.builder = builder,
                            .tags = {.in = in},
                            .err = err,
                            .table = tables,
                            .has_times = builder_wants_times(builder),
                            .has_lines = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE,
                            .thread_key = builder_intern(builder, SPAN("thread")),
                            .state_key = builder_intern(builder, SPAN("state"))};
    bool ok = true;

    builder_producer(builder, "Instruments, xctrace export");
    while (ok && xml_next_tag(&trace.tags)) {
        ok = read_tag(&trace);
        arena_clear(&trace.arena);
    }
    if (ok && !trace.is_begun)
        ok = error_set_at(err, input_offset(in), 0, "no row of a table of samples is in it");
    builder_fact(builder, "samples", (int64_t)trace.rows, UNIT_COUNT);
    /* All rows behind an element without its end are part of it. */
    if (ok && (!trace.has_ended || trace.open.count))
        text_ends_within(builder, "a table");
    if (trace.is_begun && trace.has_times)
        timed_samples_end(&trace.timed, input_bytes_read(in));
    warning_count_many(builder_warnings(builder), WARNING_LOSS,
                       "references to what is not in the file, left out", trace.dangling);
    arena_free(&trace.arena);
    idmap_free(&trace.by_id);
    free(trace.meanings.list);
    free(trace.open.list);
    free(trace.frames.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    if (!span_starts(span_trim(head), SPAN("<?xml")) &&
        !span_starts(span_trim(head), SPAN("<trace-query-result")))
        return SNIFF_NO;
    return sniff_text(head, is_all || memchr(head.at, '>', head.len),
                      span_find(head, SPAN("<trace-query-result")) != SIZE_MAX);
}

const struct parser parser_xctrace = {
    .name = "xctrace",
    .title = "exports of xctrace",
    .summary = "Instruments of macOS: xcrun xctrace export --xpath of a table of samples, as XML",
    .tried = "Instruments 15",
    .omitted = "other tables than of samples",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
