/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline as SVG: tracks with their events. */
#include "render/pictures/pictures.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/layout/flame.h"
#include "base/checked.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/svg/assets.h"
#include "render/svg/axis.h"
#include "render/svg/legend.h"
#include "render/svg/svg.h"

/* Pixels. */
enum { HEAD = 66, ROW = 14, GAP = 1, BETWEEN = 6, PAD = 3, TEXT = 11, SMALL = 10, TITLE = 15 };
enum { CURVE = 34, CURVES_MOST = 8, AXIS = 22, LEAST_NAMED = 30 };

struct timeline_drawing {
    const struct timeline_picture *picture;
    struct svg svg;
    struct arena arena; /* of one box's texts */
    struct arena lasting;
    struct axis axis;
    double *lane_y;    /* by lane */
    uint32_t *lane_of; /* by track: index + 1, or 0 */
    double bottom, height;
    uint32_t curves;
    struct legend_key keys[KIND_COUNT];
    uint32_t key_count;
};

static const char *const hues[] = {"h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"};

/* Four strengths, so that a reader sees how busy a cell is. */
static const char *const dense_hues[][8] = {
    {"d0 h0", "d0 h1", "d0 h2", "d0 h3", "d0 h4", "d0 h5", "d0 h6", "d0 h7"},
    {"d1 h0", "d1 h1", "d1 h2", "d1 h3", "d1 h4", "d1 h5", "d1 h6", "d1 h7"},
    {"d2 h0", "d2 h1", "d2 h2", "d2 h3", "d2 h4", "d2 h5", "d2 h6", "d2 h7"},
    {"d3 h0", "d3 h1", "d3 h2", "d3 h3", "d3 h4", "d3 h5", "d3 h6", "d3 h7"},
};

static double x_of(const struct timeline_drawing *drawing, int64_t time)
{
    const struct timeline_layout *layout = drawing->picture->layout;
    int64_t shown = time < layout->start ? layout->start : time > layout->end ? layout->end : time;

    return axis_at(&drawing->axis, (double)checked_sub(shown, drawing->picture->origin));
}

static void write_text(struct timeline_drawing *drawing, const char *class, struct svg_point at,
                       double room, double size, struct span text)
{
    struct span plain = escape_shortened(&drawing->arena, text, PICTURE_NAME_MAX);
    struct span fit = text_fit(&drawing->arena, plain, room, size);

    if (fit.len)
        svg_label(&drawing->svg, class, at.x, at.y, ANCHOR_START, fit);
}

/* ---- boxes ---- */

static const char *tooltip(struct timeline_drawing *drawing, const struct layout_box *box)
{
    const struct graph *graph = drawing->picture->graph;
    struct arena *arena = &drawing->arena;
    struct span label =
        escape_shortened(arena, frame_label(graph, box->frame, arena), PICTURE_NAME_MAX);
    char busy[FORMAT_LEN], at[FORMAT_LEN], share[FORMAT_LEN];

    format_value(busy, box->busy, UNIT_NS);
    format_value(at, checked_sub(box->start, drawing->picture->origin), UNIT_NS);
    if (box->events == 1)
        return arena_printf(arena, "%.*s\n%s at %s", (int)label.len, label.at, busy, at);
    return arena_printf(
        arena, "%" PRIu32 " events: %s at %s, %s busy\nthe longest: %.*s", box->events, busy, at,
        format_share(share, share_of(box->busy, box->end - box->start)), (int)label.len, label.at);
}

static double row_y(const struct timeline_drawing *drawing, const struct layout_box *box)
{
    return drawing->lane_y[box->lane] + (double)box->level * ROW;
}

/* From the lane whose event made this one run. Hidden until the pointer is on the box. */
static void write_arrow(struct timeline_drawing *drawing, const struct layout_box *box)
{
    const struct timeline *timeline = &drawing->picture->graph->timeline;
    event_id launch = timeline->launch ? timeline->launch[box->event] : NO_EVENT;
    uint32_t from;
    struct svg_point ends[2];

    if (launch == NO_EVENT)
        return;
    from = drawing->lane_of[track_of_event(timeline, launch)];
    if (!from || timeline->start[launch] < drawing->picture->layout->start)
        return;
    ends[0].x = x_of(drawing, timeline->start[launch]);
    ends[0].y = drawing->lane_y[from - 1] +
                (double)drawing->picture->layout->list[from - 1].levels * ROW - GAP;
    ends[1].x = x_of(drawing, box->start);
    ends[1].y = row_y(drawing, box);
    svg_path(&drawing->svg, "arrow", ends, 2, false);
}

