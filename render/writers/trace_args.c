/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of events of a Chrome trace. */
#include "render/writers/writer.h"

#include <stdio.h>

#include "base/memory/memory.h"

/* "stream 7" is thread 7; a number is better than a text that stands for one. */
static int64_t thread_of(const struct graph *graph, const struct track *track)
{
    struct span name = graph_text(graph, track->name);
    size_t blank = span_rfind(name, ' ');
    struct span last = blank == SIZE_MAX ? name : span_after(name, blank + 1);
    int64_t number = track->tid;

    if (number == 0 && (track->device < 0 || !span_to_i64(last, &number)))
        number = -1;
    return number == -1 ? TRACE_TEXT_IDS + (int64_t)track->name : number;
}

/* ---- rows that several tracks of one kind have ---- */

struct row_ordering {
    const struct timeline *timeline;
    const struct trace_row *rows;
};

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Readers tell tracks of different kinds in one row apart. */
static int compare_rows(const struct row_ordering *standing, uint32_t a, uint32_t b)
{
    const struct trace_row *left = &standing->rows[a], *right = &standing->rows[b];
    int order = compare(standing->timeline->tracks[a].kind, standing->timeline->tracks[b].kind);

    order = order ? order : compare(left->process, right->process);
    return order ? order : compare(left->thread, right->thread);
}

static bool stands_before(const void *context, uint32_t a, uint32_t b)
{
    return compare_rows(context, a, b) < 0;
}

bool trace_row_is_beside(const struct graph *graph, const struct track *track)
{
    return track->kind == TRACK_STREAM &&
           (track->count == 0 ||
            graph_frame(graph, graph->timeline.frame[track->first])->kind == KIND_SYNC);
}

static void part_equals(const struct graph *graph, struct arena *arena, struct trace_row *rows)
{
    const struct timeline *timeline = &graph->timeline;
    const struct row_ordering standing = {timeline, rows};
    uint32_t *order = arena_array(arena, timeline->track_count, sizeof(*order)), count = 0;
    bool *is_taken = arena_array(arena, timeline->track_count, sizeof(*is_taken));

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].lane == 0 && !trace_row_is_beside(graph, &timeline->tracks[i]))
            order[count++] = i;
    sort_stable(order, count, stands_before, &standing);
    for (uint32_t i = 1; i < count; i++)
        is_taken[order[i]] = compare_rows(&standing, order[i - 1], order[i]) == 0;
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (is_taken[i] && timeline->tracks[i].process)
            rows[i].process = TRACE_TEXT_IDS + (int64_t)timeline->tracks[i].process;
}

struct trace_row *trace_rows_find(const struct graph *graph, struct arena *arena)
{
    const struct timeline *timeline = &graph->timeline;
    struct trace_row *rows = arena_array(arena, timeline->track_count, sizeof(*rows));

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        rows[i].process = track->device >= 0 ? track->device
                          : track->pid       ? track->pid
                                             : TRACE_TEXT_IDS + (int64_t)track->process;
        rows[i].thread = thread_of(graph, track);
    }
    part_equals(graph, arena, rows);
    for (uint32_t i = 1; i < timeline->track_count; i++)
        if (timeline->tracks[i].lane)
            rows[i] = rows[i - 1];
    return rows;
}

static const struct {
    enum property property;
    const char *key;
} names[] = {
    {PROP_CORRELATION, "correlation"},
    {PROP_STREAM, "stream"},
    {PROP_CONTEXT, "context"},
    {PROP_BYTES, "bytes"},
    {PROP_FLOP, "flops"},
    {PROP_GRID, "grid"},
    {PROP_BLOCK, "block"},
    {PROP_REGISTERS, "registers per thread"},
    {PROP_SHARED_MEMORY, "shared memory"},
    {PROP_BLOCKS_PER_SM, "blocks per SM"},
    {PROP_WARPS_PER_SM, "warps per SM"},
    {PROP_OCCUPANCY, "est. achieved occupancy %"},
    {PROP_SHAPES, "Input Dims"},
    {PROP_TYPES, "Input type"},
    {PROP_STRIDES, "Input Strides"},
    {PROP_CONCRETE, "Concrete Inputs"},
    {PROP_CALL_STACK, "Call stack"},
    {PROP_SEQUENCE, "Sequence number"},
    {PROP_FORWARD_THREAD, "Fwd thread id"},
    {PROP_MODULE_ID, "Python module id"},
    {PROP_PYTHON_ID, "Python id"},
    {PROP_PYTHON_PARENT, "Python parent id"},
    {PROP_COLLECTIVE, "Collective name"},
    {PROP_DTYPE, "dtype"},
    {PROP_IN_ELEMENTS, "In msg nelems"},
    {PROP_OUT_ELEMENTS, "Out msg nelems"},
    {PROP_GROUP_SIZE, "Group size"},
    {PROP_GROUP, "Process Group Name"},
    {PROP_GROUP_RANKS, "Process Group Ranks"},
    {PROP_GROUP_USE, "Process Group Description"},
    {PROP_SRC_RANK, "Src Rank"},
    {PROP_DST_RANK, "Dst Rank"},
    {PROP_COLLECTIVE_SEQ, "Seq"},
    {PROP_SYNC_KIND, "cuda_sync_kind"},
    {PROP_WAIT_STREAM, "wait_on_stream"},
    {PROP_WAIT_LAUNCH, "wait_on_cuda_event_record_corr_id"},
    {PROP_ADDRESS, "Addr"},
    {PROP_ALLOCATED, "Total Allocated"},
    {PROP_RESERVED, "Total Reserved"},
    {PROP_PEAK_ALLOCATED, "peak_allocated"},
    {PROP_PEAK_RESERVED, "peak_reserved"},
    {PROP_PLACE, "place"},
    {PROP_DETAIL, "detail"},
    {PROP_GRAPH_NODE, "graph node id"},
    {PROP_NODE_MODULE, "module_fqn"},
    {PROP_NODE_LABEL, "name"},
    {PROP_KERNEL_NAME, "kernel"},
    {PROP_THROUGHPUT, "memory bandwidth (GB/s)"},
};

