/* SPDX-License-Identifier: Apache-2.0 */
/* Two traces by what the program asked for: which operators of which modules cost more, and which less. */
#include "render/reports/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/structure.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/event_class.h"
#include "render/reports/report_columns.h"

/* ---- texts ---- */

static struct span text_of(const struct structure *structure, str_id id)
{
    return id ? strings_get(&structure->strings, id) : NO_TEXT;
}

/* The first two tensors of "[[16,559,1024],[2816,1024],[]]": these mostly tell a call apart. Else `most`. */
enum { TENSORS_SHOWN = 2, TENSORS_MOST = 8 };

static const char *shapes_shown(struct span shapes, uint32_t most, struct arena *arena)
{
    const char *text = "";
    uint32_t shown = 0;
    size_t from = 0;

    for (size_t i = 0; i < shapes.len && shown < most; i++) {
        if (shapes.at[i] == '[')
            from = i;
        if (shapes.at[i] != ']' || i <= from + 1 || shapes.at[from] != '[' ||
            (!is_digit(shapes.at[from + 1]) && shapes.at[from + 1] != '*'))
            continue;
        text = arena_printf(arena, "%s%s%.*s", text, shown++ ? "×" : " ", (int)(i + 1 - from),
                            shapes.at + from);
        from = i;
    }
    return text;
}

/* "aten::linear [16,64,512]"; "a + b → c"; "not launched in the window". */
static struct span part_text(const struct structure *structure, const struct structure_row *of,
                             uint32_t tensors, struct arena *arena)
{
    struct span old = strings_get(&structure->strings, of->name[DIFF_BEFORE]);
    struct span new = strings_get(&structure->strings, of->name[DIFF_AFTER]);
    const char *shapes[DIFF_ENDS], *text;
    bool has_other;

    for (int end = 0; end < DIFF_ENDS; end++)
        shapes[end] = shapes_shown(strings_get(&structure->strings, of->shapes[end]), tensors, arena);
    has_other = *shapes[DIFF_BEFORE] && *shapes[DIFF_AFTER] &&
                strcmp(shapes[DIFF_BEFORE], shapes[DIFF_AFTER]) != 0;
    if (of->match == MATCH_UNLAUNCHED)
        return SPAN("(launched by no call of the trace)");
    if (!old.len && !new.len)
        old = new = SPAN("(no operator)");
    switch (of->match) {
    case MATCH_REPLACED:
        text = arena_printf(arena, "%.*s → %.*s", (int)old.len, old.at, (int)new.len, new.at);
        break;
    case MATCH_GONE:
        text = arena_printf(arena, "%.*s (only before)", (int)old.len, old.at);
        break;
    case MATCH_NEW:
        text = arena_printf(arena, "%.*s (only after)", (int)new.len, new.at);
        break;
    default:
        text = arena_printf(arena, "%.*s%s%s%s", (int)new.len, new.at,
                            shapes[*shapes[DIFF_BEFORE] ? DIFF_BEFORE : DIFF_AFTER],
                            has_other ? " →" : "", has_other ? shapes[DIFF_AFTER] : "");
    }
    return span_of(text);
}

struct span structure_part_text(const struct structure *structure, const struct structure_row *of,
                                struct arena *arena)
{
    return part_text(structure, of, TENSORS_SHOWN, arena);
}

/* The names from the root to a site, with something between them. */
struct path_style {
    struct span between;
    struct span (*name)(struct span); /* NULL: as they are */
    uint32_t levels;                  /* the innermost; 0: all */
};

static struct span path_part(const struct structure *structure, const struct site *site,
                             const struct path_style *style)
{
    struct span name = strings_get(&structure->strings, site->key.name);

    return style->name ? style->name(name) : name;
}

