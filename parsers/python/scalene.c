/* SPDX-License-Identifier: Apache-2.0 */
/* scalene.c — what Python's scalene writes with --json: shares of time by function, and once more by line
 *
 *     {"elapsed_time_sec": 1.67, "files": {"/srv/app.py": {"percent_cpu_time": 100.0,
 *      "functions": [{"line": "work", "lineno": 9, "n_cpu_percent_python": 24.7, "n_cpu_percent_c": 5.7,
 *                     "n_sys_percent": 1.6, "n_malloc_mb": 170.1}],
 *      "lines": [{"line": "    x = f(x)\n", "lineno": 12, ...}]}}}
 *
 * Percents are of the elapsed time. What the functions of a file leave of its share is the module's own code. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/json/json_sniff.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"

enum {
    NANO = 9,
    SHARE_DIGITS = 7,
    MB_DIGITS = 6,
    WHOLE = 1000000000 /* of a share with so many digits */
};
enum { TIME, PYTHON, NATIVE, SYSTEM, MEMORY, VALUES };

static const struct value_name values[VALUES] = {{LITERAL("time"), UNIT_NS},
                                                 {LITERAL("python"), UNIT_NS},
                                                 {LITERAL("native"), UNIT_NS},
                                                 {LITERAL("system"), UNIT_NS},
                                                 {LITERAL("allocated"), UNIT_BYTES}};

struct started {
    str_id name;
    int64_t line;
};

struct scalene {
    struct builder *builder;
    struct arena arena;
    bool by_line;
    int64_t elapsed;                            /* ns */
    struct frame frame;                         /* of the file */
    struct VECTOR_OF(struct started) functions; /* of the file */
    uint64_t rows;
};

static int64_t scaled(struct token row, struct span key, int scale)
{
    int64_t number;

    return token_scaled(walk_find(row, key), scale, &number) ? not_negative(number) : 0;
}

static int64_t share_time(const struct scalene *scalene, int64_t share)
{
    return checked_share(scalene->elapsed, share < WHOLE ? share : WHOLE, WHOLE);
}

static void give(struct scalene *scalene, const struct frame *frame, int64_t begins_at,
                 const int64_t *figures)
{
    struct callgraph_builder *builder = builder_callgraph(scalene->builder);
    uint32_t function =
        builder_function(builder, builder_frame_in(scalene->builder, frame, begins_at));

    builder_list(builder, function,
                 &(struct call_figures){UNKNOWN, UNKNOWN, figures[builder_value(scalene->builder)],
                                        UNKNOWN});
    if (builder_wants_all_values(scalene->builder))
        builder_list_values(builder, function, figures);
    scalene->rows++;
}

static void read_figures(const struct scalene *scalene, struct token row, int64_t *figures)
{
    static const struct span keys[] = {[PYTHON] = LITERAL("n_cpu_percent_python"),
                                       [NATIVE] = LITERAL("n_cpu_percent_c"),
                                       [SYSTEM] = LITERAL("n_sys_percent")};

    figures[TIME] = 0;
    for (int i = PYTHON; i <= SYSTEM; i++) {
        figures[i] = share_time(scalene, scaled(row, keys[i], SHARE_DIGITS));
        figures[TIME] = checked_add(figures[TIME], figures[i]);
    }
    figures[MEMORY] = checked_mul(scaled(row, SPAN("n_malloc_mb"), MB_DIGITS), 1 << 20) / 1000000;
}

static bool begins_before(const void *functions, uint32_t a, uint32_t b)
{
    const struct started *list = functions;

    return list[a].line < list[b].line;
}

/* A line that is not indented is the module's own; another one is of the function that began last. */
static void read_line(struct scalene *scalene, const struct started *functions, struct token row)
{
    struct span text = walk_text(row, SPAN("line"), &scalene->arena);
    int64_t line = scaled(row, SPAN("lineno"), 0), begins_at = 0, figures[VALUES];
    struct frame frame = scalene->frame;

    frame.name = builder_intern(scalene->builder, SPAN("<module>"));
    frame.line = line;
    if (text.len && is_space(*text.at)) {
        SEARCH(size_t, at, scalene->functions.count, functions[at].line <= line);

        if (at) {
            frame.name = functions[at - 1].name;
            begins_at = functions[at - 1].line;
        }
    }
    read_figures(scalene, row, figures);
    for (int i = 0; i < VALUES; i++)
        if (figures[i]) {
            give(scalene, &frame, begins_at, figures);
            return;
        }
}

