/* SPDX-License-Identifier: Apache-2.0 */
/* Draws heat maps of a job's ranks and steps. */
#include "render/charts/charts.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/ranks/job.h"
#include "base/text/format.h"
#include "render/charts/chart.h"

/* Pixels. */
enum { LABELS = 70, HEADING = 34, ABOVE_TEXT = 14, TICKS = 18, BELOW = 14, CELL_MOST = 56 };
enum { ROW = 18, ROWS_SHOWN = 64, COLUMNS_SHOWN = 400, LEVELS = 8, KEYS = LEVELS + 1 };

/* From which share on a cell has each colour. */
static const double levels[LEVELS] = {-1e300, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};
static const char *const classes[LEVELS] = {"h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"};
static const char *const level_texts[LEVELS] = {"under 1 %", "1 %",  "2 %",  "5 %",
                                                "10 %",      "20 %", "50 %", "100 % and more"};

static const char ABSENT[] = "absent";

/* Rows and columns of cells, each with a share; NaN: no rank is there. */
struct heat {
    const char *heading, *row_word, *column_word;
    double width; /* of all cells, in pixels */
    uint32_t rows, columns, all_rows;
    double *cell;
    int64_t *row_name, *column_name;
};

static void heat_make(struct heat *heat, uint32_t rows, uint32_t columns, struct arena *arena)
{
    heat->all_rows = rows;
    heat->rows = rows < ROWS_SHOWN ? rows : ROWS_SHOWN;
    heat->columns = columns < COLUMNS_SHOWN ? columns : COLUMNS_SHOWN;
    heat->cell = arena_array(arena, (size_t)heat->rows * heat->columns, sizeof(*heat->cell));
    heat->row_name = arena_array(arena, heat->rows, sizeof(*heat->row_name));
    heat->column_name = arena_array(arena, heat->columns, sizeof(*heat->column_name));
}

/* What each rank alone would slow the job by; of several at one place the slowest. */
static void fill_places(const struct job *job, struct heat *heat, struct arena *arena)
{
    const struct job_model *model = &job->model;

    *heat = (struct heat){.heading = "what ranks alone would slow the job by",
                          .row_word = "stage",
                          .column_word = "data-parallel rank"};
    heat_make(heat, model->stage_count, model->dp_count, arena);
    for (uint32_t i = 0; i < heat->rows * heat->columns; i++)
        heat->cell[i] = NAN;
    for (uint32_t i = 0; i < heat->rows; i++)
        heat->row_name[i] = i;
    for (uint32_t i = 0; i < heat->columns; i++)
        heat->column_name[i] = i;
    for (uint32_t i = 0; i < job->figures.worker_count; i++) {
        const struct job_share *share = &job->figures.workers[i];
        const struct job_worker *worker = &model->workers[share->of];
        double *cell;

        if (worker->stage >= heat->rows || worker->dp >= heat->columns)
            continue;
        cell = &heat->cell[worker->stage * heat->columns + worker->dp];
        *cell = isnan(*cell) || share->slowdown - 1 > *cell ? share->slowdown - 1 : *cell;
    }
}

/* Where all ranks are shown, in order of their numbers, those that are missing have rows, too. */
static void make_rows(const struct job *job, struct heat *heat, uint32_t *row, struct arena *arena)
{
    const struct job_model *model = &job->model;
    const struct job_missing *missing = &job->missing;
    uint32_t absent = 0, steps = model->step_count, present = model->worker_count;
    bool are_all = missing->count <= ROWS_SHOWN && present + missing->count <= ROWS_SHOWN;

    heat_make(heat, are_all ? present + missing->count : present, steps, arena);
    for (uint32_t i = 0; i < heat->rows; i++) {
        uint32_t worker = heat->rows < heat->all_rows ? job->figures.workers[i].of : i - absent;

        if (are_all && absent < missing->count &&
            (worker == present || missing->ranks[absent] < model->workers[worker].rank)) {
            heat->row_name[i] = missing->ranks[absent++];
            for (uint32_t s = 0; s < heat->columns; s++)
                heat->cell[i * heat->columns + s] = NAN;
            continue;
        }
        row[worker] = i;
        heat->row_name[i] = model->workers[worker].rank;
    }
}

/* By how much a rank's own work in a step is beyond the typical, as a share of a typical step: of
 * the slowest ranks, in order of their numbers where all are shown. */
static void fill_steps(const struct job *job, struct heat *heat, struct arena *arena)
{
    const struct job_model *model = &job->model;
    uint32_t *row = arena_array(arena, model->worker_count, sizeof(*row));

    *heat = (struct heat){.heading = "work beyond the typical, of a typical step",
                          .row_word = "rank",
                          .column_word = "step"};
    for (uint32_t w = 0; w < model->worker_count; w++)
        row[w] = UINT32_MAX;
    make_rows(job, heat, row, arena);
    for (uint32_t s = 0; s < heat->columns; s++) {
        uint32_t end = s + 1 < model->step_count ? model->steps[s + 1].first_op : model->op_count;

        heat->column_name[s] = model->steps[s].number;
        for (uint32_t op = model->steps[s].first_op; op < end; op++)
            if (row[model->worker[op]] != UINT32_MAX)
                heat->cell[row[model->worker[op]] * heat->columns + s] +=
                    (double)(model->length[op] - job->figures.ideals[op]) / job->figures.ideal;
    }
}

