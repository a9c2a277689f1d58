/* SPDX-License-Identifier: Apache-2.0 */
/* page_index.c — the index of a page's columns, as JSON */
#include "render/page/page_data.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/io/io.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/names/names.h"

enum { NAME_MAX_BYTES = 512, STEPS_SHOWN = 20000 };

struct index_writer {
    const struct page_data *data;
    const struct graph *graph;
    struct arena *arena;
    FILE *out;
};

static int64_t in_units(const struct page_data *data, int64_t time)
{
    return checked_sub(time, data->choice.origin) >> data->choice.level;
}

static void write_text(struct index_writer *writer, struct span text)
{
    escape_json(writer->out, escape_shortened(writer->arena, text, NAME_MAX_BYTES));
}

static const char *comma(uint32_t at)
{
    return at ? "," : "";
}

/* ---- names ---- */

/* [short, kind, full or 0, file or 0, line] */
static void write_names(struct index_writer *writer)
{
    const struct page_names *names = &writer->data->names;

    fprintf(writer->out, ",\n\"names\":[");
    for (uint32_t i = 0; i < names->count; i++) {
        const struct frame *frame = graph_frame(writer->graph, names->frames[i]);
        struct span full = graph_text(writer->graph, frame->name);
        struct span brief = graph_short_name(writer->graph, names->frames[i]);

        fprintf(writer->out, "%s\n[", comma(i));
        write_text(writer, brief);
        fprintf(writer->out, ",%d,", (int)frame->kind);
        if (span_eq(full, brief))
            fputs("0", writer->out);
        else
            write_text(writer, full);
        if (frame->file) {
            fputs(",", writer->out);
            write_text(writer, graph_text(writer->graph, frame->file));
            fprintf(writer->out, ",%" PRId64, frame->line);
        }
        fputs("]", writer->out);
    }
    fprintf(writer->out, "],\n\"kinds\":[");
    for (int kind = 0; kind < KIND_COUNT; kind++)
        fprintf(writer->out, "%s\"%s\"", comma((uint32_t)kind),
                frame_kind_name((enum frame_kind)kind));
    fputs("]", writer->out);
}

/* ---- tracks, steps, gaps, counters ---- */

static void write_tracks(struct index_writer *writer)
{
    const struct timeline *timeline = &writer->graph->timeline;

    fprintf(writer->out, ",\n\"tracks\":[");
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        fprintf(writer->out, "%s\n{\"name\":", comma(i));
        write_text(writer, graph_text(writer->graph, track->name));
        fputs(",\"process\":", writer->out);
        write_text(writer, graph_text(writer->graph, track->process));
        fprintf(writer->out,
                ",\"kind\":\"%s\",\"device\":%d,\"lane\":%" PRIu32 ",\"events\":%" PRIu32
                ",\"all\":%" PRIu32 "}",
                track_kind_name(track->kind), (int)track->device, track->lane,
                writer->data->columns.track_events[i], track->count);
    }
    fputs("]", writer->out);
}

static void write_steps(struct index_writer *writer)
{
    const struct steps *steps = &writer->data->steps;

    fprintf(writer->out, ",\n\"steps\":[");
    for (uint32_t i = 0; i < steps->count && i < STEPS_SHOWN; i++)
        fprintf(writer->out, "%s[%" PRId64 ",%" PRId64 ",%" PRId64 "]", comma(i),
                steps->list[i].number, in_units(writer->data, steps->list[i].start),
                in_units(writer->data, steps->list[i].end));
    fputs("]", writer->out);
}

