/* SPDX-License-Identifier: Apache-2.0 */
/* How an answer is written: colours and columns of the terminal, the output file, other tools'
 * formats. */
#include "cmd/answer/report_output.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/functions/hotspots.h"
#include "analysis/timeline/inventory.h"
#include "base/io/io.h"
#include "base/text/escape.h"
#include "cmd/help/messages.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"
#include "render/svg/svg.h"

enum { COLUMNS_LEAST = 60 };

/* --color, then NO_COLOR, then CLICOLOR_FORCE, then a dumb terminal, then whether there is a
 * terminal. */
static bool wants_color(int choice, bool is_terminal)
{
    const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
    const char *forced = getenv("CLICOLOR_FORCE");

    if (choice != COLOR_AUTO)
        return choice == COLOR_ALWAYS;
    if (none && *none)
        return false;
    if (forced && *forced && strcmp(forced, "0") != 0)
        return true;
    return is_terminal && term && strcmp(term, "dumb") != 0;
}

static uint32_t terminal_columns(int fd)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long asked = columns ? strtol(columns, NULL, 10) : 0;

    if (asked >= COLUMNS_LEAST && asked < 10000)
        return (uint32_t)asked;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= COLUMNS_LEAST)
        return size.ws_col;
    return 0;
}

/* A system without locales, such as an empty container, knows none by name: then the name says it. */
static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = NULL;

    if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
        return true;
    for (size_t i = 0; i < COUNT_OF(names) && (!locale || !*locale); i++)
        locale = getenv(names[i]);
    return locale && (strstr(locale, "UTF-8") || strstr(locale, "utf8"));
}

struct text_style report_output_style(const struct common *common, const struct output *out)
{
    int fd = out->fd;
    bool is_terminal = isatty(fd);

    return (struct text_style){
        .has_color = wants_color(common->color, is_terminal),
        .is_unicode = is_utf8(),
        .is_terminal = is_terminal,
        .is_csv_safe = common->is_csv_safe,
        .paths = common->paths != PATHS_AUTO ? (enum label_paths)common->paths : PATHS_SHORT,
        .has_full_names = common->names == NAMES_FULL,
        .columns = is_terminal ? terminal_columns(fd) : 0,
    };
}

bool terminal_check(const char *what, const char *path, struct error *err)
{
    if (path || !isatty(STDOUT_FILENO))
        return true;
    error_set(err, ERROR_USAGE, "%s would go to the terminal", what);
    return error_hint(err, "write a file with -o FILE, or use a pipe; -o - writes to the terminal");
}

/* Lines that were chosen to fit are of the text, which JSON has as it is. */
static bool keeps_budget(const struct report *report, const struct common *common)
{
    return report->is_within_budget && (common->format == REPORT_TEXT || common->format == REPORT_JSON);
}

bool report_output_write(const struct report *report, const struct common *common,
                         struct error *err)
{
    struct report chosen = *report;
    struct output out;
    struct text_style style;

    if (common->columns && !report_choose_columns(&chosen, common->columns,
                                                  (enum report_format)common->format, err))
        return false;
    if (common->is_schema && common->format != REPORT_JSON)
        return error_set(err, ERROR_USAGE, "--schema is of JSON");
    if (common->format == REPORT_SVG && !report->chart.draw)
        return error_set(err, ERROR_LACK, "there is nothing to draw a chart of");
    if (common->format == REPORT_SVG && common->budget)
        return error_set(err, ERROR_USAGE, "a picture has no rows to leave out for a budget");
    if ((common->format == REPORT_SVG &&
         !(terminal_check("an SVG picture", common->output, err) && xml_stream_check(err))) ||
        !output_open(&out, common->output, err))
        return false;
    style = report_output_style(common, &out);
    if (common->budget && !common->is_schema && !keeps_budget(report, common) &&
        !report_fit(&chosen, (enum report_format)common->format, &style, common->budget, err)) {
        output_abandon(&out);
        return false;
    }
    if (chosen.rows_left_out && common->format == REPORT_CSV && !common->is_quiet)
        message_note("%u more rows left out: --budget %u", chosen.rows_left_out, common->budget);
    report_write(&chosen, common->is_schema ? REPORT_SCHEMA : (enum report_format)common->format,
                 &style, out.file);
    if (!output_commit(&out, err))
        return false;
    *err = report->lack;
    return err->kind == ERROR_NONE;
}

void export_want(const struct writer *writer, struct builder_options *wanted)
{
    wanted->all_values = writer->all_values;
    wanted->sample_times = writer->level == LEVEL_TIMELINE;
    if (writer->wants_richest)
        wanted->need = LEVEL_TIMELINE;
    if (writer->wants_events) {
        wanted->properties = ~(uint64_t)0;
        wanted->launches = wanted->flows = true;
        wanted->categories = wanted->series = true;
    }
}

bool export_check(const struct writer *writer, const struct common *common, struct error *err)
{
    return !writer->is_binary || terminal_check("a binary file", common->output, err);
}

bool export_write(const struct graph *graph, const char *path, const struct writer *writer,
                  const struct path_marks *marks, const struct common *common, struct error *err)
{
    struct arena arena = {0};
    struct warnings warnings = {0};
    struct writing writing = {
        .graph = graph, .path = path, .arena = &arena, .path_marks = marks, .warnings = &warnings};
    struct output out;
    bool ok = output_open(&out, common->output, err);

    if (ok) {
        writing.out = out.file;
        writing.readers = (struct csv_readers){isatty(out.fd), common->is_csv_safe};
        writer->write(&writing);
        ok = output_commit(&out, err);
    }
    for (size_t i = 0; ok && !common->is_quiet && i < warnings.count; i++)
        message_warning(path, &warnings.list[i]);
    warnings_free(&warnings);
    arena_free(&arena);
    return ok;
}

void profile_info_report(const struct profile *profile, struct arena *arena, struct report *report)
{
    const struct graph *graph = &profile->graph;
    struct info info = {
        .packing = profile->packing, .total = graph_total(graph), .whole = graph_whole(graph)};
    struct integrity integrity;
    struct inventory inventory;

    if (graph->native == LEVEL_CALLGRAPH) {
        integrity_check(graph, arena, &integrity);
        info.integrity = &integrity;
    }
    if (graph->native == LEVEL_TIMELINE) {
        inventory_take(graph, arena, &inventory);
        info.inventory = &inventory;
    }
    info_report(&info, arena, report);
}