/* The innermost levels of a path that is deeper than any program's are enough. */
static struct span path_text(const struct structure *structure, const struct site_tree *sites,
                             uint32_t site, const struct path_style *style, struct arena *arena)
{
    enum { LEVELS_MOST = 100 };
    struct span parts[LEVELS_MOST];
    struct span between = style->between;
    uint32_t count = 0, most = style->levels ? style->levels : LEVELS_MOST;
    size_t len = 0;
    char *bytes, *to;

    for (uint32_t at = site; at && count < most; at = sites->list[at].key.parent)
        if (sites->list[at].key.kind != SITE_STEP) {
            parts[count] = path_part(structure, &sites->list[at], style);
            len += parts[count++].len + between.len;
        }
    if (!count)
        return SPAN("");
    to = bytes = arena_array(arena, len, 1);
    while (count-- > 0) {
        memcpy(to, parts[count].at, parts[count].len);
        memcpy(to + parts[count].len, between.at, between.len);
        to += parts[count].len + between.len;
    }
    return (struct span){bytes, len - between.len};
}

static const char *interval_of_row(const struct structure_row *of, struct arena *arena)
{
    if (!of->noise.is_known)
        return "";
    return arena_printf(arena, "%s … %s%s", diff_value_text(of->noise.low, UNIT_NS, arena),
                        diff_value_text(of->noise.high, UNIT_NS, arena),
                        confidence_is_clear(&of->noise) ? "" : " noise");
}

/* Of a step: "24", or "4.5" where steps differ. */
static const char *kernels_each(const struct structure_row *of, enum diff_end end,
                                struct arena *arena)
{
    uint32_t steps = of->samples[end] ? of->samples[end] : 1;

    return arena_printf(arena, of->kernels[end] % steps ? "%.1f" : "%.0f",
                        (double)of->kernels[end] / steps);
}

static const char *kernels_text(const struct structure_row *of, struct arena *arena)
{
    const char *old = kernels_each(of, DIFF_BEFORE, arena);
    const char *new = kernels_each(of, DIFF_AFTER, arena);

    return strcmp(old, new) ? arena_printf(arena, "%s → %s", old, new) : new;
}

/* ---- the same work by innermost operator, for machines ---- */

static void add_leaves(const struct structure *structure, const struct structure_difference *found,
                       const struct table_context *context, struct report *report)
{
    typedef struct {
        struct structure_leaf of;
        struct span module, name, shapes;
        int64_t delta;
    } row;
    static const struct column leaf_columns[] = {
        TEXT_AT("module", module),
        TEXT_AT("operator", name),
        TEXT_AT("shapes", shapes),
        COUNT_AT("old_kernels", of.count[DIFF_BEFORE]),
        COUNT_AT("new_kernels", of.count[DIFF_AFTER]),
        TIME_AT("old", of.time[DIFF_BEFORE]),
        TIME_AT("new", of.time[DIFF_AFTER]),
        TIME_AT("delta", delta),
    };
    struct table *table = TABLE_BEGIN(context, leaf_columns, found->leaf_count, "groups", NULL);

    table->use = COLUMN_MACHINES;
    for (uint32_t i = 0; i < found->leaf_count; i++) {
        const struct structure_leaf *leaf = &found->leaves[i];

        TABLE_ADD(table, .of = *leaf,
                  .module =
                      path_text(structure, &found->chains, leaf->modules,
                                &(const struct path_style){.between = SPAN(" > ")}, context->arena),
                  .name = strings_get(&structure->strings, leaf->name),
                  .shapes = strings_get(&structure->strings, leaf->shapes),
                  .delta = checked_sub(leaf->time[DIFF_AFTER], leaf->time[DIFF_BEFORE]));
    }
    report_table(report, table);
}

/* ---- how rows are told apart ---- */

/* What is shown of a row's part, and where that is. */
struct shown_part {
    const struct structure_row *of;
    struct span part, in;
    uint32_t tensors, levels;
    bool is_written;
};

enum { PATH_LEVELS_MOST = 4 };