static const char *class_of(const struct timeline_drawing *drawing, const struct layout_box *box)
{
    uint8_t hue = coloring_of_kind(graph_frame(drawing->picture->graph, box->frame)->kind);
    double busy = share_of(box->busy, box->end - box->start);

    if (box->events == 1 && box->busy >= drawing->picture->layout->cell)
        return hues[hue];
    return dense_hues[busy < 0.25 ? 0 : busy < 0.5 ? 1 : busy < 0.75 ? 2 : 3][hue];
}

static void write_box(struct timeline_drawing *drawing, const struct layout_box *box)
{
    struct svg *svg = &drawing->svg;
    double x = x_of(drawing, box->start), y = row_y(drawing, box);
    double width = fmax(x_of(drawing, box->end) - x, 0.2);
    const struct graph *graph = drawing->picture->graph;

    svg_begin(svg, "g");
    svg_text_attribute(svg, "class", "event");
    svg_integer(svg, "data-events", box->events);
    svg_integer(svg, "data-busy", box->busy);
    svg_tooltip(svg, span_of(tooltip(drawing, box)));
    svg_rectangle(svg, class_of(drawing, box), (struct svg_box){x, y, width, ROW - GAP});
    if (box->events == 1 && width >= LEAST_NAMED)
        write_text(drawing, "small", (struct svg_point){x + PAD, y + ROW - GAP - 3},
                   width - 2 * PAD, SMALL, graph_short_name(graph, box->frame));
    write_arrow(drawing, box);
    svg_end(svg);
    arena_clear(&drawing->arena);
}

/* ---- lanes ---- */

static const char *track_text(struct timeline_drawing *drawing, const struct track *track)
{
    struct arena *arena = &drawing->arena;
    const struct graph *graph = drawing->picture->graph;
    struct span name = escape_shortened(arena, graph_text(graph, track->name), PICTURE_NAME_MAX);
    struct span process =
        escape_shortened(arena, graph_text(graph, track->process), PICTURE_NAME_MAX);

    return arena_printf(arena, "%.*s%s%.*s%s", (int)name.len, name.at, name.len ? "\n" : "",
                        (int)process.len, process.at, track->lane ? "\noverlapping events" : "");
}

static void write_lane(struct timeline_drawing *drawing, uint32_t index)
{
    const struct timeline_picture *picture = drawing->picture;
    const struct layout_lane *lane = &picture->layout->list[index];
    const struct track *track = &picture->graph->timeline.tracks[lane->track];
    struct svg *svg = &drawing->svg;
    double y = drawing->lane_y[index];

    svg_line(svg, "rule", TIMELINE_MARGIN, y - BETWEEN / 2.0, drawing->axis.to, y - BETWEEN / 2.0);
    svg_begin(svg, "g");
    svg_tooltip(svg, span_of(track_text(drawing, track)));
    if (track->lane == 0)
        write_text(drawing, NULL, (struct svg_point){TIMELINE_MARGIN, y + 10},
                   TIMELINE_NAMES - 2 * PAD, TEXT, graph_text(picture->graph, track->name));
    if (track->lane == 0 && lane->levels > 1)
        write_text(drawing, "small faint", (struct svg_point){TIMELINE_MARGIN, y + 10 + ROW},
                   TIMELINE_NAMES - 2 * PAD, SMALL, graph_text(picture->graph, track->process));
    svg_end(svg);
    arena_clear(&drawing->arena);
}

/* ---- behind the boxes: steps and idle gaps ---- */

static bool is_in_view(const struct timeline_drawing *drawing, int64_t start, int64_t end)
{
    return start < drawing->picture->layout->end && end > drawing->picture->layout->start;
}

static void write_steps(struct timeline_drawing *drawing)
{
    const struct steps *steps = drawing->picture->steps;
    struct svg *svg = &drawing->svg;

    for (uint32_t i = 0; i < steps->span_count; i++) {
        const struct step_span *span = &steps->spans[i];
        const struct step *step = &steps->list[span->step];
        double x = x_of(drawing, span->start), width = x_of(drawing, span->end) - x;

        if (!is_in_view(drawing, span->start, span->end) || width < 1)
            continue;
        svg_rectangle(svg, span->step % 2 ? "band odd" : "band",
                      (struct svg_box){x, HEAD - 14, width, drawing->bottom - HEAD + 14});
        write_text(drawing, "small faint", (struct svg_point){x + PAD, HEAD - 4}, width - 2 * PAD,
                   SMALL, span_of(arena_printf(&drawing->arena, "step %" PRId64, step->number)));
        arena_clear(&drawing->arena);
    }
}

