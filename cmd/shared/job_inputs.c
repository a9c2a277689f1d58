#include "cmd/shared/job_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/job/leaves.h"
#include "analysis/job/part_join.h"
#include "base/memory/grow.h"
#include "cmd/shared/messages.h"
#include "graph/classify/parallel_dimension.h"

const struct option job_input_options[] = {
    OPT_TEXT(0, "layout", struct job_input_options, layout, "DP,PP,TP",
             "sizes of the dimensions, where the groups do not tell"),
    OPT_FLAG(0, "keep-going", struct job_input_options, keeps_going,
             "leave out what cannot be read, with a warning"),
    RANK_MEMORY_OPTION(struct job_input_options, memory),
    OPT_END,
};

/* ---- traces ---- */

struct trace_context {
    char **paths;
    const char *name;
    int64_t rank;
    uint32_t sizes[3];
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Without what says how it is packed, so that leaves are the same however it is. */
static const char *plain_name(const char *path, struct arena *arena)
{
    struct span name = span_of(base_name(path));

    if (span_ends(name, SPAN(".gz")))
        name.len -= 3;
    else if (span_ends(name, SPAN(".zst")))
        name.len -= 4;
    return arena_copy(arena, name);
}

static void *make_leaves(const struct graph *graph, const void *context, size_t at,
                         struct arena *arena, struct error *err)
{
    const struct trace_context *traces = context;
    struct job_part *part = arena_alloc(arena, sizeof(*part));
    const struct leaves_options options = {
        .file = traces->name ? traces->name : plain_name(traces->paths[at], arena),
        .is_truncated = graph->is_cut,
        .rank = traces->rank,
        .place = (int64_t)at,
        .sizes = {traces->sizes[0], traces->sizes[1], traces->sizes[2]},
    };

    if (leaves_make(graph, &options, part, err))
        return part;
    job_part_free(part);
    return NULL;
}

static bool read_layout(const char *text, uint32_t sizes[3], struct error *err)
{
    static const enum parallel_dimension order[] = {DIMENSION_DATA, DIMENSION_PIPELINE,
                                                    DIMENSION_TENSOR};
    struct span rest = span_of(text ? text : "");
    uint64_t size;

    for (int i = 0; i < 3 && text; i++) {
        if (!span_to_u64(span_split(&rest, ','), &size) || size == 0 || size > UINT16_MAX) {
            error_set(err, ERROR_USAGE, "--layout %s: three sizes are meant", text);
            return error_hint(err, "for example --layout 4,2,2: data, pipeline, tensor");
        }
        sizes[order[i]] = (uint32_t)size;
    }
    return true;
}

static bool read_rank(const char *text, int64_t *rank, struct error *err)
{
    uint64_t number;

    *rank = -1;
    if (!text)
        return true;
    if (!span_to_u64(span_of(text), &number) || number >= UINT32_MAX)
        return error_set(err, ERROR_USAGE, "--rank %s: a number is meant", text);
    *rank = (int64_t)number;
    return true;
}

static bool read_traces(struct job_inputs *inputs, char **paths, const bool *may_be_other,
                        size_t count, const struct job_input_options *options,
                        const struct common *common, struct error *err)
{
    const struct builder_options wanted = {
        .need = LEVEL_TIMELINE, .launches = true, .properties = leaves_properties()};
    struct trace_context context = {.paths = paths, .name = options->name};
    const struct rank_reading reading = {.wanted = &wanted,
                                         .common = common,
                                         .what = "a job's ranks cannot be compared",
                                         .memory = options->memory,
                                         .digest = make_leaves,
                                         .context = &context,
                                         .may_be_other = may_be_other};

    inputs->files = grow_zeroed(count + 1, sizeof(*inputs->files));
    inputs->file_count = count;
    return read_layout(options->layout, context.sizes, err) &&
           read_rank(options->rank, &context.rank, err) &&
           rank_files_read(inputs->files, paths, count, &reading, err);
}

/* ---- all ---- */

static void pass_over(struct job_inputs *inputs, const struct common *common)
{
    for (size_t i = 0; i < inputs->file_count; i++)
        if (inputs->files[i].refused.kind && !common->is_quiet)
            message_note("%s is passed over: %s", inputs->paths.list[i],
                         inputs->files[i].refused.text);
}

static bool join_all(struct job_inputs *inputs, struct error *err)
{
    struct job_part *parts = grow_zeroed(inputs->file_count + 1, sizeof(*parts));
    size_t count = 0, at = 0;
    bool ok;

    inputs->inputs = arena_array(&inputs->arena, inputs->file_count + 1, sizeof(*inputs->inputs));
    for (size_t i = 0; i < inputs->file_count; i++) {
        struct rank_file *file = &inputs->files[i];

        if (!file->digest)
            continue;
        parts[count] = *(struct job_part *)file->digest;
        *(struct job_part *)file->digest = (struct job_part){0};
        inputs->inputs[count++] = (struct report_input){file->profile.path, &file->profile.graph};
    }
    inputs->count = (uint32_t)count;
    ok = parts_join(parts, count, &inputs->part, &at, err) ||
         error_file(err, inputs->inputs[at].path);
    free(parts);
    return ok;
}

bool job_inputs_read(struct job_inputs *inputs, char **operands, size_t count,
                     const struct job_input_options *options, const struct common *common,
                     struct error *err)
{
    bool *may_be_other;
    bool ok;

    *inputs = (struct job_inputs){0};
    if (!count) {
        error_set(err, ERROR_USAGE, "no traces are named");
        return error_hint(err, "name the ranks' files, or the directory that they are in");
    }
    if (!files_expand(&inputs->paths, operands, count, err))
        return false;
    may_be_other = arena_array(&inputs->arena, inputs->paths.count + 1, sizeof(*may_be_other));
    for (size_t i = 0; i < inputs->paths.count; i++)
        may_be_other[i] = inputs->paths.is_found[i] || options->keeps_going;
    ok = read_traces(inputs, (char **)inputs->paths.list, may_be_other, inputs->paths.count,
                     options, common, err);
    if (!ok)
        return false;
    pass_over(inputs, common);
    if (!join_all(inputs, err))
        return false;
    if (!inputs->part.leaf_count)
        return error_set(err, ERROR_INPUT, "no rank's trace is among %zu files",
                         inputs->paths.count);
    return true;
}

void job_inputs_free(struct job_inputs *inputs)
{
    for (size_t i = 0; i < inputs->file_count; i++)
        if (inputs->files[i].digest)
            job_part_free(inputs->files[i].digest);
    if (inputs->files)
        rank_files_free(inputs->files, inputs->file_count);
    free(inputs->files);
    job_part_free(&inputs->part);
    files_free(&inputs->paths);
    arena_free(&inputs->arena);
}
