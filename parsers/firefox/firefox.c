/* SPDX-License-Identifier: Apache-2.0 */
/* firefox.c — profiles for the Firefox Profiler: Firefox itself, samply, `perf script report gecko`
 *
 * In the form that Firefox writes tables have rows, and each thread its own tables:
 *
 *     {"meta": {...}, "libs": [...], "threads": [{"name": "GeckoMain", "stringTable": ["f", ...],
 *      "samples": {"schema": {"stack": 0, "time": 1}, "data": [[3, 1.5], ...]}, ...}],
 *      "processes": [...the same of each child]}
 *
 * In the one that its web page and most others write they have columns, and what threads have in
 * common is, in newer versions, in "shared":
 *
 *     {"meta": {...}, "shared": {"stringArray": [...], "stackTable": {"frame": [0, 1], "prefix":
 *      [null, 0]}, ...}, "threads": [{"samples": {"stack": [1, null], "time": [0, 1]}}]}
 *
 * Both become the same columns, whatever the order of the keys; a column of another version is
 * empty.
 *
 * https://github.com/firefox-devtools/profiler, docs-developer/ */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/firefox/firefox.h"
#include "parsers/parser.h"

/* A child's process stands in its parent's; more levels than browsers have. */
enum { PROCESS_DEPTH_MAX = 4, VERSION_KNOWN = 70 };

/* ---- tables ---- */

static const struct column_shape {
    const char *table, *name;
    int scale;
} shapes[FIREFOX_COLUMNS] = {
    [SAMPLE_STACK] = {"samples", "stack", 0},
    [SAMPLE_TIME] = {"samples", "time", MS_TO_NS},
    [SAMPLE_TIME_DELTA] = {"samples", "timeDeltas", MS_TO_NS},
    [SAMPLE_WEIGHT] = {"samples", "weight", WEIGHT_SCALE},
    [SAMPLE_CPU] = {"samples", "threadCPUDelta", CPU_SCALE},
    [JS_STACK] = {"jsAllocations", "stack", 0},
    [JS_WEIGHT] = {"jsAllocations", "weight", 0},
    [NATIVE_STACK] = {"nativeAllocations", "stack", 0},
    [NATIVE_WEIGHT] = {"nativeAllocations", "weight", 0},
    [STACK_FRAME] = {"stackTable", "frame", 0},
    [STACK_PREFIX] = {"stackTable", "prefix", 0},
    [STACK_PREFIX_OFFSET] = {"stackTable", "prefixOffset", 0},
    [STACK_CATEGORY] = {"stackTable", "category", 0},
    [FRAME_FUNC] = {"frameTable", "func", 0},
    [FRAME_LOCATION] = {"frameTable", "location", 0},
    [FRAME_LINE] = {"frameTable", "line", 0},
    [FRAME_LIB] = {"frameTable", "lib", 0},
    [FRAME_CATEGORY] = {"frameTable", "category", 0},
    [FRAME_ADDRESS] = {"frameTable", "address", 0},
    [FRAME_INLINE_DEPTH] = {"frameTable", "inlineDepth", 0},
    [FUNC_NAME] = {"funcTable", "name", 0},
    [FUNC_RESOURCE] = {"funcTable", "resource", 0},
    [FUNC_IS_JS] = {"funcTable", "isJS", 0},
    [FUNC_FILE] = {"funcTable", "fileName", 0},
    [FUNC_SOURCE] = {"funcTable", "source", 0},
    [FUNC_LINE] = {"funcTable", "lineNumber", 0},
    [RESOURCE_LIB] = {"resourceTable", "lib", 0},
    [RESOURCE_NAME] = {"resourceTable", "name", 0},
    [RESOURCE_TYPE] = {"resourceTable", "type", 0},
    [SOURCE_FILE] = {"sources", "filename", 0},
    [MARKER_NAME] = {"markers", "name", 0},
    [MARKER_START] = {"markers", "startTime", MS_TO_NS},
    [MARKER_END] = {"markers", "endTime", MS_TO_NS},
    [MARKER_PHASE] = {"markers", "phase", 0},
};

static void warn(struct firefox *firefox, enum severity severity, const char *text, uint64_t times)
{
    warning_count_many(builder_warnings(firefox->builder), severity, text, times);
}