/* A gap is shaded on every stream of its device: none of them had work. */
static void write_gap(struct timeline_drawing *drawing, const struct gap *gap)
{
    const struct timeline_layout *layout = drawing->picture->layout;
    double x = x_of(drawing, gap->start);
    double width = x_of(drawing, checked_add(gap->start, gap->length)) - x;
    char length[FORMAT_LEN];

    if (!is_in_view(drawing, gap->start, checked_add(gap->start, gap->length)) || width < 1)
        return;
    svg_begin(&drawing->svg, "g");
    svg_tooltip(&drawing->svg, span_of(arena_printf(&drawing->arena, "idle for %s: %s",
                                                    format_value(length, gap->length, UNIT_NS),
                                                    gap_cause_name(gap->cause))));
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct track *track =
            &drawing->picture->graph->timeline.tracks[layout->list[i].track];

        if (track->kind == TRACK_STREAM && track->device == gap->device)
            svg_rectangle(&drawing->svg, "idle",
                          (struct svg_box){x, drawing->lane_y[i] - 1, width,
                                           (double)layout->list[i].levels * ROW + 1});
    }
    svg_end(&drawing->svg);
    arena_clear(&drawing->arena);
}

/* ---- counters ---- */

/* The area below a counter. */
static void write_area(struct timeline_drawing *drawing, const struct series *series, double y,
                       double most)
{
    struct step_trail trail;

    trail_init(&trail, drawing->axis.to - drawing->axis.from, &drawing->arena);
    for (uint32_t i = 0; i < series->count; i++) {
        double part = series->value[i] > 0 ? series->value[i] / most : 0;

        trail_add(&trail, x_of(drawing, series->time[i]), y + CURVE * (1 - part));
    }
    trail_end(&trail, drawing->axis.to);
    trail_write_area(&drawing->svg, "area", &trail, y + CURVE);
}

static void write_curve(struct timeline_drawing *drawing, const struct series *series, double y)
{
    double most = 0;
    char text[64];

    for (uint32_t i = 0; i < series->count; i++)
        if (isfinite(series->value[i]))
            most = fmax(most, series->value[i]);
    snprintf(text, sizeof(text), "at most %.4g", most);
    write_text(drawing, NULL, (struct svg_point){TIMELINE_MARGIN, y + 12}, TIMELINE_NAMES - 2 * PAD,
               TEXT, graph_text(drawing->picture->graph, series->name));
    svg_label(&drawing->svg, "small faint", TIMELINE_MARGIN, y + 12 + ROW, ANCHOR_START,
              span_of(text));
    write_area(drawing, series, y, most > 0 ? most : 1);
    arena_clear(&drawing->arena);
}

/* ---- the whole ---- */

/* Kinds of one colour share a key. */
static void add_key(struct timeline_drawing *drawing, enum frame_kind kind)
{
    const char *name = frame_kind_name(kind), *class = hues[coloring_of_kind(kind)];
    struct legend_key *key = drawing->keys;

    while (key < drawing->keys + drawing->key_count && key->class != class)
        key++;
    if (key == drawing->keys + drawing->key_count)
        drawing->keys[drawing->key_count++] =
            (struct legend_key){.class = class, .text = span_of(name)};
    else
        key->text = span_of(
            arena_printf(&drawing->lasting, "%.*s, %s", (int)key->text.len, key->text.at, name));
}

static void plan_legend(struct timeline_drawing *drawing)
{
    const struct timeline_picture *picture = drawing->picture;
    bool is_there[KIND_COUNT] = {false};

    for (uint32_t i = 0; i < picture->layout->box_count; i++)
        is_there[graph_frame(picture->graph, picture->layout->boxes[i].frame)->kind] = true;
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++)
        if (is_there[kind])
            add_key(drawing, (enum frame_kind)kind);
}

