/* SPDX-License-Identifier: Apache-2.0 */
/* A row a calling context, behind the branches that lead to it. */
#include "render/reports/reports.h"

#include <math.h>

#include "analysis/functions/tree.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

struct pen {
    const char *fork, *corner, *bar, *gap;
};

static const struct pen unicode_pen = {"├─ ", "└─ ", "│  ", "   "};
static const struct pen ascii_pen = {"|- ", "`- ", "|  ", "   "};

/* Deeper than DRAWN the branches are no help to anybody. In a tree deeper than DEEP those of only
 * children are none: such a child stands in its caller's column. */
enum { DEEP = 16, DRAWN = 64, LABEL_MAX = 1024 };

/* How the path to the current row is drawn. */
struct branches {
    const struct pen *pen;
    bool is_deep;
    bool goes_on[DRAWN]; /* by column: whether more siblings follow */
    uint32_t *column;    /* by depth */
};

static size_t append(char *text, size_t len, const char *part)
{
    size_t part_len = strlen(part);

    memcpy(text + len, part, part_len);
    return len + part_len;
}

/* The row's column; `is_plain`: it has no branch of its own. */
static uint32_t column_of_row(struct branches *branches, const struct tree *tree, uint32_t at,
                              bool *is_plain)
{
    const struct tree_row *row = &tree->rows[at];
    uint32_t *column = &branches->column[row->depth];
    bool is_only = row->is_last && row->depth > 1 && tree->rows[at - 1].depth < row->depth;

    *is_plain = row->depth == 0 || (is_only && branches->is_deep);
    *column = row->depth == 0 ? 0 : column[-1] + !*is_plain;
    if (*column >= DRAWN)
        *column = DRAWN - 1;
    if (!*is_plain)
        branches->goes_on[*column] = !row->is_last;
    return *column;
}

static struct span draw(struct branches *branches, const struct tree *tree, uint32_t at,
                        struct span label, struct arena *arena)
{
    const struct tree_row *row = &tree->rows[at];
    const struct pen *pen = branches->pen;
    const char *mark = row->is_recursive || row->is_folded ? "  (recursive)" : "";
    bool is_plain;
    uint32_t column = column_of_row(branches, tree, at, &is_plain);
    char *text = arena_array(arena, (size_t)column * 8 + label.len + strlen(mark) + 8, 1);
    size_t len = 0;

    for (uint32_t i = 1; i < column + is_plain; i++)
        len = append(text, len, branches->goes_on[i] ? pen->bar : pen->gap);
    if (!is_plain)
        len = append(text, len, row->is_last ? pen->corner : pen->fork);
    memcpy(text + len, label.at, label.len);
    len = append(text, len + label.len, mark);
    return (struct span){text, len};
}

/* A calling context, and what people see of it besides. */
typedef struct {
    struct tree_row of;
    const char *total;
    int64_t self;
    struct span drawn;
} row;

static const struct column columns[] = {
    COUNT_AT("depth", of.depth, FOR_MACHINES),
    FRAME_AT(of.frame, COLUMN_MACHINES),
    COUNT_AT("calls", of.calls, FOR_MACHINES),
    VALUE_AT("total", of.total, FOR_MACHINES),
    VALUE_AT("self", of.self, FOR_MACHINES),
    SHARE_AT("share", of.share, FOR_MACHINES),
    FLAG_AT("is_estimate", of.is_estimate, FOR_MACHINES),
    FLAG_AT("is_recursive", of.is_recursive, FOR_MACHINES),
    FLAG_AT("is_folded", of.is_folded, FOR_MACHINES),
    TEXT_AT("total", total, FOR_PEOPLE, .is_right = true),
    SHARE_AT("%", of.share, FOR_PEOPLE, .is_heat = true),
    VALUE_AT("self", self, FOR_PEOPLE, .yields = 1),
    COUNT_AT("calls", of.calls, FOR_PEOPLE, .yields = 2),
    SHORT_AT(of.frame),
    TEXT_AT("function", drawn, FOR_PEOPLE, .is_path = true, .is_branch = true, .is_label = true,
            .per = offsetof(row, of.frame)),
};