/* Which idle time of devices is in its column, who owns it, and what for. */
static void write_gaps(struct index_writer *writer)
{
    const struct page_columns *columns = &writer->data->columns;

    fprintf(writer->out, ",\n\"gaps\":[");
    for (uint32_t i = 0; i < columns->gap_devices; i++) {
        const struct page_gaps *gaps = &columns->gaps[i];

        fprintf(writer->out,
                "%s{\"device\":%d,\"gaps\":%" PRIu32 ",\"all\":%" PRIu32 ",\"rest\":%" PRId64 "}",
                comma(i), (int)gaps->device, gaps->count, gaps->all, gaps->rest);
    }
    fprintf(writer->out, "],\n\"owners\":[");
    for (uint32_t i = 0; i < columns->owner_count; i++) {
        fputs(comma(i), writer->out);
        write_text(writer, graph_short_name(writer->graph, columns->owners[i]));
    }
    fprintf(writer->out, "],\n\"idle\":[");
    for (int class = 0; class < IDLE_CLASS_COUNT; class ++)
        fprintf(writer->out, "%s\"%s\"", comma((uint32_t) class),
                idle_class_name((enum idle_class) class));
    fputs("]", writer->out);
}

static void write_series(struct index_writer *writer)
{
    const struct page_columns *columns = &writer->data->columns;

    fprintf(writer->out, ",\n\"series\":[");
    for (uint32_t i = 0; i < columns->series_count; i++) {
        const struct series *series =
            &writer->graph->timeline.series.list[columns->series[i].series];

        fprintf(writer->out, "%s\n{\"name\":", comma(i));
        write_text(writer, graph_text(writer->graph, series->name));
        fputs(",\"process\":", writer->out);
        write_text(writer, graph_text(writer->graph, series->process));
        fprintf(writer->out, ",\"points\":%" PRIu32 ",\"least\":%.9g,\"most\":%.9g,\"unit\":\"%s\"}",
                columns->series[i].points, columns->series[i].least, columns->series[i].most,
                format_unit(series_unit(graph_text(writer->graph, series->name))));
    }
    fputs("]", writer->out);
}

static void write_path(struct index_writer *writer)
{
    const struct page_columns *columns = &writer->data->columns;

    fprintf(writer->out, ",\n\"path\":{\"pieces\":%" PRIu32 ",\"rest\":%" PRId64 ",\"parts\":[",
            columns->path_count, columns->path_rest >> writer->data->choice.level);
    for (int part = 0; part < PATH_PART_COUNT; part++)
        fprintf(writer->out, "%s\"%s\"", comma((uint32_t)part),
                path_part_name((enum path_part)part));
    fputs("]}", writer->out);
}

/* ---- all of it ---- */

static void write_index(struct index_writer *writer)
{
    const struct page_data *data = writer->data;
    const struct event_choice *choice = &data->choice;

    fprintf(writer->out,
            "{\"version\":1,\"unit\":%" PRId64 ",\"least\":%" PRId64 ",\"span\":%" PRId64
            ",\"events\":%" PRIu32 ",\"counted\":%" PRIu64 ",\"cell\":%" PRId64,
            choice->unit, choice->least, in_units(data, choice->end), choice->kept_count,
            data->columns.counted, data->columns.cell);
    fprintf(writer->out, ",\n\"columns\":[");
    for (uint32_t i = 0; i < PAGE_COLUMNS; i++)
        fprintf(writer->out, "%s%zu", comma(i), data->columns.of[i].count);
    fprintf(writer->out, "],\n\"windows\":[");
    for (uint32_t i = 0; i < choice->window_count; i++)
        fprintf(writer->out, "%s[%" PRId64 ",%" PRId64 "]", comma(i),
                in_units(data, choice->windows[i].start), in_units(data, choice->windows[i].end));
    fputs("]", writer->out);
    write_tracks(writer);
    write_names(writer);
    write_steps(writer);
    write_gaps(writer);
    write_series(writer);
    write_path(writer);
    fputs("}\n", writer->out);
}

/* "<" is in texts alone. */
void page_index_write(const struct page_data *data, struct arena *arena, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = memory_stream_open(&text, &size);
    struct index_writer writer = {data, data->choice.graph, arena, memory};

    write_index(&writer);
    memory_stream_close(memory, &text);
    for (size_t i = 0; i < size; i++)
        if (text[i] == '<')
            fputs("\\u003c", out);
        else
            fputc(text[i], out);
    free(text);
}
