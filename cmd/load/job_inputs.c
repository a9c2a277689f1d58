/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of a job: traces, shard files and directories, read and joined as one shard. */
#include "cmd/load/job_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/job_shard.h"
#include "analysis/ranks/rank_summaries.h"
#include "analysis/ranks/shard_file.h"
#include "analysis/ranks/shard_join.h"
#include "base/io/io.h"
#include "base/memory/memory.h"
#include "cmd/help/messages.h"
#include "cmd/load/files.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/rank_files.h"
#include "cmd/load/share.h"
#include "cmd/options/common_options.h"
#include "graph/classify/job_names.h"
#include "render/writers/writer.h"

static const char *const prefer_names[] = {"none", "longest", NULL};

const struct option job_choice_options[] = {
    OPT_FLAG(0, "keep-going", struct job_choice, keeps_going,
             "leave out what cannot be read, with a warning"),
    OPT_CHOICE(0, "prefer", struct job_choice, prefers, "WHICH",
               "of several files of one rank take the longest, or refuse them [none]",
               prefer_names),
    OPT_TEXT(0, "job-of", struct job_choice, job_of, "RANK",
             "leave out ranks of jobs of another size than that of RANK"),
    OPT_END,
};

const struct option job_input_options[] = {
    OPT_TEXT(0, "layout", struct job_input_options, layout, "DP,PP,TP",
             "sizes of the dimensions, where the groups do not show them"),
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

/* Without what says how it is packed, so that summaries are the same however it is. */
static const char *plain_name(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');
    struct span name = span_of(slash ? slash + 1 : path);

    if (span_ends(name, SPAN(".gz")))
        name.len -= 3;
    else if (span_ends(name, SPAN(".zst")))
        name.len -= 4;
    return arena_copy(arena, name);
}

static void *make_summaries(const struct graph *graph, const void *context, size_t at,
                            struct arena *arena, struct error *err)
{
    const struct trace_context *traces = context;
    struct job_shard *shard = arena_alloc(arena, sizeof(*shard));
    const struct rank_summaries_options options = {
        .file = traces->name ? traces->name : plain_name(traces->paths[at], arena),
        .is_truncated = graph->source.is_cut,
        .rank = traces->rank,
        .place = (int64_t)at,
        .sizes = {traces->sizes[0], traces->sizes[1], traces->sizes[2]},
    };

    if (rank_summaries_make(graph, &options, shard, err))
        return shard;
    job_shard_free(shard);
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

static bool read_rank(const char *option, const char *text, int64_t *rank, struct error *err)
{
    uint64_t number;

    *rank = -1;
    if (!text)
        return true;
    if (!span_to_u64(span_of(text), &number) || number >= UINT32_MAX)
        return error_set(err, ERROR_USAGE, "--%s %s: a number is meant", option, text);
    *rank = (int64_t)number;
    return true;
}

static bool read_traces(struct job_inputs *inputs, char **paths, const bool *may_be_other,
                        size_t count, const struct job_input_options *options,
                        const struct common *common, struct error *err)
{
    const struct builder_options wanted = {
        .need = LEVEL_TIMELINE, .launches = true, .properties = rank_summaries_properties()};
    struct trace_context context = {.paths = paths, .name = options->name};
    const struct rank_reading reading = {.wanted = &wanted,
                                         .common = common,
                                         .what = "a job's ranks cannot be compared",
                                         .memory = options->memory,
                                         .digest = make_summaries,
                                         .context = &context,
                                         .may_be_other = may_be_other};

    inputs->files = grow_zeroed(count + 1, sizeof(*inputs->files));
    inputs->file_count = count;
    return read_layout(options->layout, context.sizes, err) &&
           read_rank("rank", options->rank, &context.rank, err) &&
           rank_files_read(inputs->files, paths, count, &reading, err);
}

/* ---- shards ---- */

/* Opens what begins as a shard. */
static bool open_shard(const char *path, struct input *in)
{
    struct error ignored = {0};

    if (strcmp(path, "-") == 0 || !input_open(in, path, &(struct input_options){0}, &ignored))
        return false;
    if (span_is_shard(input_peek(in, SHARD_MAGIC_LEN)))
        return true;
    input_close(in);
    return false;
}

/* ---- operands ---- */

struct operands {
    char **list;
    bool *may_be_other;
    size_t count;
};

/* The lines of a file. */
static bool read_list(struct job_inputs *inputs, const char *path, struct operands *operands,
                      struct error *err)
{
    struct input in;
    struct span line;
    size_t cap = operands->count;
    char **list = grow_to(NULL, cap + 1, sizeof(*list));

    memcpy(list, operands->list, operands->count * sizeof(*list));
    if (!input_open(&in, path, &(struct input_options){0}, err)) {
        free(list);
        return error_file(err, path);
    }
    while (input_line(&in, &line))
        if (line.len) {
            list = grow_one(list, operands->count, &cap, sizeof(*list));
            list[operands->count++] = arena_copy(&inputs->arena, line);
        }
    input_close(&in);
    operands->list = arena_array(&inputs->arena, operands->count + 1, sizeof(*list));
    memcpy(operands->list, list, operands->count * sizeof(*list));
    free(list);
    return true;
}

/* Those that a list names, too, and what is in directories; of all the share that is asked for. */
static bool take_operands(struct job_inputs *inputs, const struct job_input_options *options,
                          struct operands *operands, struct error *err)
{
    size_t first, end;

    if ((options->list && !read_list(inputs, options->list, operands, err)) ||
        !files_expand(&inputs->paths, operands->list, operands->count, err) ||
        !share_take(options->share, inputs->paths.count, &first, &end, err))
        return false;
    operands->list = (char **)inputs->paths.list + first;
    operands->count = end - first;
    operands->may_be_other =
        arena_array(&inputs->arena, operands->count + 1, sizeof(*operands->may_be_other));
    for (size_t i = 0; i < operands->count; i++)
        operands->may_be_other[i] =
            inputs->paths.is_found[first + i] || options->choice.keeps_going;
    return true;
}

/* Says why, and forgets it. */
static void pass_over(const char *path, struct error *why, const struct common *common)
{
    if (!common->is_quiet)
        message_note("%s is passed over: %s", path, why->text);
    *why = (struct error){0};
}

/* ---- all ---- */

struct job_shards {
    struct job_shard *list;
    size_t count;
};

/* Reads operands that are shards, and leaves those that are none in the list. */
static bool read_shards(struct job_inputs *inputs, struct operands *operands,
                        const struct job_input_options *options, const struct common *common,
                        struct job_shards *shards, struct error *err)
{
    struct graph *plain = arena_alloc(&inputs->arena, sizeof(*plain)); /* of all of them */
    size_t kept = 0;

    plain->source.format = "part";
    plain->source.format_title = "parts of jobs";
    for (size_t i = 0; i < operands->count; i++) {
        char *path = operands->list[i];
        struct job_shard *shard = &shards->list[shards->count];
        struct input in;
        bool is_open, ok;

        if (!options->takes_shards_alone && !open_shard(path, &in)) {
            operands->may_be_other[kept] = operands->may_be_other[i];
            operands->list[kept++] = path;
            continue;
        }
        is_open =
            !options->takes_shards_alone || input_open(&in, path, &(struct input_options){0}, err);
        ok = is_open && shard_read(&in, shard, err);
        if (is_open)
            input_close(&in);
        if (!ok) {
            job_shard_free(shard);
            if (!operands->may_be_other[i])
                return error_file(err, path);
            pass_over(path, err, common);
            continue;
        }
        inputs->inputs[shards->count++] = (struct report_input){path, plain};
    }
    operands->count = kept;
    return true;
}

/* Takes what was made of traces. */
static void gather_traces(struct job_inputs *inputs, const struct operands *operands,
                          const struct common *common, struct job_shards *shards)
{
    for (size_t i = 0; i < inputs->file_count; i++) {
        struct rank_file *file = &inputs->files[i];

        if (file->refused.kind)
            pass_over(operands->list[i], &file->refused, common);
        if (!file->digest)
            continue;
        inputs->inputs[shards->count] =
            (struct report_input){file->profile.path, &file->profile.graph};
        shards->list[shards->count++] = *(struct job_shard *)file->digest;
        *(struct job_shard *)file->digest = (struct job_shard){0};
    }
}

/* Empties what is left out, and says so. */
static bool choose_shards(struct job_inputs *inputs, struct job_shards *shards,
                          const struct job_choice *asked, const struct common *common,
                          struct error *err)
{
    static const char *const reasons[] = {
        [SHARD_SHORTER] = "another of its rank is longer",
        [SHARD_OF_OTHER_JOB] = "it is of a job of another size",
    };
    struct shard_choice choice = {.prefers_longest = asked->prefers == 1};
    enum shard_left_out *why = arena_array(&inputs->arena, shards->count + 1, sizeof(*why));

    if (!read_rank("job-of", asked->job_of, &choice.job_of, err) ||
        !shards_choose(shards->list, shards->count, &choice, why, err))
        return false;
    for (size_t i = 0; i < shards->count; i++)
        if (why[i] != SHARD_TAKEN && !common->is_quiet)
            message_note("%s is passed over: %s", inputs->inputs[i].path, reasons[why[i]]);
    return true;
}

static bool is_of_logs(const struct job_shard *shard)
{
    for (uint32_t i = 0; i < shard->summary_count; i++)
        if (!(shard->summaries[i].flags & RANK_LOG))
            return false;
    return shard->summary_count > 0;
}

/* Puts logs after all others, each in their order; how many others there are. */
static size_t put_logs_last(struct job_inputs *inputs, struct job_shards *shards)
{
    struct job_shard *list = grow_zeroed(shards->count + 1, sizeof(*list));
    struct report_input *sources = arena_array(&inputs->arena, shards->count + 1, sizeof(*sources));
    size_t others = 0, at = 0;

    for (size_t i = 0; i < shards->count; i++)
        others += !is_of_logs(&shards->list[i]);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < shards->count; i++)
            if (is_of_logs(&shards->list[i]) == (pass == 1)) {
                list[at] = shards->list[i];
                sources[at++] = inputs->inputs[i];
            }
    free(shards->list);
    shards->list = list;
    inputs->inputs = sources;
    return others;
}

static bool join_all(struct job_inputs *inputs, struct job_shards *shards,
                     const struct job_input_options *options, struct error *err)
{
    size_t at = 0, others = shards->count;

    inputs->count = (uint32_t)shards->count;
    if (options->splits_logs)
        others = put_logs_last(inputs, shards);
    if (others == 0)
        others = shards->count;
    if (!shards_join(shards->list, others, &inputs->shard, &at, err)) {
        for (size_t i = others; i < shards->count; i++)
            job_shard_free(&shards->list[i]);
        return error_file(err, inputs->inputs[at].path);
    }
    return others == shards->count ||
           shards_join(shards->list + others, shards->count - others, &inputs->logs, &at, err) ||
           error_file(err, inputs->inputs[others + at].path);
}

/* Whether shards can be read in the order in which they are joined: none is left out because of another, and
 * all can be read twice. */
static bool can_join_in_order(const struct operands *operands,
                              const struct job_input_options *options)
{
    for (size_t i = 0; i < operands->count; i++)
        if (strcmp(operands->list[i], "-") == 0)
            return false;
    return options->takes_shards_alone && !options->choice.prefers && !options->choice.job_of;
}

bool job_inputs_read(struct job_inputs *inputs, char **named, size_t count,
                     const struct job_input_options *options, const struct common *common,
                     struct error *err)
{
    struct operands operands = {.list = named, .count = count};
    struct job_shards shards = {0};
    bool ok;

    *inputs = (struct job_inputs){0};
    if (!count && !options->list && !options->may_be_empty) {
        error_set(err, ERROR_USAGE, "no traces are named");
        return error_hint(err, "name the ranks' files, or the directory that they are in");
    }
    if (!take_operands(inputs, options, &operands, err))
        return false;
    inputs->inputs = arena_array(&inputs->arena, operands.count + 1, sizeof(*inputs->inputs));
    shards.list = grow_zeroed(operands.count + 1, sizeof(*shards.list));
    if (can_join_in_order(&operands, options)) {
        free(shards.list);
        return shards_join_in_order(&inputs->shard, operands.list, operands.may_be_other,
                                    operands.count, common, err);
    }
    ok = read_shards(inputs, &operands, options, common, &shards, err) &&
         (!shards.count || (run_part_is_all(&common->part) && selection_is_all(&common->selection)) ||
          error_set(err, ERROR_USAGE, "a shard of a job holds sums: no part of them can be chosen")) &&
         (!operands.count || read_traces(inputs, operands.list, operands.may_be_other,
                                         operands.count, options, common, err));
    if (ok)
        gather_traces(inputs, &operands, common, &shards);
    ok = ok && choose_shards(inputs, &shards, &options->choice, common, err);
    if (ok) {
        ok = join_all(inputs, &shards, options, err);
    } else {
        for (size_t i = 0; i < shards.count; i++)
            job_shard_free(&shards.list[i]);
    }
    free(shards.list);
    if (!ok || inputs->shard.summary_count || options->may_be_empty)
        return ok;
    error_set(err, ERROR_INPUT, "no rank's trace is among %zu files", inputs->paths.count);
    return error_hint(err, "name the ranks' traces, or the folder that they are in");
}

void job_inputs_free(struct job_inputs *inputs)
{
    for (size_t i = 0; i < inputs->file_count; i++)
        if (inputs->files[i].digest)
            job_shard_free(inputs->files[i].digest);
    if (inputs->files)
        rank_files_free(inputs->files, inputs->file_count);
    free(inputs->files);
    job_shard_free(&inputs->shard);
    job_shard_free(&inputs->logs);
    files_free(&inputs->paths);
    arena_free(&inputs->arena);
}

bool is_shard_among(char **paths, size_t count)
{
    struct input in;

    for (size_t i = 0; i < count; i++)
        if (open_shard(paths[i], &in)) {
            input_close(&in);
            return true;
        }
    return false;
}