/* ---- drawing ---- */

static double row_height(const struct heat *heat)
{
    return heat->rows > 32 ? ROW * 32.0 / heat->rows : ROW;
}

static double heat_height(const struct heat *heat)
{
    return HEADING + row_height(heat) * heat->rows + TICKS + BELOW;
}

static double column_width(const struct heat *heat)
{
    double width = heat->width / heat->columns;

    return width < CELL_MOST ? width : CELL_MOST;
}

static void write_cell(struct chart *chart, const struct heat *heat, uint32_t row, uint32_t column,
                       struct svg_box box)
{
    double share = heat->cell[row * heat->columns + column];
    int level = LEVELS - 1;
    char text[FORMAT_LEN];

    if (isnan(share)) {
        svg_rectangle(&chart->svg, ABSENT, box);
        return;
    }
    while (level > 0 && share < levels[level])
        level--;
    format_share(text, share);
    svg_begin(&chart->svg, "g");
    svg_tooltip(&chart->svg,
                span_of(arena_printf(&chart->arena, "%s %" PRId64 ", %s %" PRId64 ": %s",
                                     heat->row_word, heat->row_name[row], heat->column_word,
                                     heat->column_name[column], text)));
    svg_rectangle(&chart->svg, classes[level], box);
    svg_end(&chart->svg);
}

static void write_names(struct chart *chart, const struct heat *heat, double y)
{
    double height = row_height(heat), width = column_width(heat);
    uint32_t each_row = (uint32_t)ceil(13 / height), each_column = (uint32_t)ceil(44 / width);

    for (uint32_t r = 0; r < heat->rows; r += each_row)
        svg_label(
            &chart->svg, NULL, CHART_MARGIN + LABELS - 6, y + (r + 0.5) * height + 4, ANCHOR_END,
            span_of(arena_printf(&chart->arena, "%s %" PRId64, heat->row_word, heat->row_name[r])));
    for (uint32_t c = 0; c < heat->columns; c += each_column)
        svg_label(&chart->svg, "small faint", CHART_MARGIN + LABELS + (c + 0.5) * width,
                  y + heat->rows * height + 12, ANCHOR_MIDDLE,
                  span_of(arena_printf(&chart->arena, "%" PRId64, heat->column_name[c])));
}

static void heat_write(struct chart *chart, const struct heat *heat, double y)
{
    double height = row_height(heat), width = column_width(heat);
    double gap = width > 4 && height > 4 ? 1 : 0;
    const char *heading = arena_printf(&chart->arena, "%s, by %s and %s", heat->heading,
                                       heat->row_word, heat->column_word);

    if (heat->rows < heat->all_rows)
        heading = arena_printf(&chart->arena, "%s: the slowest %" PRIu32 " of %" PRIu32, heading,
                               heat->rows, heat->all_rows);
    chart_text(chart, NULL, (struct svg_point){CHART_MARGIN, y + HEADING - ABOVE_TEXT},
               ANCHOR_START, LABELS + heat->width, span_of(heading));
    y += HEADING;
    svg_begin(&chart->svg, "g");
    svg_text_attribute(&chart->svg, "class", "heat");
    for (uint32_t r = 0; r < heat->rows; r++)
        for (uint32_t c = 0; c < heat->columns; c++)
            write_cell(chart, heat, r, c,
                       (struct svg_box){CHART_MARGIN + LABELS + c * width, y + r * height,
                                        width - gap, height - gap});
    svg_end(&chart->svg);
    write_names(chart, heat, y);
}

static bool has_absent(const struct heat *heat)
{
    bool has = false;

    for (uint32_t i = 0; i < heat->rows * heat->columns && !has; i++)
        has = isnan(heat->cell[i]);
    return has;
}

static void draw(const void *subject, const struct report *report, FILE *out)
{
    const struct job *job = subject;
    struct chart chart = {0};
    struct heat places, steps;
    struct legend_key keys[KEYS] = {[LEVELS] = {.class = ABSENT, .text = span_of("no trace")}};
    double legend, y;
    uint32_t count;

    fill_places(job, &places, &chart.arena);
    fill_steps(job, &steps, &chart.arena);
    for (int i = 0; i < LEVELS; i++)
        keys[i] = (struct legend_key){.class = classes[i], .text = span_of(level_texts[i])};
    places.width = steps.width = chart_width(report) - 2 * CHART_MARGIN - LABELS;
    count = LEVELS + (has_absent(&places) || has_absent(&steps));
    legend = legend_lay_out(keys, count, chart_width(report) - 2 * CHART_MARGIN, &chart.arena);
    chart_open(&chart, out, report, "Job",
               heat_height(&places) + heat_height(&steps) + legend + BELOW);
    y = chart.top;
    heat_write(&chart, &places, y);
    y += heat_height(&places);
    heat_write(&chart, &steps, y);
    y += heat_height(&steps);
    svg_begin(&chart.svg, "g");
    svg_text_attribute(&chart.svg, "class", "heat");
    legend_write(&chart.svg, keys, count, CHART_MARGIN, y);
    svg_end(&chart.svg);
    chart_close(&chart);
}

void job_chart(const struct job *job, struct report *report)
{
    report->chart = (struct report_chart){.draw = draw, .subject = job, .narrow = CHART_NARROW};
}
