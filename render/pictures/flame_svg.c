/* SPDX-License-Identifier: Apache-2.0 */
/* A flame graph as SVG. */
#include "render/pictures/pictures.h"

#include <inttypes.h>
#include <math.h>

#include "base/checked.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/svg/assets.h"
#include "render/svg/legend.h"
#include "render/svg/svg.h"

/* Pixels. A box's text begins and ends `PAD` within it. */
enum { MARGIN = 12, HEAD = 50, ROW = 18, GAP = 1, PAD = 4, TEXT = 11, TITLE = 15 };

/* The script's search field and button take this much of the title's line; bold letters are at
 * most this much wider. */
enum { TOOLS = 240 };
static const double BOLD = 1.1;

struct flame_drawing {
    struct svg svg;
    const struct graph *graph;
    const struct flame *flame;
    const struct coloring *coloring;
    const struct flame_style *style;
    struct arena arena; /* of one box's texts */
    double inner;       /* what `whole` is wide */
    double legend_y, height;
    struct legend_key *keys;
    uint32_t key_count;
    struct arena lasting; /* of the legend's texts */
    char value[FORMAT_LEN], share[FORMAT_LEN];
};

/* ---- words ---- */

static const char *value_text(struct flame_drawing *drawing, int64_t value)
{
    return format_value(drawing->value, value, graph_unit(drawing->graph));
}

static const char *share_text(struct flame_drawing *drawing, int64_t value)
{
    return format_share(drawing->share, share_of(value, drawing->flame->whole));
}

/* "+1.5 s", in the arena. */
static const char *change_text(struct flame_drawing *drawing, int64_t now, int64_t before)
{
    if (now == before)
        return "the same";
    return arena_printf(&drawing->arena, "%s%s", now > before ? "+" : "",
                        value_text(drawing, checked_sub(now, before)));
}

/* What a value is, and what it was: "1.7 s, 0.2 s before (+1.5 s)". */
static const char *values_text(struct flame_drawing *drawing, int64_t now, int64_t before)
{
    const char *text = arena_printf(&drawing->arena, "%s", value_text(drawing, now));
    const char *past = arena_printf(&drawing->arena, "%s", value_text(drawing, before));

    return arena_printf(&drawing->arena, "%s, %s before (%s)", text, past,
                        change_text(drawing, now, before));
}

/* "+1.5 s", or where there is both "+1.5 s: 2 s more, 500 ms less". */
static const char *difference_text(struct flame_drawing *drawing, int64_t all, int64_t shrunk)
{
    int64_t grown = checked_sub(all, shrunk);
    const char *text = change_text(drawing, grown, shrunk), *more;

    if (!grown || !shrunk)
        return text;
    more = arena_printf(&drawing->arena, "%s: %s more", text, value_text(drawing, grown));
    return arena_printf(&drawing->arena, "%s, %s less", more, value_text(drawing, shrunk));
}

static const char *whole_text(struct flame_drawing *drawing)
{
    const struct flame *flame = drawing->flame;

    if (flame->is_difference)
        return difference_text(drawing, flame->whole, flame->whole_before);
    return flame->is_compared ? values_text(drawing, flame->whole, flame->whole_before)
                              : value_text(drawing, flame->whole);
}

/* As the file has it, or short: of Python it is short without the place, which is in the tooltip. */
static struct span name_of(struct flame_drawing *drawing, const struct flame_box *box, bool is_short)
{
    const struct track *track =
        box->track ? &drawing->graph->timeline.tracks[box->track - 1] : NULL;
    bool is_track = track && !box->merged;
    bool is_python = graph_frame(drawing->graph, box->frame)->kind == KIND_PYTHON;
    str_id id = is_track ? track->name : graph_frame(drawing->graph, box->frame)->name;
    struct span name = escape_shortened(&drawing->arena,
                                        is_track || !is_short || is_python ? graph_text(drawing->graph, id)
                                                              : graph_short_name(drawing->graph, box->frame),
                                        PICTURE_NAME_MAX);

    if (box->merged && !box->frame)
        return span_of(arena_printf(&drawing->arena, "%" PRIu32 " narrower", box->merged));
    if (box->merged > 1)
        return span_of(arena_printf(&drawing->arena, "%.*s + %" PRIu32 " more", (int)name.len,
                                    name.at, box->merged - 1));
    if (is_track && track->lane) /* the row of what overlaps on the track before it */
        return span_of(arena_printf(&drawing->arena, "%.*s (overlapping)", (int)name.len, name.at));
    return name;
}

