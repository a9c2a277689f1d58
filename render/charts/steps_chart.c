/* SPDX-License-Identifier: Apache-2.0 */
/* steps_chart.c — what steps are made of, and which chart a view of the summary has */
#include "render/charts/charts.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/summary/summary.h"
#include "render/charts/chart.h"

enum { BELOW = 8 };

static const struct stack_part parts[PART_COUNT] = {
    [PART_KERNEL] = {"kernels", "h1"},
    [PART_MEMCPY] = {"memory copies", "h3"},
    [PART_MEMSET] = {"memory sets", "h5"},
    [PART_COMMUNICATION] = {"communication", "h2"},
    [PART_RUNTIME] = {"runtime calls", "h7"},
    [PART_DATALOADER] = {"data loader", "h6"},
    [PART_OPERATOR] = {"operators on the host", "h4"},
    [PART_OTHER] = {"other", "h0"},
};

/* What is drawn, before its chart is begun. */
struct steps_drawing {
    struct chart chart;
    struct columns columns;
    int64_t (*lengths)[PART_COUNT];
    const char **labels;
};

static void begin_columns(struct steps_drawing *drawing, uint32_t count)
{
    struct arena *arena = &drawing->chart.arena;

    drawing->lengths = arena_array(arena, count, sizeof(*drawing->lengths));
    drawing->labels = arena_array(arena, count, sizeof(*drawing->labels));
    drawing->columns =
        (struct columns){parts, PART_COUNT, count, *drawing->lengths, drawing->labels};
}

static void write_chart(struct steps_drawing *drawing, const char *title, const char *heading,
                        const struct report *report, FILE *out)
{
    struct chart *chart = &drawing->chart;
    struct legend_key keys[PART_COUNT];
    double legend;

    stack_keys(parts, PART_COUNT, keys);
    legend = legend_lay_out(keys, PART_COUNT, chart_width(report) - 2 * CHART_MARGIN, &chart->arena);
    chart_open(chart, out, report, title, columns_height() + BELOW + legend);
    columns_write(chart, &drawing->columns, heading, chart->top);
    legend_write(&chart->svg, keys, PART_COUNT, CHART_MARGIN,
                 chart->top + columns_height() + BELOW);
    chart_close(chart);
}

/* ---- of one run ---- */

static void draw_steps(const void *subject, const struct report *report, FILE *out)
{
    const struct step_times *steps = subject;
    struct steps_drawing drawing = {.labels = NULL};

    begin_columns(&drawing, steps->count);
    for (uint32_t i = 0; i < steps->count; i++) {
        const char *name = arena_copy(&drawing.chart.arena, steps->rows[i].name);
        const char *sign = strrchr(name, '#'); /* "ProfilerStep#12" would not fit */

        memcpy(drawing.lengths[i], steps->rows[i].parts, sizeof(*drawing.lengths));
        drawing.labels[i] = sign && sign[1] ? sign + 1 : name;
    }
    write_chart(&drawing, "Steps", "time of each step", report, out);
}

static void steps_chart(const struct step_times *steps, struct report *report)
{
    report->chart = (struct report_chart){.draw = draw_steps, .subject = steps, .narrow = CHART_NARROW};
}

/* ---- of several ranks ---- */

struct ranks_subject {
    const struct rank_steps *steps;
    const int64_t *numbers;
};

static void draw_ranks(const void *subject, const struct report *report, FILE *out)
{
    const struct ranks_subject *ranks = subject;
    struct steps_drawing drawing = {.labels = NULL};

    begin_columns(&drawing, report->input_count);
    for (uint32_t i = 0; i < report->input_count; i++) {
        memcpy(drawing.lengths[i], ranks->steps->ranks[i].parts, sizeof(*drawing.lengths));
        drawing.labels[i] = arena_printf(&drawing.chart.arena, "rank %" PRId64, ranks->numbers[i]);
    }
    write_chart(&drawing, "Steps of ranks", "time of all steps of each rank", report, out);
}

void rank_steps_chart(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                      struct report *report)
{
    struct ranks_subject *subject = arena_alloc(arena, sizeof(*subject));

    *subject = (struct ranks_subject){steps, numbers};
    report->chart = (struct report_chart){.draw = draw_ranks, .subject = subject};
}

bool summary_chart(enum summary_view view, const struct summary *summary, struct report *report)
{
    if (view == VIEW_STEPS)
        steps_chart(&summary->step_times, report);
    else if (view == VIEW_MEMORY_CURVE && summary->has_allocators)
        memory_chart(&summary->memory_curve, report);
    else
        return false;
    return true;
}