static bool is_table(const struct json_key *key)
{
    for (size_t i = 0; i < FIREFOX_COLUMNS; i++)
        if (json_key_is(key, shapes[i].table))
            return true;
    return false;
}

/* FIREFOX_COLUMNS of one that is not read. */
static enum firefox_column column_named(const struct firefox *firefox, const struct json_key *table,
                                        struct span name)
{
    size_t count = firefox->wants_beside ? FIREFOX_COLUMNS : MARKER_START;

    for (size_t i = 0; i < count; i++)
        if (json_key_is(table, shapes[i].table) && span_eq(name, span_of(shapes[i].name)))
            return (enum firefox_column)i;
    return FIREFOX_COLUMNS;
}

static int64_t cell_value(struct firefox *firefox, struct token token, enum firefox_column column)
{
    int scale = shapes[column].scale;
    int64_t value;

    if (!token.at || *token.at == 'n') /* null */
        return UNKNOWN;
    if (token_is(token, SPAN("true")) || token_is(token, SPAN("false")))
        return token_is(token, SPAN("true"));
    if (*token.at != '"' &&
        (scale ? token_scaled(token, scale, &value) : token_integer(token, &value)))
        return value;
    warn(firefox, WARNING_LOSS,
         "cells of tables that hold no number, or too large a one, read as null", 1);
    return UNKNOWN;
}

static void read_column(struct firefox *firefox, struct firefox_tables *tables,
                        enum firefox_column column)
{
    struct token item;

    tables->columns[column].count = 0; /* of a repeated key the last counts */
    if (!json_open(firefox->json, '['))
        return;
    while (json_item(firefox->json) && json_take(firefox->json, &item))
        vector_add(&tables->columns[column], cell_value(firefox, item, column));
}

/* Which columns the rows of a table have. */
struct row_schema {
    size_t place[FIREFOX_COLUMNS]; /* in a row, counted from 1; 0: it has no such column */
    bool is_known;
};

enum { ROW_CELLS_MAX = 64 };

static void read_schema(struct firefox *firefox, const struct json_key *table,
                        struct row_schema *schema)
{
    struct token value;
    struct json_walk walk;
    struct span name;
    int64_t place;

    if (!json_take(firefox->json, &value))
        return;
    *schema = (struct row_schema){.is_known = true};
    walk = walk_into(value);
    while (walk_member(&walk, &name, &value)) {
        enum firefox_column column = column_named(firefox, table, name);

        if (column != FIREFOX_COLUMNS && token_integer(value, &place) && place >= 0 &&
            place < ROW_CELLS_MAX)
            schema->place[column] = (size_t)place + 1;
    }
}

static void add_row(struct firefox *firefox, struct firefox_tables *tables,
                    const struct json_key *table, const struct row_schema *schema, struct token row)
{
    struct token cells[1 + ROW_CELLS_MAX] = {{0}}, value;
    struct json_walk walk = walk_into(row);
    size_t count = 0;
    struct span name;

    if (row.at[0] == '{') /* as old files have it */
        while (walk_member(&walk, &name, &value)) {
            enum firefox_column column = column_named(firefox, table, name);

            if (column != FIREFOX_COLUMNS)
                cells[schema->place[column]] = value;
        }
    else /* a row ends with its last cell that is not null */
        while (count < ROW_CELLS_MAX && walk_item(&walk, &value))
            cells[++count] = value;
    for (size_t i = 0; i < FIREFOX_COLUMNS; i++)
        if (schema->place[i])
            vector_add(&tables->columns[i],
                       cell_value(firefox, cells[schema->place[i]], (enum firefox_column)i));
}

static void clear_table(struct firefox_tables *tables, const struct json_key *table)
{
    for (size_t i = 0; i < FIREFOX_COLUMNS; i++)
        if (json_key_is(table, shapes[i].table))
            tables->columns[i].count = 0;
}

static void read_rows(struct firefox *firefox, struct firefox_tables *tables,
                      const struct json_key *table, const struct row_schema *schema)
{
    struct token row;

    clear_table(tables, table);
    if (!json_open(firefox->json, '['))
        return;
    while (json_item(firefox->json) && json_take(firefox->json, &row))
        add_row(firefox, tables, table, schema, row);
}