/* Whether a correlation may link the event with what launched it. */
static bool is_launched(const struct graph *graph, event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    event_id launch = timeline->launch[event];

    return launch != NO_EVENT &&
           graph_frame(graph, timeline->frame[launch])->kind == KIND_RUNTIME &&
           frame_kind_is_device(graph_frame(graph, timeline->frame[event])->kind);
}

bool trace_args_correlate(const struct trace_args *args, event_id event)
{
    const struct timeline *timeline = &args->graph->timeline;
    const struct property_column *column = &timeline->properties[PROP_CORRELATION];
    int64_t of_event, of_launch;

    if (!is_launched(args->graph, event))
        return false;
    return args->launches ||
           (property_of(column, event, &of_event) &&
            property_of(column, timeline->launch[event], &of_launch) && of_event == of_launch);
}

/* A file without correlations may say what launched what all the same. */
void trace_args_init(struct trace_args *args, const struct graph *graph, struct arena *arena)
{
    const struct timeline *timeline = &graph->timeline;

    *args = (struct trace_args){.graph = graph};
    if (!timeline->launch || timeline->properties[PROP_CORRELATION].count)
        return;
    args->launches = arena_array(arena, timeline->count, sizeof(*args->launches));
    for (event_id event = 0; event < timeline->count; event++)
        if (is_launched(graph, event))
            args->launches[timeline->launch[event]] = true;
}

/* The event's value, if it has one. */
static bool take_value(struct trace_args *args, enum property property, event_id event,
                       int64_t *value)
{
    const struct property_column *column = &args->graph->timeline.properties[property];
    uint32_t *next = &args->next[property];

    while (*next < column->count && column->event[*next] < event)
        (*next)++;
    if (*next == column->count || column->event[*next] != event)
        return false;
    *value = property_value(column, *next);
    return true;
}

static void write_fraction(double value, struct row_text *rows)
{
    char text[32];

    row_text_put(rows, (struct span){text, (size_t)snprintf(text, sizeof(text), "%.15g", value)});
}

/* Kineto's units: shares of a whole in percent, throughput in GB/s. */
static void write_number(enum property property, int64_t value, struct row_text *rows)
{
    int64_t x, y, z;

    if (property == PROP_GRID || property == PROP_BLOCK) {
        property_unpack3(value, &x, &y, &z);
        row_text_put(rows, SPAN("["));
        row_text_number(rows, x);
        row_text_put(rows, SPAN(","));
        row_text_number(rows, y);
        row_text_put(rows, SPAN(","));
        row_text_number(rows, z);
        row_text_put(rows, SPAN("]"));
    } else if (property == PROP_OCCUPANCY) {
        write_fraction((double)value / 1e4, rows);
    } else if (property == PROP_THROUGHPUT) {
        write_fraction((double)value / 1e9, rows);
    } else if (property_kind(property) == PROPERTY_PPM) {
        write_fraction((double)value / 1e6, rows);
    } else {
        row_text_number(rows, value);
    }
}

static void write_key(const char *key, size_t before, struct row_text *rows)
{
    row_text_put(rows, before ? SPAN(",\"") : SPAN(",\"args\":{\""));
    row_text_put(rows, span_of(key));
    row_text_put(rows, SPAN("\":"));
}

static bool is_linked(const struct trace_args *args, event_id event, int64_t *number)
{
    event_id launch;

    if (!args->launches)
        return false;
    launch = is_launched(args->graph, event) ? args->graph->timeline.launch[event] : NO_EVENT;
    *number = (int64_t)(launch != NO_EVENT ? launch : event) + 1;
    return launch != NO_EVENT || args->launches[event];
}

void trace_args_write(struct trace_args *args, event_id event, struct row_text *rows)
{
    size_t written = 0;
    int64_t value;

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (!take_value(args, names[i].property, event, &value))
            continue;
        write_key(names[i].key, written++, rows);
        if (property_kind(names[i].property) == PROPERTY_TEXT)
            row_text_json(rows, graph_text(args->graph, (str_id)value));
        else
            write_number(names[i].property, value, rows);
    }
    if (is_linked(args, event, &value)) {
        write_key("correlation", written++, rows);
        row_text_number(rows, value);
    }
    if (take_value(args, PROP_EARLY_CALL, event, &value)) {
        write_key("launched before by", written++, rows);
        row_text_json(rows, graph_text(args->graph, graph_frame(args->graph, (frame_id)value)->name));
    }
    if (args->is_critical && args->is_critical[event]) {
        write_key("critical", written++, rows);
        row_text_put(rows, SPAN("1"));
    }
    if (written)
        row_text_put(rows, SPAN("}"));
}
