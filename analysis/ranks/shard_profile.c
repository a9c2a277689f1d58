/* SPDX-License-Identifier: Apache-2.0 */
/* A shard of a job as a profile: the device work of all its ranks by name, without times. What else is in it
 * is for those that read the shard itself. */
#include "analysis/ranks/shard_file.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/parser.h"

static int64_t whole(uint64_t sum)
{
    return sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
}

/* Rows of one name and kind, which differ in the stage, come one after the other. */
static void list_work(const struct job_shard *shard, struct builder *builder)
{
    struct callgraph_builder *functions = builder_callgraph(builder);

    for (uint32_t i = 0, end; i < shard->hot_count; i = end) {
        const struct shard_hot *first = &shard->hot[i];
        struct call_figures figures = {0};
        int64_t least = INT64_MAX, most = 0;
        uint32_t function = builder_function(
            functions,
            builder_frame(builder, &(struct frame){.name = builder_intern(
                                                       builder, shard_text(shard, first->name)),
                                                   .kind = (enum frame_kind)first->kind}));

        for (end = i; end < shard->hot_count && shard->hot[end].name == first->name &&
                      shard->hot[end].kind == first->kind;
             end++) {
            const struct distribution *events = &shard->hot[end].events;

            figures.calls = checked_add(figures.calls, whole(events->count));
            figures.self = checked_add(figures.self, whole(events->sum));
            least = events->least < least ? events->least : least;
            most = events->most > most ? events->most : most;
        }
        figures.primitive_calls = figures.calls;
        figures.cum = figures.self;
        builder_list(functions, function, &figures);
        builder_extremes(functions, function, least, most);
    }
}

static void note_fold(struct builder *builder, const char *what, uint64_t count)
{
    if (count)
        builder_fact(builder, what, whole(count), UNIT_COUNT);
}

static void note_facts(const struct job_shard *shard, struct builder *builder)
{
    struct idmap steps = {0}, hosts = {0};
    uint32_t world = 0, aligned = 0;
    int64_t collectives = 0, cut = 0;
    struct rank_folds folds = {0};

    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct rank_summary *summary = &shard->summaries[l];

        world = summary->world > world ? summary->world : world;
        cut += (summary->flags & RANK_TRUNCATED) != 0;
        collectives += summary->participation_count;
        folds.operations += summary->folds.operations;
        folds.collectives += summary->folds.collectives;
        folds.steps += summary->folds.steps;
        folds.names += summary->folds.names;
        *idmap_at(&hosts, summary->host) = 0;
        for (uint32_t s = 0; s < summary->step_count; s++)
            *idmap_at(&steps, (uint64_t)summary->step[s]) = 0;
    }
    for (uint32_t g = 0; g < shard->group_count; g++)
        aligned += shard->groups[g].is_aligned;
    builder_producer(builder, "ptk map");
    builder_fact(builder, "ranks", shard->summary_count, UNIT_COUNT);
    builder_known_fact(builder, FACT_WORLD_SIZE, world, UNIT_COUNT);
    builder_fact(builder, "hosts", (int64_t)hosts.count, UNIT_COUNT);
    builder_fact(builder, "steps", (int64_t)steps.count, UNIT_COUNT);
    builder_fact(builder, "process_groups", shard->group_count, UNIT_COUNT);
    builder_fact(builder, "sealed_groups", aligned, UNIT_COUNT);
    builder_fact(builder, "collectives", collectives, UNIT_COUNT);
    builder_fact(builder, "absences", shard->absence_count, UNIT_COUNT);
    if (cut)
        builder_fact(builder, "cut_traces", cut, UNIT_COUNT);
    note_fold(builder, "folded_operations", folds.operations);
    note_fold(builder, "folded_collectives", folds.collectives);
    note_fold(builder, "folded_steps", folds.steps);
    note_fold(builder, "folded_names", folds.names);
    if (shard->summary_count) {
        builder_fact(builder, "first_rank", shard->summaries[0].rank, UNIT_COUNT);
        builder_fact(builder, "last_rank", shard->summaries[shard->summary_count - 1].rank,
                     UNIT_COUNT);
    }
    idmap_free(&steps);
    idmap_free(&hosts);
}

bool shard_to_profile(const struct job_shard *shard, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};

    if (!builder_begin(builder, LEVEL_FLAT, values, 1, 0, err))
        return false;
    note_facts(shard, builder);
    list_work(shard, builder);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct job_shard shard = {0};
    bool ok = shard_read(in, &shard, err) && shard_to_profile(&shard, builder, err);

    job_shard_free(&shard);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    if (span_is_shard(head))
        return SNIFF_YES;
    return is_all || head.len >= SHARD_MAGIC_LEN ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_shard = {
    .name = "part",
    .title = "parts of jobs",
    .summary = "what ptk map and ptk reduce keep of a job's ranks: ptk job has more",
    .tried = "the version that this ptk writes",
    .omitted = "other versions: map again",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