static const char *figures(struct flame_drawing *drawing, const struct flame_box *box)
{
    struct arena *arena = &drawing->arena;
    const char *text = arena_printf(arena, "%s (%s)", value_text(drawing, box->total),
                                    share_text(drawing, box->total));

    return box->merged
               ? text
               : arena_printf(arena, "%s, of it self %s (%s)", text, value_text(drawing, box->self),
                              share_text(drawing, box->self));
}

static const char *compared_figures(struct flame_drawing *drawing, const struct flame_box *box)
{
    struct arena *arena = &drawing->arena;
    const char *(*describe)(struct flame_drawing *, int64_t, int64_t) =
        drawing->flame->is_difference ? difference_text : values_text;
    const char *text = describe(drawing, box->total, box->total_before);

    if (box->merged)
        return text;
    text = arena_printf(arena, "%s\nself %s", text, describe(drawing, box->self, box->self_before));
    if (!box->is_new)
        return text;
    return arena_printf(arena, "%s\nnew in this place%s", text,
                        box->total_before ? ": compared with places that are gone" : "");
}

/* The whole name, and the figures: what a pointer or a keyboard asks for. */
static const char *tooltip(struct flame_drawing *drawing, const struct flame_box *box)
{
    struct arena *arena = &drawing->arena;
    struct span label =
        escape_shortened(arena, frame_label(drawing->graph, box->frame, arena), PICTURE_NAME_MAX);
    char calls[FORMAT_LEN];
    const char *text;

    if (box->merged || box->track)
        label = name_of(drawing, box, false);
    text = arena_printf(arena, "%.*s\n%s", (int)label.len, label.at,
                        drawing->flame->is_compared || drawing->flame->is_difference
                            ? compared_figures(drawing, box)
                            : figures(drawing, box));
    if (box->calls != UNKNOWN)
        text = arena_printf(arena, "%s\ncalls: %s", text, format_count(calls, box->calls));
    if (box->is_estimate)
        text =
            arena_printf(arena, "%s\nan estimate: its time is split among several callers", text);
    return text;
}

/* ---- boxes ---- */

static double scaled(const struct flame_drawing *drawing, int64_t value)
{
    return share_of(value, drawing->flame->whole) * drawing->inner;
}

/* Level 0 is the box of everything; the flame's own levels follow. */
static double level_y(const struct flame_drawing *drawing, uint32_t level)
{
    uint32_t row = drawing->style->is_icicle ? level : drawing->flame->depth - level;

    return HEAD + (double)row * ROW;
}

static void write_data(struct flame_drawing *drawing, struct span name, const struct flame_box *box,
                       uint32_t level)
{
    struct svg *svg = &drawing->svg;

    svg_text_attribute(svg, "data-name", arena_copy(&drawing->arena, name));
    svg_integer(svg, "data-at", box->at);
    svg_integer(svg, "data-total", box->total);
    svg_integer(svg, "data-self", box->self);
    if (drawing->flame->is_compared) {
        svg_integer(svg, "data-total-before", box->total_before);
        svg_integer(svg, "data-self-before", box->self_before);
    }
    svg_integer(svg, "data-level", level);
}

/* Of a C++ name that is too long its arguments, types and result are the first to go, then where it
 * is: its last part tells most. */
static struct span fit_name(struct flame_drawing *drawing, struct span name,
                            const struct flame_box *box, double room)
{
    struct arena *arena = &drawing->arena;
    struct span fit = text_fit(arena, name, room, TEXT);

    if (fit.at == name.at || graph_frame(drawing->graph, box->frame)->kind != KIND_HOST ||
        !cpp_name_drop_scope(&(struct span){name.at, name.len}))
        return fit;
    name = cpp_name_bare(name, arena);
    do
        fit = text_fit(arena, name, room, TEXT);
    while (fit.at != name.at && cpp_name_drop_scope(&name));
    return fit;
}

static void write_name(struct flame_drawing *drawing, struct span name, const struct flame_box *box,
                       struct svg_box at)
{
    struct span fit = fit_name(drawing, name, box, at.width - 2 * PAD);

    if (fit.len)
        svg_label(&drawing->svg, NULL, at.x + PAD, at.y + ROW - GAP - 5, ANCHOR_START, fit);
}

static const char *hue_class(uint8_t hue)
{
    static const char *const classes[] = {"h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"};

    return classes[hue <= COLORING_HUES ? hue : 0];
}

