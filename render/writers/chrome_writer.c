/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_writer.c — the Trace Event Format, for Perfetto, chrome://tracing and ptk itself
 *
 * In Kineto's manner: device work stands at process = device, thread = stream; a correlation links
 * a launch with its work; numbers are arguments under Kineto's names. Times are microseconds with
 * all their ns. */
#include <inttypes.h>

#include "base/text/escape.h"
#include "graph/model/walks.h"
#include "render/writers/writer.h"

/* ---- arrows from what launched or led to an event to the event, in a Chrome trace ---- */

struct arrow_end {
    uint32_t track; /* its first lane */
    struct flow_place place;
};

static bool is_place_found(const struct timeline *timeline, event_id event, int64_t earliest,
                           struct arrow_end *end)
{
    uint32_t at = track_of_event(timeline, event), first = at - timeline->tracks[at].lane;
    uint32_t past = at + 1;

    while (past < timeline->track_count && timeline->tracks[past].lane)
        past++;
    end->track = first;
    if (timeline->tracks[first].kind != TRACK_THREAD &&
        timeline->tracks[first].kind != TRACK_STREAM)
        return false; /* arrows lead to threads */
    return flow_place_of(timeline, &timeline->tracks[first], past - first, event, earliest,
                         &end->place);
}

/* One end of a flow. */
static void write_point(const struct trace_row *row, const char *phase, const char *category,
                        const char *name, uint64_t flow, int64_t time, FILE *out)
{
    uint64_t size = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;

    fprintf(out,
            ",\n{\"ph\":\"%s\",\"pid\":%" PRId64 ",\"tid\":%" PRId64
            ",\"cat\":\"%s\",\"name\":\"%s\",\"id\":%" PRIu64 ",\"ts\":%s%" PRIu64 ".%03u",
            phase, row->process, row->thread, category, name, flow, time < 0 ? "-" : "",
            size / 1000, (unsigned)(size % 1000));
}

/* Kineto's category says that a correlation tells the same, and need not be looked at. */
static void write_end(const struct trace_row *rows, const struct arrow_end *end, bool is_start,
                      bool is_correlated, event_id flow, FILE *out)
{
    const char *name = is_correlated ? "ac2g" : "flow";

    write_point(&rows[end->track], is_start ? "s" : "f", name, name, flow, end->place.time, out);
    fputs(is_start || end->place.is_next ? "}" : ",\"bp\":\"e\"}", out);
}

/* HTA's category. Their ids come after those of links. */
static void write_path(const struct trace_row *rows, const struct writing *writing)
{
    const struct path_marks *marks = writing->path_marks;
    uint64_t flow = writing->graph->timeline.count;

    for (uint32_t i = 0; i < marks->arrow_count; i++, flow++) {
        const struct path_arrow *arrow = &marks->arrows[i];
        const char *name = path_part_name(arrow->part);

        write_point(&rows[arrow->from_track], "s", "critical_path", name, flow, arrow->from,
                    writing->out);
        fputs("}", writing->out);
        write_point(&rows[arrow->to_track], "f", "critical_path", name, flow, arrow->to,
                    writing->out);
        fputs(",\"bp\":\"e\"}", writing->out);
    }
}

/* After the events. Each link is a flow of its own: one call may launch a lot, and be itself what
 * something led to. A flow's ends mean the events that its times and threads mean, so that a link
 * can be one that no arrow shows: those are counted. */
static void trace_flows_write(const struct trace_args *args, const struct trace_row *rows,
                              struct writing *writing)
{
    const struct timeline *timeline = &writing->graph->timeline;
    uint64_t lost = 0;

    for (event_id event = 0; timeline->launch && event < timeline->count; event++) {
        event_id launch = timeline->launch[event];
        struct arrow_end from, to;
        bool is_correlated;

        if (launch == NO_EVENT)
            continue;
        is_correlated = trace_args_correlate(args, event);
        if (!is_place_found(timeline, launch, INT64_MIN, &from) || from.place.is_next ||
            !is_place_found(timeline, event, from.place.time, &to)) {
            lost++;
            continue;
        }
        write_end(rows, &from, true, is_correlated, event, writing->out);
        write_end(rows, &to, false, is_correlated, event, writing->out);
    }
    warning_count_many(writing->warnings, WARNING_NOTE, "links that no arrow can show", lost);
}

/* ---- the trace ---- */

