/* SPDX-License-Identifier: Apache-2.0 */
/* tachyon_jsonl.c — tables of frames without stacks: Python 3.15's sampling profiler with --jsonl
 *
 *     {"type":"meta","v":1,"run_id":"…","sample_interval_usec":1000,"mode":"wall"}
 *     {"type":"str_def",…,"defs":[{"str_id":1,"value":"main"}, …]}
 *     {"type":"frame_def",…,"defs":[{"frame_id":1,"path_str_id":2,"func_str_id":1,"line":7}, …]}
 *     {"type":"agg",…,"kind":"frame","scope":"final","entries":[{"frame_id":1,"self":9,"cumulative":9}, …]}
 *
 * A frame is a line that ran, so a function has several frames. Its own samples are the sum of theirs. A sample
 * with two of its frames on the stack, as in a recursion, is in the cumulative figure of both. Then the file
 * has only limits of the function's figure. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"
#include "parsers/stacks/merged_rows.h"
#include "parsers/tachyon/tachyon.h"
#include "parsers/text/text_end.h"

enum { NS_PER_US = 1000 };

/* Samples that a frame was seen in. */
struct seen {
    int64_t self, cum;
};

struct frame_table {
    struct builder *builder;
    struct arena arena;            /* for the texts of a line */
    struct idmap strings, numbers; /* by the id in the current run */
    struct VECTOR_OF(struct frame) frames;
    struct VECTOR_OF(struct seen) seen; /* by frame */
    int64_t interval, samples, declared;
    uint64_t odd;       /* lines and entries that are damaged */
    uint64_t estimates; /* functions whose cumulative figure is one */
    bool has_end;
};

static bool integer_in(struct token object, struct span key, int64_t *number)
{
    struct token value = walk_find(object, key);

    return value.at && token_integer(value, number);
}

/* ---- lines ---- */

/* Ids are valid within one run: a file may contain several, one behind the other. */
static void read_meta(struct frame_table *table, struct token line)
{
    int64_t interval;

    idmap_free(&table->strings);
    idmap_free(&table->numbers);
    table->has_end = false;
    if (integer_in(line, SPAN("sample_interval_usec"), &interval) && interval > 0)
        table->interval = checked_mul(interval, NS_PER_US);
    builder_fact_text(table->builder, "mode", walk_text(line, SPAN("mode"), &table->arena));
}

static bool read_string(struct frame_table *table, struct token entry)
{
    struct token value = walk_find(entry, SPAN("value"));
    int64_t id;

    if (!value.at || !integer_in(entry, SPAN("str_id"), &id))
        return false;
    *idmap_at(&table->strings, (uint64_t)id) =
        builder_intern(table->builder, token_text(value, &table->arena));
    return true;
}

static bool read_frame(struct frame_table *table, struct token entry)
{
    int64_t id, path, name, line = 0;
    uint32_t path_text, name_text;

    if (!integer_in(entry, SPAN("frame_id"), &id) ||
        !integer_in(entry, SPAN("path_str_id"), &path) ||
        !integer_in(entry, SPAN("func_str_id"), &name))
        return false;
    path_text = idmap_find(&table->strings, (uint64_t)path);
    name_text = idmap_find(&table->strings, (uint64_t)name);
    if (path_text == IDMAP_NONE || name_text == IDMAP_NONE)
        return false;
    (void)integer_in(entry, SPAN("line"), &line);
    *idmap_at(&table->numbers, (uint64_t)id) = (uint32_t)table->frames.count;
    vector_add(&table->frames, tachyon_frame(table->builder, name_text, path_text, line));
    vector_add(&table->seen, (struct seen){0});
    return true;
}

static bool read_figures(struct frame_table *table, struct token entry)
{
    int64_t id, self, cum;
    uint32_t number;
    struct seen *seen;

    if (!integer_in(entry, SPAN("frame_id"), &id) || !integer_in(entry, SPAN("self"), &self) ||
        !integer_in(entry, SPAN("cumulative"), &cum) || self < 0 || cum < self)
        return false;
    number = idmap_find(&table->numbers, (uint64_t)id);
    if (number == IDMAP_NONE)
        return false;
    seen = &table->seen.list[number];
    seen->self = checked_add(seen->self, self);
    seen->cum = checked_add(seen->cum, cum);
    table->samples = checked_add(table->samples, self);
    return true;
}

/* Damaged entries are counted, and left out. */
static void read_entries(struct frame_table *table, struct token list,
                         bool (*read)(struct frame_table *table, struct token entry))
{
    struct json_walk walk = walk_into(list);
    struct token entry;

    while (walk_item(&walk, &entry))
        table->odd += !read(table, entry);
}

