/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope.c — what speedscope saves, and many write for it: py-spy, pyinstrument, rbspy, ptk
 *
 *     {"$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "py-spy",
 *      "shared": {"frames": [{"name": "f", "file": "m.py", "line": 3}]}, "profiles": [...]}
 *
 * https://www.speedscope.app/file-format-schema.json */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/json/json_sniff.h"
#include "parsers/parser.h"
#include "parsers/speedscope/speedscope_document.h"
#include "parsers/stacks/language_names.h"

/* ---- frames ---- */

static struct frame read_frame(struct document *document, struct token described)
{
    struct arena arena = {0};
    struct frame frame = {.kind = KIND_HOST};
    struct span file = walk_text(described, SPAN("file"), &arena);
    struct token line = walk_find(described, SPAN("line"));
    char room[PYTHON_MODULE_MAX];

    frame.name = builder_intern(document->builder, walk_text(described, SPAN("name"), &arena));
    frame.file = builder_intern(document->builder, file);
    if (!line.at || !token_integer(line, &frame.line) || frame.line < 0)
        frame.line = 0;
    if (python_is_file(file)) {
        frame.kind = KIND_PYTHON;
        frame.module = builder_intern(document->builder, python_module(file, room));
    }
    arena_free(&arena);
    return frame;
}

static void read_shared(struct document *document)
{
    struct json_key key;
    struct token frame;

    if (!json_open(&document->json, '{'))
        return;
    while (json_member(&document->json, &key))
        if (json_key_is(&key, "frames") && json_enter(&document->json, '['))
            while (json_item(&document->json) && json_take(&document->json, &frame))
                vector_add(&document->frames, read_frame(document, frame));
        else
            json_skip(&document->json);
}

/* ---- the whole ---- */

static bool read_document(struct document *document, struct error *err)
{
    struct json_key key;
    struct token value;
    struct span exporter;

    if (!json_begin(&document->json, err))
        return false;
    while (json_member(&document->json, &key)) {
        if (json_key_is(&key, "shared"))
            read_shared(document);
        else if (json_key_is(&key, "profiles") && json_enter(&document->json, '['))
            while (json_item(&document->json))
                profile_read(document);
        else if (json_key_is(&key, "exporter") && json_take(&document->json, &value)) {
            exporter = token_raw_text(value);
            document->is_own = span_eq(exporter, SPAN("ptk"));
            builder_producer(document->builder, "%.*s",
                             (int)(exporter.len < 100 ? exporter.len : 100), exporter.at);
        } else if (!json_key_is(&key, "activeProfileIndex"))
            json_skip(&document->json);
        else if (json_take(&document->json, &value) && !token_integer(value, &document->active))
            document->active = 0;
    }
    if (!document->threads.count)
        return error_set_at(err, input_offset(document->json.in), 0, "no profile in the file");
    json_end(&document->json, builder_warnings(document->builder));
    return true;
}

/* A thread is a root where there are several. */
static frame_id *thread_frames(struct document *document)
{
    frame_id *frames = grow_zeroed(document->threads.count, sizeof(*frames));

    for (size_t i = 0; i < document->threads.count; i++) {
        const struct scope_thread *thread = &document->threads.list[i];

        if (document->values[thread->value].profiles > 1 && thread->name)
            frames[i] = builder_frame(document->builder,
                                      &(struct frame){.name = thread->name, .kind = KIND_OTHER});
    }
    return frames;
}

/* What ptk wrote has the lines that it knew. */
static frame_id *frame_ids(struct document *document)
{
    frame_id *ids = grow_zeroed(document->frames.count, sizeof(*ids));

    if (!document->is_own)
        python_frames_give(document->builder, document->frames.list, document->frames.count,
                           PYTHON_LINES_TO_TELL, ids);
    else
        for (size_t i = 0; i < document->frames.count; i++)
            ids[i] = builder_frame(document->builder, &document->frames.list[i]);
    return ids;
}