struct written_trace {
    const struct graph *graph;
    FILE *out;
    struct row_text text; /* the events */
    struct trace_args args;
    const struct trace_row *rows; /* by track */
    bool has_event;               /* a comma must come before the next */
    uint64_t left;                /* bytes of long names that may still be written */
    uint64_t cut;                 /* names that were shortened */
};

/* A file that says a name once may have a million events of it; a trace repeats it with each. */
enum { NAMES_MOST = 1 << 28, NAMES_OF_EVENT = 512, NAME_LONG = 1024 };

/* ---- kinds ---- */

/* What an event is to the reader where the file that it came from did not say; NULL: plain code. */
static const char *category_name(enum frame_kind kind, const struct track *track)
{
    static const char *const names[KIND_COUNT] = {
        [KIND_PYTHON] = "python_function",
        [KIND_OPERATOR] = "cpu_op",
        [KIND_ANNOTATION] = "user_annotation",
        [KIND_RUNTIME] = "cuda_runtime",
        [KIND_KERNEL] = "kernel",
        [KIND_MEMCPY] = "gpu_memcpy",
        [KIND_MEMSET] = "gpu_memset",
        [KIND_COMMUNICATION] = "collective_comm",
        [KIND_SYNC] = "cuda_sync",
        [KIND_OTHER] = "overhead",
    };

    if (track->kind == TRACK_TOTALS)
        return "Trace";
    return track->kind == TRACK_RANGES ? "gpu_user_annotation" : names[kind];
}

static void write_category(struct written_trace *trace, const struct track *track, event_id event)
{
    const struct timeline *timeline = &trace->graph->timeline;
    str_id category = event_category(timeline, event);
    const char *name =
        category_name(graph_frame(trace->graph, timeline->frame[event])->kind, track);

    if (!category && !name)
        return;
    row_text_put(&trace->text, SPAN(",\"cat\":"));
    row_text_json(&trace->text, category ? graph_text(trace->graph, category) : span_of(name));
}

/* ---- events ---- */

static const struct trace_row *row_of(const struct written_trace *trace, const struct track *track)
{
    return &trace->rows[track - trace->graph->timeline.tracks];
}

static void begin_event(struct written_trace *trace, const char *phase, int64_t process,
                        int64_t thread)
{
    row_text_put(&trace->text, trace->has_event ? SPAN(",\n{\"ph\":\"") : SPAN("\n{\"ph\":\""));
    row_text_put(&trace->text, span_of(phase));
    row_text_put(&trace->text, SPAN("\",\"pid\":"));
    row_text_number(&trace->text, process);
    row_text_put(&trace->text, SPAN(",\"tid\":"));
    row_text_number(&trace->text, thread);
    trace->has_event = true;
}

static void write_time(struct written_trace *trace, const char *key, int64_t time)
{
    uint64_t size = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;
    unsigned rest = (unsigned)(size % 1000);
    char fraction[] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10), (char)('0' + rest % 10)};

    row_text_put(&trace->text, SPAN(",\""));
    row_text_put(&trace->text, span_of(key));
    row_text_put(&trace->text, time < 0 ? SPAN("\":-") : SPAN("\":"));
    row_text_number(&trace->text, (int64_t)(size / 1000));
    row_text_put(&trace->text, (struct span){fraction, sizeof(fraction)});
}

/* The name of an event; the beginning of a long one once too much has been written of such. */
static struct span name_of(struct written_trace *trace, const struct frame *frame)
{
    struct span name = graph_text(trace->graph, frame->name);

    if (name.len <= NAME_LONG)
        return name;
    if (name.len <= trace->left) {
        trace->left -= name.len;
        return name;
    }
    trace->cut++;
    name.len = NAME_LONG;
    while (name.len && ((unsigned char)name.at[name.len] & 0xc0) == 0x80)
        name.len--;
    return name;
}