static void read_line(struct frame_table *table, struct token line)
{
    struct token type = walk_find(line, SPAN("type"));
    int64_t samples;

    if (walk_past_value(line.at, line.at + line.len) != line.at + line.len || !type.at)
        table->odd++;
    else if (token_is(type, SPAN("meta")))
        read_meta(table, line);
    else if (token_is(type, SPAN("str_def")))
        read_entries(table, walk_find(line, SPAN("defs")), read_string);
    else if (token_is(type, SPAN("frame_def")))
        read_entries(table, walk_find(line, SPAN("defs")), read_frame);
    else if (token_is(type, SPAN("agg")) && token_is(walk_find(line, SPAN("scope")), SPAN("final")))
        read_entries(table, walk_find(line, SPAN("entries")), read_figures);
    else if (token_is(type, SPAN("end")))
        table->has_end = true;
    if (table->has_end && integer_in(line, SPAN("samples_total"), &samples))
        table->declared = checked_add(table->declared, samples);
}

/* ---- functions ---- */

static void give_function(struct frame_table *table, uint32_t function,
                          const struct merged_rows *rows)
{
    struct callgraph_builder *callgraph = builder_callgraph(table->builder);
    uint32_t value = builder_value(table->builder);
    int64_t scale[] = {1, table->interval};
    int64_t self[] = {rows->self, checked_mul(rows->self, table->interval)};
    bool is_estimate;
    int64_t cum = merged_rows_cum(rows, table->samples, &is_estimate);

    builder_list(
        callgraph, function,
        &(struct call_figures){UNKNOWN, UNKNOWN, self[value], checked_mul(cum, scale[value])});
    if (is_estimate)
        builder_estimate_cum(callgraph, function);
    if (builder_wants_all_values(table->builder))
        builder_list_values(callgraph, function, self);
    table->estimates += is_estimate;
}

static void give_functions(struct frame_table *table)
{
    size_t frames = table->frames.count, functions = 0;
    frame_id *ids = grow_zeroed(frames, sizeof(*ids));
    struct merged_rows *rows = grow_zeroed(frames, sizeof(*rows));

    python_frames_give(table->builder, table->frames.list, frames, PYTHON_LINES_THAT_RAN, ids);
    for (size_t i = 0; i < frames; i++) {
        uint32_t function = builder_function(builder_callgraph(table->builder), ids[i]);

        functions = function < functions ? functions : function + 1;
        merged_rows_add(&rows[function], table->seen.list[i].self, table->seen.list[i].cum);
    }
    for (uint32_t i = 0; i < functions; i++)
        give_function(table, i, &rows[i]);
    free(ids);
    free(rows);
}

/* ---- the whole ---- */

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("samples"), UNIT_COUNT},
                                               {LITERAL("time"), UNIT_NS}};
    struct frame_table table = {.builder = builder};
    struct warnings *warnings = builder_warnings(builder);
    bool ok = builder_begin(builder, LEVEL_FLAT, values, COUNT_OF(values), 0, err);
    struct span line;

    while (ok && input_line(in, &line)) {
        line = span_trim(line);
        if (line.len)
            read_line(&table, token_of(line));
        arena_clear(&table.arena);
    }
    if (ok) {
        builder_producer(builder, "profiling.sampling of Python");
        if (!table.has_end)
            text_ends_within(builder, "the table of frames");
        text_check_total(builder, "samples", table.declared, table.samples, 0, UNIT_COUNT);
        warning_count_many(warnings, WARNING_LOSS, "lines or entries that are damaged, left out",
                           table.odd);
        builder_known_fact(builder, FACT_PERIOD, table.interval, UNIT_NS);
        give_functions(&table);
        warning_count_many(warnings, WARNING_NOTE,
                           "functions of several lines: their cumulative figures are estimates "
                           "(~), too high where they call themselves, because the file has no "
                           "stacks",
                           table.estimates);
    }
    arena_free(&table.arena);
    idmap_free(&table.strings);
    idmap_free(&table.numbers);
    free(table.frames.list);
    free(table.seen.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span rest = head, line = span_trim(span_split(&rest, '\n'));
    struct token object = {line.at, (uint32_t)line.len};

    if (token_is(walk_find(object, SPAN("type")), SPAN("meta")) &&
        walk_find(object, SPAN("run_id")).at)
        return SNIFF_YES;
    return rest.len || is_all || !span_starts(line, SPAN("{")) ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_tachyon_jsonl = {
    .name = "tachyon-jsonl",
    .title = "tables of Python's sampler",
    .summary = "Python 3.15's profiling.sampling with --jsonl: functions, no stacks",
    .tried = "made files of version 1",
    .omitted = "columns",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