static void read_lines(struct scalene *scalene, struct token file)
{
    struct json_walk lines = walk_into(walk_find(file, SPAN("lines")));
    size_t count = scalene->functions.count;
    struct arena kept = {0};
    const struct started *functions = sorted_copy(&kept, scalene->functions.list,
                                                  sizeof(*functions), count, count, begins_before);
    struct token row;

    while (walk_item(&lines, &row)) {
        read_line(scalene, functions, row);
        arena_clear(&scalene->arena);
    }
    arena_free(&kept);
}

static void read_file(struct scalene *scalene, struct span path, struct token file)
{
    struct json_walk functions = walk_into(walk_find(file, SPAN("functions")));
    int64_t rest[VALUES] = {share_time(scalene,
                                       scaled(file, SPAN("percent_cpu_time"), SHARE_DIGITS))},
            figures[VALUES];
    char room[PYTHON_MODULE_MAX];
    struct token row;

    scalene->frame =
        (struct frame){.file = builder_intern(scalene->builder, path),
                       .module = builder_intern(scalene->builder, python_module(path, room)),
                       .kind = KIND_PYTHON};
    scalene->functions.count = 0;
    while (walk_item(&functions, &row)) {
        struct frame frame = scalene->frame;

        frame.name =
            builder_intern(scalene->builder, walk_text(row, SPAN("line"), &scalene->arena));
        frame.line = scaled(row, SPAN("lineno"), 0);
        vector_add(&scalene->functions, (struct started){frame.name, frame.line});
        read_figures(scalene, row, figures);
        rest[TIME] = not_negative(checked_sub(rest[TIME], figures[TIME]));
        if (!scalene->by_line)
            give(scalene, &frame, 0, figures);
        arena_clear(&scalene->arena);
    }
    if (scalene->by_line)
        read_lines(scalene, file);
    else if (rest[TIME] > scalene->elapsed / 10000) { /* more than rounding */
        scalene->frame.name = builder_intern(scalene->builder, SPAN("<module>"));
        scalene->frame.line = 1;
        rest[PYTHON] = rest[TIME];
        give(scalene, &scalene->frame, 0, rest);
    }
}

/* The files may come before the elapsed time, which their shares need: they are kept until all is read. */
static bool read_document(struct scalene *scalene, struct json_stream *json, struct span *files,
                          struct arena *arena, struct error *err)
{
    struct json_key key;
    struct token value;

    if (!json_begin(json, err))
        return false;
    while (json_member(json, &key)) {
        bool is_taken = json_take(json, &value);

        if (is_taken && json_key_is(&key, "files"))
            *files =
                (struct span){arena_copy(arena, (struct span){value.at, value.len}), value.len};
        else if (is_taken && json_key_is(&key, "elapsed_time_sec") &&
                 !token_scaled(value, NANO, &scalene->elapsed))
            scalene->elapsed = 0;
        else if (is_taken && json_key_is(&key, "program"))
            builder_fact_text(scalene->builder, "program", token_raw_text(value));
    }
    json_end(json, builder_warnings(scalene->builder));
    scalene->elapsed = not_negative(scalene->elapsed);
    builder_known_fact(scalene->builder, FACT_DURATION, scalene->elapsed, UNIT_NS);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct scalene scalene = {.builder = builder};
    struct json_stream json = json_start(in);
    struct span files = {0}, path;
    struct arena kept = {0};
    struct json_walk walk;
    struct token file;
    bool ok;

    builder_producer(builder, "scalene");
    ok = read_document(&scalene, &json, &files, &kept, err) &&
         builder_begin(builder, LEVEL_FLAT, values, VALUES, TIME, err);
    scalene.by_line = ok && builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;
    walk = walk_into(token_of(files));
    while (ok && walk_member(&walk, &path, &file))
        read_file(&scalene, walk_key(path, &kept), file);
    if (ok && !scalene.rows)
        ok = error_set_at(err, input_offset(in), 0, "no function is in it");
    arena_free(&kept);
    arena_free(&scalene.arena);
    free(scalene.functions.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {
        "alloc_samples", "args",        "elapsed_time_sec", "entrypoint_dir", "filename", "files",
        "gpu",           "growth_rate", "program",          "samples",        "stacks",   NULL};
    static const char *const marks[] = {"\"n_cpu_percent_python\"", "\"elapsed_time_sec\"", NULL};

    return sniff_json(head, is_all, first, marks);
}

const struct parser parser_scalene = {
    .name = "scalene",
    .title = "scalene's JSON",
    .summary = "Python: scalene --json --outfile FILE: time in Python, native code and the system, "
               "and memory",
    .tried = "scalene 1.5",
    .omitted = "stacks, memory over time, the GPU",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
