/* SPDX-License-Identifier: Apache-2.0 */
/* From an operand to a graph: recognising, reading, window and selection; and what was lost, on
 * stderr. */
#include "cmd/load/profile_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/compare/diff.h"
#include "analysis/execution/idle_gaps.h"
#include "analysis/execution/task_graph.h"
#include "analysis/functions/hotspots.h"
#include "base/text/format.h"
#include "cmd/help/messages.h"
#include "cmd/load/files.h"
#include "cmd/load/fitting.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"

/* ---- a line on stderr while a large file is read ---- */

struct progress {
    const char *name;
    struct timespec begun, shown;
    bool is_visible;
};

static double seconds_between(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/* For struct input_options. Silent for the first half second; then at most ten times a second. */
static void progress_report(void *context, uint64_t done, uint64_t total)
{
    struct progress *progress = context;
    struct timespec now;
    char read[FORMAT_LEN], rate[FORMAT_LEN];
    double elapsed;

    clock_gettime(CLOCK_MONOTONIC, &now);
    elapsed = seconds_between(progress->begun, now);
    if (elapsed < 0.5 || (progress->is_visible && seconds_between(progress->shown, now) < 0.1))
        return;
    progress->shown = now;
    progress->is_visible = true;
    format_value(read, (int64_t)done, UNIT_BYTES);
    format_rate(rate, (double)done / elapsed, UNIT_BYTES);
    if (total)
        fprintf(stderr, "\r\033[Kreading %s %3.0f%%  %s  %s", progress->name,
                100.0 * (double)done / (double)total, read, rate);
    else
        fprintf(stderr, "\r\033[Kreading %s  %s  %s", progress->name, read, rate);
}

/* ---- reading ---- */

void execution_want(struct builder_options *wanted)
{
    wanted->need = LEVEL_TIMELINE;
    wanted->launches = wanted->flows = true;
    wanted->properties |= execution_properties();
}

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* What the input itself has to say, once the parser is through. */
static void note_trouble(struct input *in, struct graph *graph)
{
    if (in->remark)
        warning_say(&graph->source.warnings, WARNING_NOTE, "%s", in->remark);
    if (in->trouble.kind) {
        warning_say(&graph->source.warnings, WARNING_LOSS, "%s; what came before it is shown",
                    in->trouble.text);
    } else if (in->unended.is_set) {
        warning_count(&graph->source.warnings, WARNING_LOSS,
                      "the file ends within a line, so it may be cut short; what was read is shown",
                      in->unended.offset);
        graph->source.is_cut = true;
    }
}

struct symbols *profile_symbols(const struct common *common)
{
    struct symbols *symbols;

    if (common->no_symbols)
        return NULL;
    symbols = symbols_new();
    symbols_add_folders(symbols, common->binary_path);
    symbols_add_folders(symbols, getenv("PPROF_BINARY_PATH"));
    return symbols;
}

static bool value_is(const struct common *common, const char *name)
{
    return common->value && strcmp(common->value, name) == 0;
}

/* Values of a timeline that are more than sums of its events. */
static void derive_value(struct graph *graph)
{
    if (!graph->values.are_of_timeline)
        return;
    if (graph->values.selected == TIMELINE_HOST)
        wait_only_set_apart(graph);
    if (graph->values.selected == TIMELINE_IDLE)
        idle_tree_make(graph);
}

/* With the captures of the files that were given for that, else with its own. */
static bool join_captures(struct profile *profile, const struct common *common, struct error *err)
{
    const struct builder_options wanted = {.need = LEVEL_TIMELINE,
                                           .properties = captures_properties()};
    const struct common how = {.is_quiet = common->is_quiet, .max_size = common->max_size};
    const struct graph *captured[OPTION_VALUES_MAX] = {&profile->graph};
    struct profile files[OPTION_VALUES_MAX];
    uint32_t count = 0;
    bool ok = true;

    for (; ok && count < common->captures.count; count += ok) {
        ok = profile_load(&files[count], common->captures.list[count].text, &wanted, &how, err);
        captured[count] = &files[count].graph;
    }
    if (ok)
        captures_join(&profile->graph, captured, count ? count : 1, &profile->captures);
    if (ok && count && !profile->captures.captures && !profile->captures.annotated)
        ok = error_set(err, ERROR_USAGE, "%.80s holds no capture of a CUDA or HIP graph",
                       common->captures.list[0].text);
    while (count-- > 0)
        profile_free(&files[count]);
    return ok;
}

static bool parse(struct profile *profile, struct input *in, const struct builder_options *wanted,
                  const struct common *common, struct error *err)
{
    struct builder_options options = *wanted;
    const struct parser *parser =
        common->from ? parser_named(common->from, err) : parser_sniff(in, err);
    struct builder *builder;
    bool ok, is_guess;

    if (!parser)
        return false;
    is_guess = !common->from && parser_is_guess(parser, in);
    options.value = common->value;
    run_part_want(&common->part, &options);
    if (value_is(common, "host"))
        options.properties |= property_bit(PROP_STEP);
    if (value_is(common, "idle"))
        execution_want(&options);
    if (common->captures.count) {
        options.need = LEVEL_TIMELINE;
        options.launches = true;
        options.properties |= captures_properties();
    }
    options.drop_frames = common->drops_frames;
    options.spreads_python = common->spreads_python;
    options.symbols = profile_symbols(common);
    builder = builder_new(&options);
    ok = parser->parse(in, builder, err) && builder_check_value(builder, err);
    if (ok)
        builder_symbol_facts(builder);
    symbols_free(options.symbols);
    if (!ok) {
        builder_abandon(builder);
        if (in->trouble.kind)
            *err = in->trouble; /* the cause of what the parser found */
        else if (is_guess && err->kind == ERROR_INPUT && !err->hint[0])
            error_hint(err,
                       "its first bytes do not contradict %s, so it was taken for one; "
                       "--from FORMAT names another",
                       parser->title);
        return false;
    }
    builder_finish(builder, &profile->graph);
    profile->graph.source.format = parser->name;
    profile->richest = parser->level;
    profile->graph.source.format_title = parser->title;
    note_trouble(in, &profile->graph);
    integrity_warn(&profile->graph);
    if (options.launches && profile->graph.has[LEVEL_TIMELINE] &&
        options.properties & property_bit(PROP_CAPTURED) && !join_captures(profile, common, err)) {
        graph_free(&profile->graph);
        return false;
    }
    if (!run_part_apply(&common->part, common->selection.is_of_events, &profile->graph, err)) {
        graph_free(&profile->graph);
        return false;
    }
    derive_value(&profile->graph);
    return true;
}

void profile_write_losses(const struct profile *profile)
{
    const struct warnings *warnings = &profile->graph.source.warnings;

    for (size_t i = 0; i < warnings->count; i++)
        if (warnings->list[i].severity == WARNING_LOSS)
            message_warning(name_of(profile->path), &warnings->list[i]);
}

bool profile_load(struct profile *profile, const char *path, const struct builder_options *wanted,
                  const struct common *common, struct error *err)
{
    struct progress progress = {.name = name_of(path)};
    struct input_options options = {.max_size = common->max_size};
    struct input in;
    bool ok;

    *profile = (struct profile){.path = path};
    if (!common->is_quiet && isatty(STDERR_FILENO)) {
        clock_gettime(CLOCK_MONOTONIC, &progress.begun);
        options.progress = progress_report;
        options.context = &progress;
    }
    if (!foreign_refuse_folder(path, err) || !input_open(&in, path, &options, err))
        return error_file(err, name_of(path));
    input_packing(&in, profile->packing, sizeof(profile->packing));
    ok = parse(profile, &in, wanted, common, err);
    if (options.progress && progress.is_visible)
        fputs("\r\033[K", stderr); /* takes the line away */
    input_close(&in);
    if (!ok && err->kind != ERROR_USAGE)
        error_file(err, name_of(path));
    if (ok && !common->is_quiet && !common->tells_warnings)
        profile_write_losses(profile);
    return ok;
}

/* Stacks alone can be taken from each other. */
static bool take_base_away(struct profile *profile, const char *path,
                           const struct builder_options *wanted, const struct common *common,
                           struct error *err)
{
    static const char question[] = "no profile can be taken from them ('ptk diff' compares)";
    enum subtract_whole whole = common->base ? WHOLE_OF_CHANGES : WHOLE_OF_BASE;
    struct profile base;
    char text[FORMAT_LEN];
    int64_t sum = 0;
    bool ok;

    if (!graph_need(&profile->graph, LEVEL_CALLTREE, question, err) ||
        !profile_load(&base, path, wanted, common, err))
        return false;
    ok = graph_need(&base.graph, LEVEL_CALLTREE, question, err) &&
         subtract(&profile->graph, &base.graph, whole, &sum, err);
    profile_free(&base);
    if (ok && !common->is_quiet)
        message_note("difference to %s: %s in all", path,
                     format_value(text, sum, graph_unit(&profile->graph)));
    return ok;
}

static bool has_figures(const struct graph *graph)
{
    bool has = false;

    for (size_t i = 0; i < graph->source.facts.count; i++)
        has |= graph->source.facts.list[i].id != FACT_SHOWN;
    return has;
}

/* To people an empty table would not say that the file contains something else; to a program it is an
 * answer. */
static bool check_content(const struct graph *graph, const struct builder_options *wanted,
                          const struct common *common, struct error *err)
{
    bool has_series = graph->timeline.series.count > 0;
    bool is_filtered = wanted->label_filters && wanted->label_filters->count;
    bool is_for_programs = common->format == REPORT_CSV || common->format == REPORT_JSON;

    if (graph->functions.count || graph->timeline.count || graph->tree.count > 1 ||
        graph->counters.count || graph->values.without_stack || (has_series && wanted->series) ||
        is_filtered || is_for_programs || common->content == CONTENT_ANY ||
        (common->content == CONTENT_FIGURES && has_figures(graph)))
        return true;
    if (graph->source.instead) {
        error_set(err, ERROR_LACK, "no functions: the file contains only %s",
                  graph->source.instead);
        return error_hint(err, "%s", graph->source.instead_hint);
    }
    if (has_series) {
        error_set(err, ERROR_LACK, "no functions: the file contains only counters over time");
        return error_hint(err, "ptk timeline draws them");
    }
    error_set(err, ERROR_LACK, "no functions: the profile contains %s",
              has_figures(graph) ? "only figures of the whole run" : "no events or samples");
    return error_hint(err, "ptk info shows what is in the file");
}

bool profile_load_operand(struct profile *profile, char **operands, size_t count,
                          const struct builder_options *wanted, const struct common *common,
                          struct error *err)
{
    const char *path = profile_path(operands, count, common->is_quiet, err);

    const char *base = common->base ? common->base : common->diff_base;
    struct builder_options both = *wanted;

    if (base && both.need < LEVEL_CALLTREE)
        both.need = LEVEL_CALLTREE;
    if (!path || !profile_load(profile, path, &both, common, err))
        return false;
    if (!check_content(&profile->graph, wanted, common, err))
        error_file(err, name_of(path));
    else if (!base || take_base_away(profile, base, &both, common, err))
        return true;
    profile_free(profile);
    return false;
}

void profile_free(struct profile *profile)
{
    graph_free(&profile->graph);
}