static void write_box(struct flame_drawing *drawing, const struct flame_box *box)
{
    struct svg *svg = &drawing->svg;
    struct span name = name_of(drawing, box, false), shown = name_of(drawing, box, true);
    struct svg_box at = {MARGIN + scaled(drawing, box->at), level_y(drawing, box->depth + 1),
                         scaled(drawing, box->total), ROW - GAP};

    svg_begin(svg, "g");
    svg_text_attribute(svg, "class", box->is_estimate ? "box estimate" : "box");
    write_data(drawing, name, box, box->depth + 1);
    if (!span_eq(name, shown))
        svg_text_attribute(svg, "data-shown", arena_copy(&drawing->arena, shown));
    svg_tooltip(svg, span_of(tooltip(drawing, box)));
    svg_rectangle(svg, hue_class(coloring_hue(drawing->coloring, box)), at);
    if (box->is_estimate)
        svg_rectangle(svg, "hatch", at);
    write_name(drawing, shown, box, at);
    svg_end(svg);
    arena_clear(&drawing->arena);
}

static void write_ground(struct flame_drawing *drawing)
{
    const struct flame *flame = drawing->flame;
    struct flame_box ground = {.total = flame->whole, .total_before = flame->whole_before};
    struct svg_box at = {MARGIN, level_y(drawing, 0), drawing->inner, ROW - GAP};
    const char *name = arena_printf(&drawing->arena, "all: %s", whole_text(drawing));

    svg_begin(&drawing->svg, "g");
    svg_text_attribute(&drawing->svg, "class", "box");
    write_data(drawing, span_of(name), &ground, 0);
    svg_tooltip(&drawing->svg, span_of(name));
    svg_rectangle(&drawing->svg, "h0", at);
    write_name(drawing, span_of(name), &ground, at);
    svg_end(&drawing->svg);
    arena_clear(&drawing->arena);
}

/* ---- around them ---- */

static void write_hatch(struct svg *svg)
{
    svg_begin(svg, "defs");
    svg_begin(svg, "pattern");
    svg_text_attribute(svg, "id", "hatch");
    svg_text_attribute(svg, "patternUnits", "userSpaceOnUse");
    svg_text_attribute(svg, "patternTransform", "rotate(45)");
    svg_number(svg, "width", 6);
    svg_number(svg, "height", 6);
    svg_begin(svg, "line");
    svg_text_attribute(svg, "class", "stripe");
    svg_number(svg, "y2", 6);
    svg_end(svg);
    svg_end(svg);
    svg_end(svg);
}

/* Says in the picture itself how far it can be believed. */
static const char *facts(struct flame_drawing *drawing)
{
    const struct flame *flame = drawing->flame;
    struct arena *arena = &drawing->arena;
    const struct value_type *value =
        drawing->graph->values.count ? &drawing->graph->values.list[drawing->graph->values.selected]
                                     : NULL;
    struct span name =
        value ? escape_plain(arena, graph_text(drawing->graph, value->name)) : SPAN("value");
    const char *text =
        flame->is_compared || flame->is_difference
            ? arena_printf(arena, "%.*s: %s", (int)name.len, name.at, whole_text(drawing))
            : arena_printf(arena, "%s of %.*s", whole_text(drawing), (int)name.len, name.at);

    if (drawing->style->culprit)
        text = arena_printf(arena, "%s: %s", text, drawing->style->culprit);
    if (flame->gone)
        text = arena_printf(arena, "%s, %s of that gone", text, value_text(drawing, flame->gone));
    if (flame->estimated)
        text = arena_printf(arena, "%s, %s of it estimated (hatched)", text,
                            share_text(drawing, flame->estimated));
    if (flame->merged)
        text = arena_printf(arena, "%s, %" PRIu32 " narrow boxes merged", text, flame->merged);
    if (drawing->flame->is_by_time)
        text = arena_printf(arena, "%s, idle time left out", text);
    if (flame->has_negative)
        text = arena_printf(arena, "%s, negative values left out", text);
    return text;
}

static void write_line(struct flame_drawing *drawing, const char *class, double y, double size,
                       double room, const char *text)
{
    struct span plain = escape_plain(&drawing->arena, span_of(text));

    svg_label(&drawing->svg, class, MARGIN, y, ANCHOR_START,
              text_fit(&drawing->arena, plain, room, size));
    arena_clear(&drawing->arena);
}

static struct span heat_text(struct flame_drawing *drawing, uint8_t hue)
{
    if (hue == 1)
        return SPAN("no self time");
    if (hue < COLORING_HUES)
        return SPAN("");
    return span_of(arena_printf(&drawing->lasting, "%s of self time in one function",
                                value_text(drawing, drawing->coloring->most_self)));
}