/* A track for each thread, and the events that what it was in means. */
static void fill_timeline(struct document *document, const struct stack_names *names)
{
    struct sampled *sampled = &document->sampled;
    struct sampled_budget budget =
        sampled_budget(sampled->samples.count, input_bytes_read(document->json.in));

    for (size_t i = 0; i < document->threads.count; i++)
        builder_track(builder_timeline(document->builder),
                      &(struct track){.name = document->threads.list[i].name,
                                      .kind = TRACK_SAMPLES,
                                      .device = -1});
    (void)sampled_node(sampled, 0); /* the root of all, as nodes count from 1 */
    for (size_t i = 0; i < document->tree.nodes.count; i++) {
        const struct stack_node *node = &document->tree.nodes.list[i];
        uint32_t at = sampled_node(sampled, i + 1);

        sampled->nodes.list[at].frame = node->is_thread ? 0 : stack_names_frame(names, node);
        sampled->nodes.list[at].parent = node->parent ? node->parent : NO_STACK;
    }
    sampled_emit(sampled, document->builder, INT64_MIN, &budget);
    sampled_warn(&budget, document->builder);
}

/* The thread's frame alone, then its samples. */
static void add_stacks(struct document *document, const struct scope_thread *thread,
                       const struct stack_names *names, frame_id root)
{
    struct stack_builder *builder = builder_stacks(document->builder);
    bool has_nodes = document->tree.nodes.count > 0;

    if (root) {
        struct stack_list alone = {0};

        stack_list_give(&alone, stack_list_end(&alone, 0), names, root, thread->value, has_nodes,
                        builder);
        stack_list_free(&alone);
    }
    for (size_t i = 0; i < thread->stack_count; i++)
        stack_list_give(&document->stacks, thread->first_stack + i, names, root, thread->value,
                        has_nodes, builder);
}

static bool build(struct document *document, struct error *err)
{
    bool is_timeline = document->sampled.samples.count > 0;
    struct value_name values[VALUES_MAX];
    size_t active = document->active >= 0 && (uint64_t)document->active < document->threads.count
                        ? (size_t)document->active
                        : 0;

    for (uint32_t i = 0; i < document->value_count; i++)
        values[i] = (struct value_name){builder_text(document->builder, document->values[i].name),
                                        document->values[i].unit};
    if (is_timeline
            ? !builder_begin_timeline(document->builder, err)
            : !builder_begin(document->builder, LEVEL_CALLTREE, values, document->value_count,
                             document->threads.list[active].value, err))
        return false;
    struct frame unknown = {.name = builder_intern(document->builder, SPAN("[unknown]")),
                            .kind = KIND_OTHER};
    frame_id *frames = frame_ids(document), *threads = thread_frames(document);
    struct stack_names names = {frames, threads, document->frames.count,
                                builder_frame(document->builder, &unknown)};

    if (is_timeline)
        fill_timeline(document, &names);
    else
        stack_tree_finish(&document->tree, &names, builder_stacks(document->builder));
    for (size_t i = 0; i < document->threads.count; i++)
        if (document->threads.list[i].has_stacks)
            add_stacks(document, &document->threads.list[i], &names, threads[i]);
    if (document->samples && !document->is_own) /* there every value has its own */
        builder_fact(document->builder, "samples", (int64_t)document->samples, UNIT_COUNT);
    if (document->last > document->first && !document->is_own)
        builder_known_fact(document->builder, FACT_WALL_TIME,
                           checked_sub(document->last, document->first), UNIT_NS);
    free(frames);
    free(threads);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct document document = {.builder = builder,
                                .json = json_start(in),
                                .first = INT64_MAX,
                                .last = INT64_MIN,
                                .wants_times = builder_wants_times(builder)};
    bool ok = read_document(&document, err) && build(&document, err);

    free(document.threads.list);
    free(document.frames.list);
    stack_list_free(&document.stacks);
    stack_tree_free(&document.tree);
    sampled_free(&document.sampled);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {"$schema", "version",  "exporter",          "name",
                                        "shared",  "profiles", "activeProfileIndex", NULL};
    static const char *const marks[] = {"speedscope.app/file-format-schema", NULL};

    return sniff_json(head, is_all, first, marks);
}

const struct parser parser_speedscope = {
    .name = "speedscope",
    .title = "speedscope files",
    .summary = "speedscope, py-spy -f speedscope, pyinstrument, rbspy, what ptk itself converts",
    .tried = "0.0.1 of its schema",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
