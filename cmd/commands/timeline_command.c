/* SPDX-License-Identifier: Apache-2.0 */
/* ptk timeline: tracks over time as a picture, or some ranks of a job around one collective. */
#include "render/pictures/pictures.h"

#include <string.h>

#include "analysis/ranks/job.h"
#include "analysis/ranks/rank_summaries.h"
#include "base/io/io.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "cmd/options/time_window.h"
#include "graph/derive/derive.h"
#include "render/svg/svg.h"

enum { BOXES_MOST = 6000, GAPS_MOST = 500, WIDTH_MOST = 100000, DEPTH_MOST = 100 };

struct timeline_arguments {
    struct common common;
    struct layout_options layout;
    struct time_window window; /* these two are chosen of the picture, not of the profile */
    const char *track, *title, *around;
    uint32_t width;
};

static const struct option options[] = {
    OPT_GROUP("What is drawn"),
    OPT_TEXT(
        0, "around", struct timeline_arguments, around, "COLLECTIVE",
        "of several ranks' files what was around one collective, on one clock: GROUP:NUMBER, or "
        "worst, the one with the longest waiting"),
    OPT_COUNT('n', "limit", struct timeline_arguments, layout.tracks, "N",
              "at most N tracks, the busiest, 0 for all [40]"),
    OPT_COUNT('d', "depth", struct timeline_arguments, layout.depth, "N",
              "at most N levels of nesting, 1 to 100 [8]"),
    OPT_GROUP("How it is drawn"),
    OPT_COUNT(0, "width", struct timeline_arguments, width, "PIXELS",
              "of the picture, 500 to 100000 [1200]"),
    OPT_TEXT(0, "title", struct timeline_arguments, title, "TEXT",
             "above the picture [the file's name]"),
    OPT_INCLUDE(struct timeline_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct timeline_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct timeline_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct timeline_arguments, common, struct common, output_options),
    OPT_END,
};

/* ---- the picture ---- */

static bool draw(struct profile *profile, struct timeline_arguments *fields, struct arena *arena,
                 struct error *err)
{
    struct graph *graph = &profile->graph;
    struct steps steps;
    struct gaps gaps;
    struct timeline_layout layout;
    struct devices_work devices;
    struct timeline_picture picture = {.graph = graph,
                                       .layout = &layout,
                                       .steps = &steps,
                                       .gaps = &gaps,
                                       .origin = timeline_layout_origin(graph),
                                       .title = fields->title ? fields->title : profile->path,
                                       .width = fields->width};
    struct pattern wanted;
    struct output out;
    bool ok;

    if (fields->track && !pattern_compile(&wanted, fields->track, err))
        return false;
    fields->layout.wanted = fields->track ? &wanted : NULL;
    steps_find(graph, arena, &steps);
    ok = (time_window_is_all(&fields->window) ||
          time_window_find(&fields->window, graph, &fields->layout.start, &fields->layout.end,
                           err)) &&
         xml_stream_check(err) && output_open(&out, fields->common.output, err);
    if (ok) {
        device_work_collect(graph, arena, &devices);
        gaps_of_graph(graph, &devices, GAPS_MOST, arena, &gaps);
        timeline_layout_compute(graph, &fields->layout, arena, &layout);
        timeline_svg_write(&picture, out.file);
        ok = output_commit(&out, err);
    }
    if (fields->track)
        pattern_free(&wanted);
    return ok;
}

/* ---- some ranks around one collective ---- */

static bool draw_around(struct profile_request *request, struct error *err)
{
    struct timeline_arguments *fields = request->asked;
    char **paths = request->operands;
    size_t count = request->count, read = 0;
    struct arena *arena = &request->arena;
    struct profile *profiles = arena_array(arena, count, sizeof(*profiles)), around = {0};
    const struct graph **graphs = arena_array(arena, count, sizeof(*graphs));
    struct collective_window window;
    bool ok = selection_is_all(&fields->common.selection) ||
              error_set(err, ERROR_USAGE, "--around draws all that ran around a collective");

    while (ok && read < count) {
        ok = profile_load(&profiles[read], paths[read], &request->wanted, &fields->common, err);
        if (!ok)
            break;
        graphs[read] = &profiles[read].graph;
        ok = graph_need(&profiles[read].graph, LEVEL_TIMELINE, "no collective is in it", err) ||
             error_file(err, paths[read]);
        read++;
    }
    ok = ok && collective_timeline_make(
                   &(struct rank_traces){graphs, (const char *const *)paths, (uint32_t)count},
                   strcmp(fields->around, "worst") ? fields->around : "", arena, &around.graph,
                   &window, err);
    if (ok) {
        around.path = window.title;
        fields->layout.end = window.end - window.start;
        ok = draw(&around, fields, arena, err);
        graph_free(&around.graph);
    }
    for (size_t i = 0; i < read; i++)
        profile_free(&profiles[i]);
    return ok;
}

static bool check(const struct timeline_arguments *fields, struct error *err)
{
    if (fields->width < TIMELINE_WIDTH_LEAST || fields->width > WIDTH_MOST)
        error_set(err, ERROR_USAGE, "a timeline can be %d to %d pixels wide, not %u",
                  TIMELINE_WIDTH_LEAST, WIDTH_MOST, fields->width);
    else if (fields->layout.depth < 1 || fields->layout.depth > DEPTH_MOST)
        error_set(err, ERROR_USAGE, "a track can have 1 to %d levels, not %u", DEPTH_MOST,
                  fields->layout.depth);
    else
        return true;
    return false;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct timeline_arguments *fields = request->asked;

    fields->layout.columns = fields->width - TIMELINE_NAMES - 2 * TIMELINE_MARGIN;
    fields->window = fields->common.part.window;
    fields->track = fields->common.part.track;
    fields->common.part.window = (struct time_window){0};
    fields->common.part.track = NULL;
    if (fields->around)
        request->wanted.properties |= rank_summaries_properties();
    return check(fields, err) && terminal_check("an SVG picture", fields->common.output, err);
}

static bool read_and_draw(struct profile_request *request, struct error *err)
{
    struct timeline_arguments *fields = request->asked;
    struct profile profile;
    bool ok;

    if (fields->around)
        return draw_around(request, err);
    if (!profile_load_operand(&profile, request->operands, request->count, &request->wanted,
                              &fields->common, err))
        return false;
    ok = graph_need(&profile.graph, LEVEL_TIMELINE, "there are no tracks to draw", err) &&
         profile_select(&profile, &fields->common.selection, err) &&
         draw(&profile, fields, &request->arena, err);
    profile_free(&profile);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct timeline_arguments),
    .defaults =
        &(const struct timeline_arguments){
            .layout = {.tracks = 40, .depth = 8, .boxes = BOXES_MOST}, .width = 1200},
    .wanted = {.need = LEVEL_TIMELINE,
               .sample_times = true,
               .properties = PROPERTY_BIT(PROP_STEP) | PROPERTY_BIT(PROP_WAIT_STREAM),
               .launches = true,
               .series = true},
    .filtering = FILTERS_EVENTS,
    .prepare = prepare,
    .answer = read_and_draw,
};

const struct command command_timeline = {
    .name = "timeline",
    .summary = "tracks over time, as a picture of bounded size",
    .operands = "[FILE...]",
    .reads = "a timeline",
    .examples = "ptk timeline -o timeline.svg trace.json\n"
                "ptk timeline --track stream --depth 2 -o streams.svg trace.json\n"
                "ptk timeline --around worst -o worst.svg job/rank00*\n",
    .options = options,
    .profile = &profile_command,
};
