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
 * The debugger of Firefox before 80 exports the first form as "profile", with figures of its own beside it.
 *
 * https://github.com/firefox-devtools/profiler, docs-developer/ */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/firefox/firefox.h"
#include "parsers/json/json_sniff.h"
#include "parsers/parser.h"

/* A child's process stands in its parent's; more levels than browsers have. */
enum { PROCESS_DEPTH_MAX = 4, VERSION_KNOWN = 70 };

void firefox_warn(struct firefox *firefox, enum severity severity, const char *text, uint64_t times)
{
    warning_count_many(builder_warnings(firefox->builder), severity, text, times);
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
    if (firefox_is_table(key))
        firefox_read_table(firefox, tables, key, weight);
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
        firefox_warn(firefox, WARNING_LOSS, "threads that are none, left out", 1);
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
        firefox_warn(firefox, WARNING_LOSS, "threads that are none, left out", 1);
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
        firefox_warn(firefox, WARNING_NOTE,
                     "a newer version than ptk knows, read like those that it does", 1);
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

static void read_process(struct firefox *firefox, unsigned depth);

/* What a process has, in an object that has been entered; firefox->processes.list[at] is the process. */
static void read_process_members(struct firefox *firefox, uint32_t at, unsigned depth)
{
    enum firefox_value none;
    struct json_key key;

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
                    firefox_warn(firefox, WARNING_LOSS,
                                 "processes that are none, or too deep in others, left out", 1);
                    json_skip(firefox->json);
                } else {
                    read_process(firefox, depth + 1);
                }
        } else if (json_key_is(&key, "profile") && depth == 0 && json_enter(firefox->json, '{')) {
            read_process_members(firefox, at, 1); /* of an export, around what Firefox wrote */
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

static void read_process(struct firefox *firefox, unsigned depth)
{
    uint32_t at = (uint32_t)firefox->processes.count;

    vector_add(&firefox->processes, (struct firefox_process){.cpu_per_ns = 1});
    read_process_members(firefox, at, depth);
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
        "meta", "libs", "shared", "threads", "pages", "counters", "processes", "pausedRanges",
        "profilerOverhead", "profilingLog", "sources",
        /* of an export */
        "profile", "label", "duration", "markers", "frames", "memory", "ticks", "allocations",
        "configuration", "fileType", "version", NULL};
    static const char *const marks[] = {"\"preprocessedProfileVersion\"", "\"processType\"", NULL};

    return sniff_json(head, is_all, first, marks);
}

const struct parser parser_firefox = {
    .name = "firefox",
    .title = "profiles of the Firefox Profiler",
    .summary =
        "the Firefox Profiler's JSON: Firefox, its old exports, samply, perf script report gecko",
    .tried = "Gecko versions 9 and 20 to 36, processed versions 24 to 70",
    .omitted = "network, screenshots",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