static struct span change_key_text(struct flame_drawing *drawing, uint8_t hue)
{
    const struct coloring *coloring = drawing->coloring;

    if (hue == COLORING_SAME)
        return SPAN("much the same");
    if (hue != COLORING_SAME - 1 && hue != COLORING_HUES)
        return SPAN("");
    return span_of(arena_printf(
        &drawing->lasting, "%s %s, by up to %s in one box", hue < COLORING_SAME ? "less" : "more",
        coloring->is_cum ? "total" : "self", value_text(drawing, coloring->most_change)));
}

static struct span entry_text(struct flame_drawing *drawing, const struct coloring_entry *entry)
{
    struct span name = entry->name;

    if (!name.len)
        name = entry->hue ? SPAN("not known") : SPAN("other");
    name = escape_plain(&drawing->lasting, name);
    if (drawing->flame->is_by_time || share_of(entry->self, drawing->flame->whole) < 0.00005)
        return name; /* boxes of several events are coloured by the longest: no sums */
    return span_of(arena_printf(&drawing->lasting, "%.*s %s", (int)name.len, name.at,
                                share_text(drawing, entry->self)));
}

/* Before anything is written: the picture's height depends on it. */
static void plan_legend(struct flame_drawing *drawing)
{
    const struct coloring *coloring = drawing->coloring;
    bool has_steps = coloring->by == COLORING_HEAT || coloring->by == COLORING_CHANGE;

    drawing->key_count = has_steps ? COLORING_HUES : coloring->count;
    drawing->keys = arena_array(&drawing->lasting, drawing->key_count, sizeof(*drawing->keys));
    for (uint32_t i = 0; i < drawing->key_count; i++) {
        uint8_t hue = has_steps ? (uint8_t)(i + 1) : coloring->entries[i].hue;

        drawing->keys[i].class = hue_class(hue);
        drawing->keys[i].text = coloring->by == COLORING_HEAT ? heat_text(drawing, hue)
                                : coloring->by == COLORING_CHANGE
                                    ? change_key_text(drawing, hue)
                                    : entry_text(drawing, &coloring->entries[i]);
    }
    drawing->legend_y = HEAD + (drawing->flame->depth + 1.0) * ROW + 8;
    drawing->height =
        drawing->legend_y +
        legend_lay_out(drawing->keys, drawing->key_count, drawing->inner, &drawing->lasting) + 4;
}

static void write_head(struct flame_drawing *drawing)
{
    struct svg *svg = &drawing->svg;
    double tools = fmin(TOOLS, drawing->inner / 2);

    svg_style(svg, asset_picture_css);
    write_hatch(svg);
    svg_rectangle(svg, "paper", (struct svg_box){0, 0, drawing->style->width, drawing->height});
    write_line(drawing, "title", 22, TITLE, (drawing->inner - tools) / BOLD, drawing->style->title);
    write_line(drawing, "facts faint", 40, TEXT, drawing->inner, facts(drawing));
}

void flame_svg_write(const struct graph *graph, const struct flame *flame,
                     const struct coloring *coloring, const struct flame_style *style, FILE *out)
{
    struct flame_drawing drawing = {.graph = graph,
                                    .flame = flame,
                                    .coloring = coloring,
                                    .style = style,
                                    .inner = style->width - 2 * MARGIN};
    const char *scale = coloring->by == COLORING_HEAT     ? " heat"
                        : coloring->by == COLORING_CHANGE ? " change"
                                                          : "";
    struct svg *svg = &drawing.svg;

    plan_legend(&drawing);
    svg_open(svg, out, style->width, drawing.height, style->title);
    write_head(&drawing);
    svg_begin(svg, "g");
    svg_text_attribute(svg, "class", arena_printf(&drawing.lasting, "boxes%s", scale));
    write_ground(&drawing);
    for (uint32_t i = 0; i < flame->count; i++)
        write_box(&drawing, &flame->boxes[i]);
    svg_end(svg);
    svg_begin(svg, "g");
    svg_text_attribute(svg, "class", arena_printf(&drawing.lasting, "legend%s", scale));
    legend_write(svg, drawing.keys, drawing.key_count, MARGIN, drawing.legend_y);
    svg_end(svg);
    svg_script(svg, asset_flame_js);
    svg_close(svg);
    arena_free(&drawing.arena);
    arena_free(&drawing.lasting);
}