/* Rows that stand before their schema are kept until that is known. */
static void hold_rows(struct firefox *firefox, struct arena *arena, struct token *held)
{
    struct token value;

    if (json_take(firefox->json, &value))
        *held = (struct token){arena_copy(arena, (struct span){value.at, value.len}), value.len};
}

static void read_held_rows(struct firefox *firefox, struct firefox_tables *tables,
                           const struct json_key *table, const struct row_schema *schema,
                           struct token held)
{
    struct json_walk walk = walk_into(held);
    struct token row;

    clear_table(tables, table);
    while (walk_item(&walk, &row))
        add_row(firefox, tables, table, schema, row);
}

static void read_table(struct firefox *firefox, struct firefox_tables *tables,
                       const struct json_key *table, enum firefox_value *weight)
{
    struct row_schema schema = {0};
    struct arena arena = {0};
    struct json_key key;
    struct token value, held = {0};

    if (!json_open(firefox->json, '{'))
        return;
    while (json_member(firefox->json, &key)) {
        enum firefox_column column = column_named(firefox, table, (struct span){key.text, key.len});

        if (json_key_is(&key, "schema"))
            read_schema(firefox, table, &schema);
        else if (json_key_is(&key, "data") && schema.is_known)
            read_rows(firefox, tables, table, &schema);
        else if (json_key_is(&key, "data") && !json_key_is(table, "markers")) /* a column there */
            hold_rows(firefox, &arena, &held);
        else if (column != FIREFOX_COLUMNS)
            read_column(firefox, tables, column);
        else if (!json_key_is(&key, "weightType") || !json_key_is(table, "samples"))
            json_skip(firefox->json);
        else if (json_take(firefox->json, &value))
            *weight = token_is(value, SPAN("tracing-ms")) ? FIREFOX_TRACING
                      : token_is(value, SPAN("bytes"))    ? FIREFOX_BYTES
                                                          : FIREFOX_SAMPLES;
    }
    if (held.at && schema.is_known)
        read_held_rows(firefox, tables, table, &schema, held);
    else if (held.at)
        warn(firefox, WARNING_LOSS, "tables without a schema, left out", 1);
    arena_free(&arena);
}

/* ---- texts and libraries ---- */

static str_id intern_token(struct firefox *firefox, struct token value)
{
    struct arena arena = {0};
    str_id id =
        value.at ? builder_intern(firefox->builder, token_text(value, &arena)) : 0; /* null: "" */

    arena_free(&arena);
    return id;
}

static void read_strings(struct firefox *firefox, struct firefox_tables *tables)
{
    struct token item;

    tables->strings.count = 0;
    if (!json_open(firefox->json, '['))
        return;
    while (json_item(firefox->json) && json_take(firefox->json, &item))
        vector_add(&tables->strings, intern_token(firefox, item));
}

static uint64_t address_of(struct token value)
{
    uint64_t address = 0;

    return value.at && span_to_u64(token_raw_text(value), &address) ? address : 0;
}

static void read_libs(struct firefox *firefox, struct firefox_tables *tables)
{
    struct token item;

    tables->libs.count = 0;
    if (!json_open(firefox->json, '['))
        return;
    while (json_item(firefox->json) && json_take(firefox->json, &item)) {
        struct firefox_lib lib = {
            .name = intern_token(firefox, walk_find(item, SPAN("name"))),
            .path = intern_token(firefox, walk_find(item, SPAN("path"))),
            .build_id = intern_token(firefox, walk_find(item, SPAN("codeId"))),
            .start = address_of(walk_find(item, SPAN("start"))),
            .end = address_of(walk_find(item, SPAN("end"))),
        };

        vector_add(&tables->libs, lib);
    }
}

/* A member that a thread has, or what threads share. */
static void read_tables_member(struct firefox *firefox, struct firefox_tables *tables,
                               const struct json_key *key, enum firefox_value *weight)
{
    if (is_table(key))
        read_table(firefox, tables, key, weight);
    else if (json_key_is(key, "stringArray") || json_key_is(key, "stringTable"))
        read_strings(firefox, tables);
    else if (json_key_is(key, "libs"))
        read_libs(firefox, tables);
    else
        json_skip(firefox->json);
}