/* `operation`: the id of what begins and ends apart, where the phase has one. */
static void write_event(struct written_trace *trace, const struct track *track, event_id event,
                        const char *phase, event_id operation)
{
    const struct timeline *timeline = &trace->graph->timeline;
    const struct frame *frame = graph_frame(trace->graph, timeline->frame[event]);

    begin_event(trace, phase, row_of(trace, track)->process, row_of(trace, track)->thread);
    write_category(trace, track, event);
    row_text_put(&trace->text, SPAN(",\"name\":"));
    row_text_json(&trace->text, name_of(trace, frame));
    write_time(trace, "ts",
               timeline->start[event] + (*phase == 'e' ? timeline->duration[event] : 0));
    if (*phase == 'X')
        write_time(trace, "dur", timeline->duration[event]);
    if (*phase == 'b' || *phase == 'e') {
        row_text_put(&trace->text, SPAN(",\"id\":"));
        row_text_number(&trace->text, operation);
    }
    if (*phase == 'i')
        row_text_put(&trace->text, SPAN(",\"s\":\"t\""));
    if (*phase != 'e')
        trace_args_write(&trace->args, event, &trace->text);
    row_text_put(&trace->text, SPAN("}"));
}

/* Events that stand inside another on the track are parts of one operation, and share its id. */
static void write_operations(struct written_trace *trace, const struct track *track)
{
    const struct timeline *timeline = &trace->graph->timeline;
    event_id operation = track->first;
    int64_t end = INT64_MIN;

    for (event_id event = track->first; event < track->first + track->count; event++) {
        if (timeline->start[event] >= end) {
            operation = event;
            end = timeline->start[event] + timeline->duration[event];
        }
        write_event(trace, track, event, "b", operation);
        write_event(trace, track, event, "e", operation);
    }
}

static void write_track(struct written_trace *trace, const struct track *track)
{
    const char *phase = track->kind == TRACK_POINTS ? "i" : "X";

    if (track->kind == TRACK_ASYNC) {
        write_operations(trace, track);
        return;
    }
    for (event_id event = track->first; event < track->first + track->count; event++)
        write_event(trace, track, event, phase, NO_EVENT);
}

/* ---- names and counters ---- */

static void write_metadata(struct written_trace *trace, const char *what, const struct track *track,
                           str_id name)
{
    begin_event(trace, "M", row_of(trace, track)->process, row_of(trace, track)->thread);
    row_text_put(&trace->text, SPAN(",\"name\":\""));
    row_text_put(&trace->text, span_of(what));
    row_text_put(&trace->text, SPAN("\",\"args\":{\"name\":"));
    row_text_json(&trace->text, graph_text(trace->graph, name));
    row_text_put(&trace->text, SPAN("}}"));
}

/* "gpu memory used" → the counter "gpu memory", whose member is "used". */
static void write_series(struct written_trace *trace, const struct series *series)
{
    struct span name = graph_text(trace->graph, series->name), member = name, counter = name;
    size_t blank = span_rfind(name, ' ');

    if (blank != SIZE_MAX) {
        counter.len = blank;
        member = span_after(name, blank + 1);
    }
    for (uint32_t i = 0; i < series->count; i++) {
        char value[40];

        begin_event(trace, "C", TRACE_TEXT_IDS + (int64_t)series->process, 0);
        write_time(trace, "ts", series->time[i]);
        row_text_put(&trace->text, SPAN(",\"name\":"));
        row_text_json(&trace->text, counter);
        row_text_put(&trace->text, SPAN(",\"args\":{"));
        row_text_json(&trace->text, member);
        row_text_put(&trace->text, (struct span){value, (size_t)snprintf(value, sizeof(value), ":%.17g}}", series->value[i])});
    }
}

/* ---- the whole ---- */

static void write_device(struct written_trace *trace, const struct device *device)
{
    fprintf(trace->out, "{\"id\":%d,\"name\":", (int)device->ordinal);
    escape_json(trace->out, graph_text(trace->graph, device->name));
    fprintf(trace->out,
            ",\"totalGlobalMem\":%" PRId64 ",\"computeMajor\":%d,\"computeMinor\":%d"
            ",\"numSms\":%" PRId64 ",\"warpSize\":%" PRId64
            ",\"maxThreadsPerMultiprocessor\":%" PRId64 ",\"regsPerMultiprocessor\":%" PRId64
            ",\"sharedMemPerMultiprocessor\":%" PRId64 "}",
            device->memory, (int)device->major, (int)device->minor, device->sms, device->warp_size,
            device->max_threads_per_sm, device->registers_per_sm, device->shared_memory_per_sm);
}

static void write_groups(struct written_trace *trace)
{
    const struct graph *graph = trace->graph;

    for (uint32_t i = 0; i < graph->source.groups.count; i++) {
        fputs(i ? "," : ",\"pg_config\":[", trace->out);
        fputs("{\"pg_name\":", trace->out);
        escape_json(trace->out, graph_text(graph, graph->source.groups.list[i].name));
        fputs(",\"ranks\":", trace->out);
        escape_json(trace->out, graph_text(graph, graph->source.groups.list[i].ranks));
        putc('}', trace->out);
    }
    if (graph->source.groups.count)
        putc(']', trace->out);
}