/* The last row on the way down that has more than half of the whole; else the largest row of all at the top. Of a tree from
 * the bottom up the first row, whose callers follow. */
static const char *first_sentence(const struct tree *tree, bool is_bottom_up, const struct graph *graph, struct arena *arena)
{
    uint32_t at = 0;
    char share[FORMAT_LEN], whole[FORMAT_LEN];
    struct span name;

    while (at < tree->count && (tree->rows[at].depth > 0 || isnan(tree->rows[at].share))) /* idle time has no share */
        at++;
    if (at == tree->count || tree->whole <= 0 || tree->rows[at].total <= 0)
        return NULL;
    while (!is_bottom_up && at + 1 < tree->count && tree->rows[at + 1].depth == tree->rows[at].depth + 1 &&
           tree->rows[at + 1].share > 0.5)
        at++;
    name = graph_short_name(graph, tree->rows[at].frame);
    return arena_printf(arena, "%.*s takes %s of %s%s.", (int)name.len, name.at,
                        format_share(share, tree->rows[at].share), format_value(whole, tree->whole, graph_unit(graph)),
                        is_bottom_up ? " by itself" : " with what it calls");
}

static void add_notes(const struct tree *tree, const struct tree_options *options,
                      struct arena *arena, struct report *report)
{
    bool has_estimates = false;

    for (uint32_t i = 0; i < tree->count && !has_estimates; i++)
        has_estimates = tree->rows[i].is_estimate;
    if (has_estimates)
        report_after(report,
                     "~ an estimate: the profile knows calls, not paths; time of a function "
                     "that is reached several ways, or within a cycle, is split by the "
                     "time of the calls");
    if (tree->hidden && tree->min_percent > options->min_percent)
        report_afterf(report, arena,
                      "%s below %g %% not drawn: that would be more than %u rows "
                      "(--depth, --limit and --focus choose; -f json has more)",
                      format_many(arena, tree->hidden, "branch"), tree->min_percent,
                      options->most_rows);
    else if (tree->hidden && tree->min_percent > 0)
        report_afterf(report, arena, "%s below %g %% not drawn (--min-percent)",
                      format_many(arena, tree->hidden, "branch"), tree->min_percent);
    else if (tree->hidden)
        report_afterf(report, arena, "%s not drawn (--limit)",
                      format_many(arena, tree->hidden, "branch"));
    if (tree->is_cut)
        report_afterf(report, arena, "stopped after %u rows", tree->count);
}

void tree_report(const struct tree *tree, const struct tree_options *options, bool is_unicode,
                 struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = graph_context(graph, arena);
    struct table *table = TABLE_BEGIN(&context, columns, tree->count, "rows", NULL);
    struct branches branches = {.pen = is_unicode ? &unicode_pen : &ascii_pen};
    const char *first = first_sentence(tree, options->is_bottom_up, graph, arena);
    struct span label = {0};
    uint32_t deepest = 0;

    for (uint32_t i = 0; i < tree->count; i++)
        deepest = tree->rows[i].depth > deepest ? tree->rows[i].depth : deepest;
    branches.is_deep = deepest > DEEP;
    branches.column = arena_array(arena, deepest + 1, sizeof(*branches.column));
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_row *of = &tree->rows[i];
        char total[FORMAT_LEN];

        if (i == 0 || of->frame != of[-1].frame) /* recursion is long of one name */
            label = graph_short_name(graph, of->frame);
        format_value(total, of->total, graph_unit(graph));
        TABLE_ADD(table, *of, arena_printf(arena, "%s%s", of->is_estimate ? "~" : "", total),
                  of->self ? of->self : TABLE_NULL, draw(&branches, tree, i, label, arena));
    }
    report->has_value = true;
    report_value(report, "total", tree->whole, graph_unit(report->inputs[0].graph));
    if (first)
        report_before(report, first);
    report_table(report, table);
    add_notes(tree, options, arena, report);
}