static void plan(struct timeline_drawing *drawing)
{
    const struct timeline_picture *picture = drawing->picture;
    const struct timeline_layout *layout = picture->layout;
    const struct timeline *timeline = &picture->graph->timeline;
    double y = HEAD + BETWEEN;

    drawing->axis = (struct axis){.low = (double)checked_sub(layout->start, picture->origin),
                                  .high = (double)checked_sub(layout->end, picture->origin),
                                  .from = TIMELINE_MARGIN + TIMELINE_NAMES,
                                  .to = picture->width - TIMELINE_MARGIN};
    drawing->lane_y = arena_array(&drawing->lasting, layout->count, sizeof(double));
    drawing->lane_of = arena_array(&drawing->lasting, timeline->track_count, sizeof(uint32_t));
    for (uint32_t i = 0; i < layout->count; i++) {
        drawing->lane_y[i] = y;
        drawing->lane_of[layout->list[i].track] = i + 1;
        y += (double)layout->list[i].levels * ROW + BETWEEN;
    }
    drawing->curves =
        timeline->series.count < CURVES_MOST ? (uint32_t)timeline->series.count : CURVES_MOST;
    drawing->bottom = y + drawing->curves * (CURVE + BETWEEN);
    plan_legend(drawing);
    drawing->height = drawing->bottom + AXIS +
                      legend_lay_out(drawing->keys, drawing->key_count,
                                     picture->width - 2 * TIMELINE_MARGIN, &drawing->lasting) +
                      6;
}

static const char *left_out(const char *text, uint64_t events, const char *why, struct arena *arena)
{
    char count[FORMAT_LEN];

    return arena_printf(arena, "%s; %s event%s %s", text, format_count(count, (int64_t)events),
                        events == 1 ? "" : "s", why);
}

static const char *facts(struct timeline_drawing *drawing)
{
    const struct timeline_layout *layout = drawing->picture->layout;
    struct arena *arena = &drawing->arena;
    char span[FORMAT_LEN], cell[FORMAT_LEN], count[FORMAT_LEN];
    int64_t events = 0;
    const char *text;

    for (uint32_t i = 0; i < layout->count; i++)
        events += layout->list[i].events;
    text = arena_printf(arena, "%s, %s events; those shorter than %s are counted in paler boxes",
                        format_value(span, layout->end - layout->start, UNIT_NS),
                        format_count(count, events), format_value(cell, layout->cell, UNIT_NS));
    if (layout->left_out)
        text = arena_printf(arena, "%s; %" PRIu32 " less busy tracks left out", text,
                            layout->left_out);
    if (layout->outer)
        text = left_out(text, layout->outer, "on outer levels left out", arena);
    if (layout->deeper)
        text = left_out(text, layout->deeper, "nested deeper", arena);
    return text;
}

static void write_head(struct timeline_drawing *drawing)
{
    double room = drawing->picture->width - 2 * TIMELINE_MARGIN;

    svg_style(&drawing->svg, asset_picture_css);
    svg_rectangle(&drawing->svg, "paper",
                  (struct svg_box){0, 0, drawing->picture->width, drawing->height});
    write_text(drawing, "title", (struct svg_point){TIMELINE_MARGIN, 22}, room / 1.1, TITLE,
               span_of(drawing->picture->title));
    write_text(drawing, "faint", (struct svg_point){TIMELINE_MARGIN, 40}, room, TEXT,
               span_of(facts(drawing)));
    arena_clear(&drawing->arena);
}

static void write_ground(struct timeline_drawing *drawing)
{
    write_steps(drawing);
    axis_write_values(&drawing->svg, &drawing->axis,
                      (struct svg_box){drawing->axis.from, HEAD,
                                       drawing->axis.to - drawing->axis.from,
                                       drawing->bottom - HEAD},
                      UNIT_NS);
    for (uint32_t i = 0; i < drawing->picture->gaps->count; i++)
        write_gap(drawing, &drawing->picture->gaps->largest[i]);
}

void timeline_svg_write(const struct timeline_picture *picture, FILE *out)
{
    struct timeline_drawing drawing = {.picture = picture};

    plan(&drawing);
    svg_open(&drawing.svg, out, picture->width, drawing.height, picture->title);
    write_head(&drawing);
    write_ground(&drawing);
    for (uint32_t i = 0; i < picture->layout->count; i++)
        write_lane(&drawing, i);
    for (uint32_t i = 0; i < picture->layout->box_count; i++)
        write_box(&drawing, &picture->layout->boxes[i]);
    for (uint32_t i = 0; i < drawing.curves; i++)
        write_curve(&drawing, &picture->graph->timeline.series.list[i],
                    drawing.bottom - (drawing.curves - i) * (CURVE + BETWEEN));
    legend_write(&drawing.svg, drawing.keys, drawing.key_count, TIMELINE_MARGIN,
                 drawing.bottom + AXIS);
    svg_close(&drawing.svg);
    arena_free(&drawing.arena);
    arena_free(&drawing.lasting);
}