/* What a run says of itself: the names under which ptk keeps it and those that trace files have. */
static void write_run(struct written_trace *trace)
{
    int64_t rank, size, process, system;

    if (graph_fact(trace->graph, FACT_RANK, &rank) &&
        graph_fact(trace->graph, FACT_WORLD_SIZE, &size)) {
        fprintf(trace->out, ",\"distributedInfo\":{\"rank\":%" PRId64 ",\"world_size\":%" PRId64,
                rank, size);
        write_groups(trace);
        fputs("}", trace->out);
    }
    if (graph_fact(trace->graph, FACT_PROCESS_CPU, &process) &&
        graph_fact(trace->graph, FACT_SYSTEM_CPU, &system))
        fprintf(trace->out,
                ",\"ExtraInfo\":{\"Process Cpu Utilization\":%.6f,"
                "\"System Cpu Utilization\":%.6f}",
                (double)process / 1e6, (double)system / 1e6);
}

static void write_head(struct written_trace *trace)
{
    const struct graph *graph = trace->graph;

    fputs("{\"displayTimeUnit\":\"ms\"", trace->out);
    if (graph->timeline.origin)
        fprintf(trace->out, ",\"baseTimeNanoseconds\":%" PRId64, graph->timeline.origin);
    write_run(trace);
    fputs(",\n\"deviceProperties\":[", trace->out);
    for (uint32_t i = 0; i < graph->source.devices.count; i++) {
        fputs(i ? ",\n" : "\n", trace->out);
        write_device(trace, &graph->source.devices.list[i]);
    }
    fputs("],\n\"traceEvents\":[", trace->out);
}

/* A row of the file has one name: that of a stream's work, which is not that of its ranges and waits. */
static bool shares_row(const struct written_trace *trace, const struct track *track)
{
    const struct timeline *timeline = &trace->graph->timeline;
    const struct trace_row *row = row_of(trace, track);

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_STREAM && &timeline->tracks[i] != track &&
            !trace_row_is_beside(trace->graph, &timeline->tracks[i]) &&
            trace->rows[i].process == row->process && trace->rows[i].thread == row->thread)
            return true;
    return false;
}

static void write_chrome(struct writing *writing)
{
    const struct timeline *timeline = &writing->graph->timeline;
    struct written_trace trace = {.graph = writing->graph,
                                  .out = writing->out,
                                  .text = {.out = writing->out},
                                  .left = NAMES_MOST + (uint64_t)NAMES_OF_EVENT * timeline->count};

    trace.rows = trace_rows_find(writing->graph, writing->arena);
    trace_args_init(&trace.args, writing->graph, writing->arena);
    if (writing->path_marks)
        trace.args.is_critical = writing->path_marks->is_on_path;
    write_head(&trace);
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];
        bool is_beside = track->kind == TRACK_RANGES || trace_row_is_beside(trace.graph, track);
        bool is_named = is_beside ? !shares_row(&trace, track)
                                  : track->kind == TRACK_THREAD || track->kind == TRACK_STREAM;

        if (track->lane == 0 && track->process)
            write_metadata(&trace, "process_name", track, track->process);
        if (track->lane == 0 && track->name && is_named)
            write_metadata(&trace, "thread_name", track, track->name);
        write_track(&trace, track);
    }
    for (uint32_t i = 0; i < timeline->series.count; i++)
        write_series(&trace, &timeline->series.list[i]);
    row_text_flush(&trace.text);
    trace_flows_write(&trace.args, trace.rows, writing);
    if (writing->path_marks)
        write_path(trace.rows, writing);
    fputs("]}\n", writing->out);
    warning_count_many(
        writing->warnings, WARNING_LOSS,
        "long names of events cut: each event has its own, and together they would be "
        "thousands of times the profile",
        trace.cut);
}

const struct writer writer_chrome = {
    .name = "chrome",
    .summary = "a Chrome trace for Perfetto, with device work in Kineto's manner",
    .level = LEVEL_TIMELINE,
    .question = "a trace cannot be written",
    .wants_events = true,
    .shows_path = true,
    .write = write_chrome,
};
