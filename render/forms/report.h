/* SPDX-License-Identifier: Apache-2.0 */
/* report.h — a command's answer, ready to be written as text, CSV, JSON or Markdown
 *
 * A report owns nothing. What its cells, lines, fields and chart point to lives in the arena that
 * it was filled with, in the graph of one of its inputs, or is a literal: never in what a pass is
 * about to free. Arena and inputs last until the report is written. */
#ifndef PTK_RENDER_FORMS_REPORT_H
#define PTK_RENDER_FORMS_REPORT_H

#include <stdio.h>

#include "base/error/error.h"
#include "graph/classify/function_class.h"
#include "graph/model/graph.h"
#include "render/forms/table.h"

/* What was read. */
struct report_input {
    const char *path;
    const struct graph *graph;
};

/* A figure of the whole answer, beside its tables. */
struct report_field {
    const char *key;
    enum cell_kind kind;
    enum unit unit; /* of a CELL_VALUE */
    union cell cell;
};

struct report;

/* A picture of what the report was filled from, which must last until it is drawn. */
struct report_chart {
    void (*draw)(const void *subject, const struct report *report, FILE *out); /* NULL: none */
    const void *subject;
    double width;  /* pixels; 0: as wide as pictures are */
    double narrow; /* the least width that it can be drawn in, in pixels; 0: it has but one */
};

struct report {
    const char *command; /* the schema is "ptk.COMMAND/1" */
    const struct report_input *inputs;
    uint32_t input_count;
    bool has_value; /* the graph's selected value is what the figures are in */

    struct arena *arena;         /* in which these grow */
    struct report_field *fields; /* JSON only */
    uint32_t field_count;
    const struct table **tables; /* CSV writes the first for machines */
    uint32_t table_count;
    const char **before; /* lines for people above the tables ... */
    uint32_t before_count;
    const char **after; /* ... and below */
    uint32_t after_count;
    struct report_chart chart;
    uint32_t rows_left_out;   /* by report_fit() */
    bool is_within_budget;    /* its lines were chosen to fit already, as text */
    struct error lack; /* what the input lacks of the answer: raised once the rest is written */
};

void report_number(struct report *report, const char *key, int64_t number);
void report_value(struct report *report, const char *key, int64_t number, enum unit unit);
void report_time(struct report *report, const char *key, int64_t ns);
void report_real(struct report *report, const char *key, double real);
void report_text(struct report *report, const char *key, struct span text);
/* A line for people that begins so is a command to copy: it is never broken. */
#define REPORT_NEXT "next: "

void report_table(struct report *report, const struct table *table);
void report_before(struct report *report, const char *line);
void report_after(struct report *report, const char *line);

/* Such a line, printed into the arena. */
#define report_beforef(report, arena, ...) report_before(report, arena_printf(arena, __VA_ARGS__))
#define report_afterf(report, arena, ...) report_after(report, arena_printf(arena, __VA_ARGS__))

/* How text looks where it goes. */
struct text_style {
    bool has_color;
    bool is_unicode;        /* box-drawing characters and ellipses may be used */
    bool is_terminal;       /* CSV hides control characters there, too */
    bool is_csv_safe;       /* CSV is for a spreadsheet */
    enum label_paths paths; /* of columns that are functions' labels */
    bool has_full_names;    /* of those columns */
    uint32_t columns;       /* shorten names to this width; 0: not at all */
};

enum report_format {
    REPORT_TEXT,
    REPORT_CSV,
    REPORT_JSON,
    REPORT_MARKDOWN,
    REPORT_SVG,
    REPORT_SCHEMA, /* of what REPORT_JSON writes; no name of report_format_names */
};

/* Shows, of tables that have some, the columns whose keys are in the list, "name,self,p99", in its order and in
 * every form. ERROR_USAGE where no table has one. */
MUST_CHECK bool report_choose_columns(struct report *report, const char *list,
                                      enum report_format format, struct error *err);

/* How budgets are counted, here and by `brief`. */
enum { BYTES_PER_TOKEN = 3 };

/* Leaves out what does not fit in so many tokens: rows that come last, of each table as many, then lines. ERROR_USAGE
 * where the form has nothing that can be left out. */
MUST_CHECK bool report_fit(struct report *report, enum report_format format, const struct text_style *style,
                           uint32_t tokens, struct error *err);

/* Both end with NULL; the second is for commands that also draw a chart. */
extern const char *const report_format_names[];
extern const char *const report_chart_names[];

/* Whether the columns shown are those for people, not those for machines. */
bool report_is_for_people(enum report_format format);

/* REPORT_SVG is for a report that has a chart, and takes no style. */
void report_write(const struct report *report, enum report_format format,
                  const struct text_style *style, FILE *out);

void report_write_text(const struct report *report, const struct text_style *style, FILE *out);
void report_write_csv(const struct report *report, const struct text_style *style, FILE *out);
void report_write_json(const struct report *report, const struct text_style *style, FILE *out);
void report_write_schema(const struct report *report, const struct text_style *style, FILE *out);
void report_write_markdown(const struct report *report, const struct text_style *style, FILE *out);

#endif