static void write_part(const struct structure *structure,
                       const struct structure_difference *found, struct shown_part *shown,
                       struct arena *arena)
{
    const struct path_style innermost = {SPAN("/"), module_call_name, shown->levels};

    shown->part = part_text(structure, shown->of, shown->tensors, arena);
    shown->in = path_text(structure, &found->places, shown->of->place, &innermost, arena);
    shown->is_written = true;
}

static bool is_part_before(const void *context, uint32_t a, uint32_t b)
{
    const struct shown_part *parts = context;
    int order = span_cmp(parts[a].part, parts[b].part);

    if (order == 0)
        order = span_cmp(parts[a].in, parts[b].in);
    return order < 0;
}

static bool read_alike(const struct shown_part *a, const struct shown_part *b)
{
    return a->of->step == b->of->step && span_eq(a->part, b->part) && span_eq(a->in, b->in);
}

/* Of parts that read alike in different modules more of the path is shown, of those in one more tensors. */
static bool tell_apart(struct shown_part *first, struct shown_part *second)
{
    bool is_elsewhere = first->of->place != second->of->place;
    uint32_t before = is_elsewhere ? first->levels : first->tensors;

    if (!read_alike(first, second) || before >= (is_elsewhere ? PATH_LEVELS_MOST : TENSORS_MOST))
        return false;
    if (is_elsewhere)
        first->levels = second->levels = before + 1;
    else
        first->tensors = second->tensors = TENSORS_MOST;
    first->is_written = second->is_written = false;
    return true;
}

static struct shown_part *find_parts(const struct structure *structure,
                                     const struct structure_difference *found, struct arena *arena)
{
    struct shown_part *parts = arena_array(arena, found->count + 1u, sizeof(*parts));
    bool has_changed = true;

    for (uint32_t i = 0; i < found->count; i++)
        parts[i] = (struct shown_part){&found->rows[i], .tensors = TENSORS_SHOWN, .levels = 1};
    for (uint32_t round = 0; has_changed && round <= PATH_LEVELS_MOST; round++) {
        uint32_t *order;

        for (uint32_t i = 0; i < found->count; i++)
            if (!parts[i].is_written)
                write_part(structure, found, &parts[i], arena);
        order = sorted_order(found->count, is_part_before, parts);
        has_changed = false;
        for (uint32_t i = 1; i < found->count; i++)
            has_changed |= tell_apart(&parts[order[i - 1]], &parts[order[i]]);
        free(order);
    }
    return parts;
}

/* ---- what differs, place by place ---- */

typedef struct {
    struct structure_row of;
    struct span step, path, old_operator, new_operator, old_shapes, new_shapes, part, in;
    const char *how, *delta_text, *percent, *interval, *kernels;
    int64_t delta, old_each, new_each;
    double growth, low, high, share;
} row;

