/* SPDX-License-Identifier: Apache-2.0 */
/* pytorch.c — PyTorch's profilers: Kineto, and what was before it */
#include "base/checked.h"
#include "parsers/chrome/chrome.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/json/json.h"

/* ---- before Kineto: operators measured their device times, of which the innermost are work ---- */

/* What is before the event in its row becomes a range if it encloses it. */
static void added(struct sink *sink, const struct event *event, const struct added_event *added)
{
    struct added_event *here = &sink->rows.list[added->row].last_added;
    const struct added_event last = *here;

    *here = *added;
    here->flows = sink->flows.count;
    here->range =
        names_find(&sink->names, sink->builder, event->field[FIELD_NAME], KIND_OTHER)->frame;
    if (!last.range || last.start > added->start ||
        checked_add(last.start, last.duration) < checked_add(added->start, added->duration))
        return;
    builder_reassign(sink->timeline, last.event,
                     rows_find(&sink->rows, sink->builder, event->field[FIELD_PID],
                               event->field[FIELD_TID], ROW_RANGES),
                     last.range);
    flows_forget(&sink->flows, last.flows, last.start);
}

const struct producer producer_autograd = {.name = "PyTorch (before Kineto)", .added = added};

/* ---- Kineto: a rank of a job, with its groups ---- */

enum { MILLISECOND = 1000000 };
#define DAY ((int64_t)24 * 3600 * 1000000000)

/* Paddle's schema version is text. */
static void take_schema(struct sink *sink, struct token value)
{
    if (value.at[0] != '"')
        sink_announce(sink, &producer_pytorch);
}

static str_id text_of(struct sink *sink, struct token token)
{
    struct arena made = {0};
    str_id id = builder_intern(sink->builder, token_text(token_spaced(token, &made), &made));

    arena_free(&made);
    return id;
}

static void take_groups(struct sink *sink, struct token groups)
{
    struct json_walk walk = walk_into(groups);
    struct token group;

    while (walk_item(&walk, &group)) {
        struct token name = walk_find(group, SPAN("pg_name"));
        struct token ranks = walk_find(group, SPAN("ranks"));
        struct token use = walk_find(group, SPAN("pg_desc"));

        if (name.at && ranks.at)
            builder_group(sink->builder,
                          &(struct process_group){text_of(sink, name), text_of(sink, ranks),
                                                  use.at ? text_of(sink, use) : 0});
    }
}

static void take_distributed(struct sink *sink, struct token value)
{
    static const struct {
        struct span key;
        enum fact_id fact;
    } members[] = {{LITERAL("rank"), FACT_RANK}, {LITERAL("world_size"), FACT_WORLD_SIZE}};
    int64_t figure;

    for (size_t i = 0; i < COUNT_OF(members); i++) {
        struct token token = walk_find(value, members[i].key);

        if (token.at && token_integer(token, &figure))
            builder_known_fact(sink->builder, members[i].fact, figure, UNIT_COUNT);
    }
    take_groups(sink, walk_find(value, SPAN("pg_config")));
}

static void take_host(struct sink *sink, struct token value)
{
    struct arena made = {0};

    if (value.at[0] == '"')
        builder_known_text(sink->builder, FACT_HOSTNAME, token_text(value, &made));
    arena_free(&made);
}

static void take_base(struct sink *sink, struct token value)
{
    int64_t base;

    if (token_integer(value, &base))
        builder_origin(sink->timeline, base);
}

/* "Record Window End" stands at the end of time in some files. */
static bool is_stray(const struct event *event, int64_t start, int64_t first)
{
    return token_is(event->field[FIELD_NAME], SPAN("Record Window End")) && first != INT64_MAX &&
           checked_sub(start, first) > DAY;
}

static const struct producer_member members[] = {
    {LITERAL("schemaVersion"), take_schema},
    {LITERAL("distributedInfo"), take_distributed},
    {LITERAL("hostname"), take_host},
    {LITERAL("baseTimeNanoseconds"), take_base},
};
static const char *const categories[] = {"cpu_op", "cuda_runtime", "python_function", "ac2g", NULL};

const struct producer producer_pytorch = {
    .name = "PyTorch (Kineto)",
    .categories = categories,
    .members = members,
    .member_count = COUNT_OF(members),
    .is_stray = is_stray,
    .entering = MILLISECOND,
};
