/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a job as a profile: the device work of all its ranks by name, without times. What else is in it
 * is for those that read the part itself. */
#include "analysis/ranks/part_file.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/parser.h"

static int64_t whole(uint64_t sum)
{
    return sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
}

/* Rows of one name and kind, which differ in the stage, come one after the other. */
static void list_work(const struct job_part *part, struct builder *builder)
{
    struct callgraph_builder *functions = builder_callgraph(builder);

    for (uint32_t i = 0, end; i < part->hot_count; i = end) {
        const struct part_hot *first = &part->hot[i];
        struct call_figures figures = {0};
        int64_t least = INT64_MAX, most = 0;
        uint32_t function = builder_function(
            functions,
            builder_frame(builder, &(struct frame){.name = builder_intern(
                                                       builder, part_text(part, first->name)),
                                                   .kind = (enum frame_kind)first->kind}));

        for (end = i; end < part->hot_count && part->hot[end].name == first->name &&
                      part->hot[end].kind == first->kind;
             end++) {
            const struct distribution *events = &part->hot[end].events;

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

static void say_fold(struct builder *builder, const char *what, uint64_t count)
{
    if (count)
        builder_fact(builder, what, whole(count), UNIT_COUNT);
}

static void say_facts(const struct job_part *part, struct builder *builder)
{
    struct idmap steps = {0}, hosts = {0};
    uint32_t world = 0, sealed = 0;
    int64_t collectives = 0, cut = 0;
    struct leaf_folds folds = {0};

    for (uint32_t l = 0; l < part->leaf_count; l++) {
        const struct part_leaf *leaf = &part->leaves[l];

        world = leaf->world > world ? leaf->world : world;
        cut += (leaf->flags & LEAF_TRUNCATED) != 0;
        collectives += leaf->join_count;
        folds.operations += leaf->folds.operations;
        folds.collectives += leaf->folds.collectives;
        folds.steps += leaf->folds.steps;
        folds.names += leaf->folds.names;
        *idmap_at(&hosts, leaf->host) = 0;
        for (uint32_t s = 0; s < leaf->step_count; s++)
            *idmap_at(&steps, (uint64_t)leaf->step[s]) = 0;
    }
    for (uint32_t g = 0; g < part->group_count; g++)
        sealed += part->groups[g].is_sealed;
    builder_producer(builder, "ptk map");
    builder_fact(builder, "ranks", part->leaf_count, UNIT_COUNT);
    builder_known_fact(builder, FACT_WORLD_SIZE, world, UNIT_COUNT);
    builder_fact(builder, "hosts", (int64_t)hosts.count, UNIT_COUNT);
    builder_fact(builder, "steps", (int64_t)steps.count, UNIT_COUNT);
    builder_fact(builder, "process_groups", part->group_count, UNIT_COUNT);
    builder_fact(builder, "sealed_groups", sealed, UNIT_COUNT);
    builder_fact(builder, "collectives", collectives, UNIT_COUNT);
    builder_fact(builder, "absences", part->absence_count, UNIT_COUNT);
    if (cut)
        builder_fact(builder, "cut_traces", cut, UNIT_COUNT);
    say_fold(builder, "folded_operations", folds.operations);
    say_fold(builder, "folded_collectives", folds.collectives);
    say_fold(builder, "folded_steps", folds.steps);
    say_fold(builder, "folded_names", folds.names);
    if (part->leaf_count) {
        builder_fact(builder, "first_rank", part->leaves[0].rank, UNIT_COUNT);
        builder_fact(builder, "last_rank", part->leaves[part->leaf_count - 1].rank, UNIT_COUNT);
    }
    idmap_free(&steps);
    idmap_free(&hosts);
}

bool part_tell(const struct job_part *part, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};

    if (!builder_begin(builder, LEVEL_FLAT, values, 1, 0, err))
        return false;
    say_facts(part, builder);
    list_work(part, builder);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct job_part part = {0};
    bool ok = part_read(in, &part, err) && part_tell(&part, builder, err);

    job_part_free(&part);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    if (part_is_one(head))
        return SNIFF_YES;
    return is_all || head.len >= PART_MAGIC_LEN ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_part = {
    .name = "part",
    .title = "parts of jobs",
    .summary = "what ptk map and ptk reduce keep of a job's ranks: ptk job tells more",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