static void tables_free(struct firefox_tables *tables)
{
    for (size_t i = 0; i < FIREFOX_COLUMNS; i++)
        free(tables->columns[i].list);
    free(tables->strings.list);
    free(tables->categories.list);
    free(tables->libs.list);
    free(tables->frames);
    free(tables->stacks);
    free(tables->nodes);
    free(tables->sums);
}

/* ---- threads ---- */

static void read_thread(struct firefox *firefox, uint32_t process)
{
    struct firefox_thread thread = {.process = process, .weight = FIREFOX_SAMPLES};
    struct json_key key;
    struct token value;

    if (!json_open(firefox->json, '{')) {
        warn(firefox, WARNING_LOSS, "threads that are none, left out", 1);
        return;
    }
    while (json_member(firefox->json, &key)) {
        str_id *text = json_key_is(&key, "name")          ? &thread.name
                       : json_key_is(&key, "processName") ? &thread.process_name
                       : json_key_is(&key, "pid")         ? &thread.pid
                       : json_key_is(&key, "tid")         ? &thread.tid
                                                          : NULL;

        if (!text)
            read_tables_member(firefox, &thread.tables, &key, &thread.weight);
        else if (json_take(firefox->json, &value))
            *text = intern_token(firefox, value);
    }
    firefox->markers += thread.tables.columns[MARKER_NAME].count;
    if (thread.tables.columns[SAMPLE_STACK].count || thread.tables.columns[JS_STACK].count ||
        thread.tables.columns[NATIVE_STACK].count ||
        (firefox->wants_beside && thread.tables.columns[MARKER_NAME].count))
        vector_add(&firefox->threads, thread);
    else
        tables_free(&thread.tables);
}

/* Old files have a child's threads as texts that hold JSON. */
static void read_thread_text(struct firefox *firefox, uint32_t process)
{
    struct json_stream *file = firefox->json, stream;
    struct arena arena = {0};
    struct error ignored = {0};
    struct token value;
    struct input in;

    if (!json_take(file, &value))
        return;
    if (value.at[0] != '"' ||
        !input_open_memory(&in, token_text(value, &arena), &(struct input_options){0}, &ignored)) {
        warn(firefox, WARNING_LOSS, "threads that are none, left out", 1);
    } else {
        stream = json_start(&in);
        firefox->json = &stream;
        read_thread(firefox, process);
        firefox->json = file;
        input_close(&in);
    }
    arena_free(&arena);
}

/* ---- processes ---- */

static int64_t scaled_member(struct token object, struct span key, int scale)
{
    struct token value = walk_find(object, key);
    int64_t number;

    return value.at && token_scaled(value, scale, &number) && number > 0 ? number : 0;
}

static void read_categories(struct firefox *firefox, struct firefox_tables *tables,
                            struct token list)
{
    struct json_walk walk = walk_into(list);
    struct token item;

    tables->categories.count = 0;
    while (walk_item(&walk, &item))
        vector_add(&tables->categories, intern_token(firefox, walk_find(item, SPAN("name"))));
}

/* What the file says of itself; the first process says what the whole is. */
static void read_meta(struct firefox *firefox, uint32_t at)
{
    struct firefox_process *process = &firefox->processes.list[at];
    struct token meta, unit, text;
    struct arena arena = {0};

    if (!json_take(firefox->json, &meta))
        return;
    if (scaled_member(meta, SPAN("preprocessedProfileVersion"), 0) > VERSION_KNOWN)
        warn(firefox, WARNING_NOTE, "a newer version than ptk knows, read like those that it does",
             1);
    process->start = scaled_member(meta, SPAN("startTime"), MS_TO_NS);
    process->interval = scaled_member(meta, SPAN("interval"), MS_TO_NS);
    unit = walk_find(walk_find(meta, SPAN("sampleUnits")), SPAN("threadCPUDelta"));
    text = walk_find(meta, SPAN("product"));
    if (token_is(unit, SPAN("ns")))
        process->cpu_per_ns = 1000;
    else if (unit.at && span_starts(token_raw_text(unit), SPAN("variable")))
        process->cpu_per_ns = 0;
    firefox->is_of_python |=
        token_is(walk_find(meta, SPAN("importedFrom")), SPAN("Tachyon Sampling Profiler"));
    if (text.at && at == 0)
        builder_fact_text(firefox->builder, "product", token_text(text, &arena));
    read_categories(firefox, &process->shared, walk_find(meta, SPAN("categories")));
    arena_free(&arena);
}