static const struct column columns[] = {
    TEXT_AT("how", how, FOR_MACHINES),
    TEXT_AT("step", step),
    TEXT_AT("path", path, FOR_MACHINES),
    TEXT_AT("operator", old_operator, FOR_MACHINES),
    TEXT_AT("new_operator", new_operator, FOR_MACHINES),
    TEXT_AT("shapes", old_shapes, FOR_MACHINES),
    TEXT_AT("new_shapes", new_shapes, FOR_MACHINES),
    COUNT_AT("places", of.places, FOR_MACHINES),
    TIME_AT("old", of.time[DIFF_BEFORE], FOR_MACHINES),
    TIME_AT("new", of.time[DIFF_AFTER], FOR_MACHINES),
    TIME_AT("delta", delta, FOR_MACHINES),
    COUNT_AT("old_kernels", of.kernels[DIFF_BEFORE], FOR_MACHINES),
    COUNT_AT("new_kernels", of.kernels[DIFF_AFTER], FOR_MACHINES),
    COUNT_AT("old_steps", of.samples[DIFF_BEFORE], FOR_MACHINES),
    COUNT_AT("new_steps", of.samples[DIFF_AFTER], FOR_MACHINES),
    RATIO_AT("old_step", of.each[DIFF_BEFORE], FOR_MACHINES),
    RATIO_AT("new_step", of.each[DIFF_AFTER], FOR_MACHINES),
    RATIO_AT("growth", growth, FOR_MACHINES),
    RATIO_AT("delta_low", low, FOR_MACHINES),
    RATIO_AT("delta_high", high, FOR_MACHINES),
    SHARE_AT("share", share, FOR_MACHINES),
    FLAG_AT("fails", of.fails, FOR_MACHINES),
    TEXT_AT("delta", delta_text, FOR_PEOPLE, .is_right = true),
    TEXT_AT("delta%", percent, FOR_PEOPLE, .is_right = true),
    SHARE_AT("share", share, FOR_PEOPLE, .heading = "of all", .is_heat = true, .is_spare = true),
    TIME_AT("before", old_each, FOR_PEOPLE, .is_spare = true),
    TIME_AT("after", new_each, FOR_PEOPLE, .yields = 2),
    TEXT_AT("interval", interval, FOR_PEOPLE, .is_right = true, .yields = 5),
    TEXT_AT("kernels", kernels, FOR_PEOPLE, .is_right = true, .yields = 3),
    TEXT_AT("part", part, FOR_PEOPLE, .holds = 40),
    TEXT_AT("in", in, FOR_PEOPLE),
};

static void add_row(struct table *table, const struct structure *structure,
                    const struct structure_difference *found, const struct shown_part *shown)
{
    const struct structure_row *of = shown->of;
    struct arena *arena = table->context.arena;
    int64_t old = (int64_t)llround(of->each[DIFF_BEFORE]),
            new = (int64_t)llround(of->each[DIFF_AFTER]);
    double gross = found->up + found->down;
    const struct path_style whole = {SPAN("/"), module_call_name, 0};

    TABLE_ADD(table, .of = *of, .step = text_of(structure, of->step),
              .path = path_text(structure, &found->places, of->place, &whole, arena),
              .old_operator = text_of(structure, of->name[DIFF_BEFORE]),
              .new_operator = text_of(structure, of->name[DIFF_AFTER]),
              .old_shapes = text_of(structure, of->shapes[DIFF_BEFORE]),
              .new_shapes = text_of(structure, of->shapes[DIFF_AFTER]),
              .part = shown->part, .in = shown->in, .how = site_match_name(of->match),
              .delta_text =
                  diff_value_text(of->each[DIFF_AFTER] - of->each[DIFF_BEFORE], UNIT_NS, arena),
              .percent = diff_growth_text(old, new, arena), .interval = interval_of_row(of, arena),
              .kernels = kernels_text(of, arena),
              .delta = checked_sub(of->time[DIFF_AFTER], of->time[DIFF_BEFORE]), .old_each = old,
              .new_each = new,
              .growth = of->each[DIFF_BEFORE] > 0 ? of->each[DIFF_AFTER] / of->each[DIFF_BEFORE] - 1
                                                  : NAN,
              .low = of->noise.is_known ? of->noise.low : NAN,
              .high = of->noise.is_known ? of->noise.high : NAN,
              .share = gross > 0 ? of->explains / gross : NAN);
}

static void add_rows(const struct structure *structure, const struct structure_difference *found,
                     const struct table_context *context, struct report *report)
{
    struct table *table = TABLE_BEGIN(context, columns, found->count, "differences", NULL);
    const struct shown_part *parts = find_parts(structure, found, context->arena);
    bool has_several = false;
    str_id step = 0;

    for (uint32_t i = 0; i < found->count; i++) {
        str_id of = found->rows[i].step;

        if (found->rows[i].match != MATCH_UNLAUNCHED) {
            has_several |= step && of != step;
            step = of;
        }
        add_row(table, structure, found, &parts[i]);
    }
    if (!found->has_noise)
        table_column(table, "interval")->use = COLUMN_NOBODY;
    if (!has_several)
        table_column(table, "step")->use = COLUMN_MACHINES;
    report_table(report, table);
}