/* What was counted beside the samples. */
static void read_counters(struct firefox *firefox, uint32_t process)
{
    struct token item;

    if (!json_open(firefox->json, '['))
        return;
    while (json_item(firefox->json) && json_take(firefox->json, &item)) {
        vector_add(&firefox->counters, intern_token(firefox, walk_find(item, SPAN("name"))));
        if (firefox->wants_beside)
            firefox_read_counter(firefox, item, process);
    }
}

static void read_process(struct firefox *firefox, unsigned depth)
{
    uint32_t at = (uint32_t)firefox->processes.count;
    struct firefox_process process = {.cpu_per_ns = 1};
    enum firefox_value none;
    struct json_key key;

    vector_add(&firefox->processes, process);
    while (json_member(firefox->json, &key)) {
        if (json_key_is(&key, "meta")) {
            read_meta(firefox, at);
        } else if (json_key_is(&key, "threads") && json_enter(firefox->json, '[')) {
            while (json_item(firefox->json))
                if (input_peek(firefox->json->in, 1).len &&
                    *input_peek(firefox->json->in, 1).at == '"')
                    read_thread_text(firefox, at);
                else
                    read_thread(firefox, at);
        } else if (json_key_is(&key, "processes") && json_enter(firefox->json, '[')) {
            while (json_item(firefox->json))
                if (depth == PROCESS_DEPTH_MAX || !json_enter(firefox->json, '{')) {
                    warn(firefox, WARNING_LOSS,
                         "processes that are none, or too deep in others, left out", 1);
                    json_skip(firefox->json);
                } else {
                    read_process(firefox, depth + 1);
                }
        } else if (json_key_is(&key, "counters")) {
            read_counters(firefox, at);
        } else if (json_key_is(&key, "shared") && json_enter(firefox->json, '{')) {
            while (json_member(firefox->json, &key))
                read_tables_member(firefox, &firefox->processes.list[at].shared, &key, &none);
        } else {
            read_tables_member(firefox, &firefox->processes.list[at].shared, &key, &none);
        }
    }
}

/* ---- the whole ---- */

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct json_stream json = json_start(in);
    struct firefox firefox = {.builder = builder,
                              .json = &json,
                              .wants_beside =
                                  builder_wants_times(builder) && builder_wants_series(builder),
                              .by_line = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE};
    bool ok;

    if (!json_begin(&json, err))
        return false;
    read_process(&firefox, 0);
    builder_producer(builder, firefox.is_of_python ? "profiling.sampling, Python 3.15 or later"
                                                   : "Firefox Profiler");
    ok = firefox.threads.count ||
         error_set_at(err, input_offset(in), 0, "no thread of the file has samples");
    json_end(&json, builder_warnings(builder));
    ok = ok && firefox_build(&firefox, err);
    for (size_t i = 0; i < firefox.threads.count; i++)
        tables_free(&firefox.threads.list[i].tables);
    for (size_t i = 0; i < firefox.processes.count; i++)
        tables_free(&firefox.processes.list[i].shared);
    free(firefox.threads.list);
    free(firefox.processes.list);
    for (size_t i = 0; i < firefox.curves.count; i++)
        free(firefox.curves.list[i].samples.list);
    free(firefox.curves.list);
    free(firefox.counters.list);
    return ok;
}

/* What both forms say of themselves first; what comes before it may be long. */
static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {
        "meta",      "libs",         "shared",           "threads",      "pages",   "counters",
        "processes", "pausedRanges", "profilerOverhead", "profilingLog", "sources", NULL};

    if (!span_is_any(walk_first_key(head), first))
        return SNIFF_NO;
    if (span_find(head, SPAN("\"preprocessedProfileVersion\"")) != SIZE_MAX ||
        span_find(head, SPAN("\"processType\"")) != SIZE_MAX)
        return SNIFF_YES;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_firefox = {
    .name = "firefox",
    .title = "profiles of the Firefox Profiler",
    .summary = "the Firefox Profiler's JSON: Firefox, samply, perf script report gecko",
    .tried = "Gecko versions 20 to 36, processed versions 24 to 70",
    .omitted = "network, screenshots",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