/* ---- the whole ---- */

static void add_total(const struct structure_difference *found, struct arena *arena,
                      struct report *report)
{
    char old[FORMAT_LEN], new[FORMAT_LEN], up[FORMAT_LEN], down[FORMAT_LEN];
    double each[DIFF_ENDS];
    bool is_by_step = found->has_steps;
    int64_t rounded[DIFF_ENDS];

    for (int end = 0; end < DIFF_ENDS; end++) {
        each[end] = structure_total_each(found, (enum diff_end)end);
        rounded[end] = (int64_t)llround(each[end]);
    }
    report_beforef(report, arena, "Device work%s takes %s instead of %s: %s (%s).",
                   is_by_step ? " of a step" : "", format_value(new, rounded[DIFF_AFTER], UNIT_NS),
                   format_value(old, rounded[DIFF_BEFORE], UNIT_NS),
                   diff_value_text(each[DIFF_AFTER] - each[DIFF_BEFORE], UNIT_NS, arena),
                   diff_growth_text(rounded[DIFF_BEFORE], rounded[DIFF_AFTER], arena));
    if (found->up + found->down > 0)
        report_beforef(
            report, arena,
            "over all steps some parts take %s more, others %s less; 'of all' is the share "
            "of both together",
            format_value(up, (int64_t)llround(found->up), UNIT_NS),
            format_value(down, (int64_t)llround(found->down), UNIT_NS));
    if (found->has_families)
        report_beforef(report, arena,
                       "neither side has operators: only families of kernels are compared");
    else if (found->matched < STRUCTURE_MATCHED_LEAST)
        report_beforef(report, arena,
                       "operators that both sides have take %.0f %% of the device time of all operators: the "
                       "two may be different programs",
                       100 * found->matched);
}

/* Times of steps with more tokens are longer for these alone. */
static void add_stages(const struct structure *structure, const struct structure_difference *found,
                       struct arena *arena, struct report *report)
{
    static const double apart = 0.05;

    for (uint32_t i = 0; i < found->stage_count; i++) {
        const struct structure_stage *stage = &found->stages[i];
        double old = stage->tokens[DIFF_BEFORE], new = stage->tokens[DIFF_AFTER];
        struct span name = strings_get(&structure->strings, stage->name);
        char before[FORMAT_LEN], after[FORMAT_LEN];

        if (fabs(new - old) > apart * fmax(old, new))
            report_beforef(report, arena,
                           "%.*s: a step has %s tokens before and %s after, which alone changes "
                           "its time",
                           (int)name.len, name.at, format_ratio(before, old),
                           format_ratio(after, new));
    }
}

void structure_report(const struct structure *structure, const struct structure_difference *found,
                      struct arena *arena, struct report *report)
{
    struct table_context context = {.arena = arena, .unit = UNIT_NS};

    report_time(report, "old_device_time", found->total[DIFF_BEFORE]);
    report_time(report, "new_device_time", found->total[DIFF_AFTER]);
    report_number(report, "old_steps", found->steps[DIFF_BEFORE]);
    report_number(report, "new_steps", found->steps[DIFF_AFTER]);
    report_real(report, "matched", found->matched);
    report_number(report, "failed_parts", found->failed);
    add_total(found, arena, report);
    add_stages(structure, found, arena, report);
    add_rows(structure, found, &context, report);
    add_leaves(structure, found, &context, report);
    report_number(report, "parts_left_out", found->left_out);
    report_number(report, "groups_left_out", found->leaves_left_out);
    if (found->up + found->down <= 0)
        report_after(report, "no part takes more or less time");
    else if (found->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, found->left_out, "more part"));
}
