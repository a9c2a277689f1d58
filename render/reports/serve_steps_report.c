/* SPDX-License-Identifier: Apache-2.0 */
/* serve_steps_report.c — for machines: each step of serving, and how many took how long */
#include "render/reports/serve_parts.h"

#include "render/reports/report_columns.h"

void serve_steps_table(const struct serve *serve, const struct table_context *context,
                       struct report *report)
{
    typedef struct {
        uint32_t index, thread, pieces;
        struct span label, stage;
        int64_t prompts, generations, prompt_tokens, generation_tokens, tokens, padded;
        int64_t start, host, first, last, busy, forward, period, gap;
        int64_t c_sk, c_sqsq, c_sqsk, g_sk, g_sqsq, g_sqsk;
        bool recomputing, has_graph;
        frame_id owner;
    } row;
    static const struct column columns[] = {
        COUNT_AT("index", index),
        COUNT_AT("thread", thread),
        TEXT_AT("label", label),
        TEXT_AT("stage", stage),
        COUNT_AT("prompts", prompts),
        COUNT_AT("generations", generations),
        COUNT_AT("prompt_tokens", prompt_tokens),
        COUNT_AT("generation_tokens", generation_tokens),
        COUNT_AT("tokens", tokens),
        COUNT_AT("padded", padded),
        COUNT_AT("prompt_keys", c_sk),
        COUNT_AT("prompt_queries_squared", c_sqsq),
        COUNT_AT("prompt_query_keys", c_sqsk),
        COUNT_AT("generation_keys", g_sk),
        COUNT_AT("generation_queries_squared", g_sqsq),
        COUNT_AT("generation_query_keys", g_sqsk),
        TIME_AT("host_start", start),
        TIME_AT("host_time", host),
        TIME_AT("start", first),
        TIME_AT("end", last),
        TIME_AT("busy", busy),
        TIME_AT("forward_busy", forward),
        TIME_AT("period", period),
        TIME_AT("gap", gap),
        TEXT_BY(cell_frame_name, "gap_owner", owner),
        COUNT_AT("pieces", pieces),
        FLAG_AT("has_graph", has_graph),
        FLAG_AT("recomputing", recomputing),
    };
    const struct serving_steps *steps = &serve->steps;
    struct table *table = TABLE_BEGIN(context, columns, steps->count, "steps_of_run", NULL);

    table->use = COLUMN_MACHINES;
    for (uint32_t i = 0; i < steps->count; i++) {
        const struct serving_step *of = &steps->list[i];
        const struct step_sums *c = &of->label->prompt, *g = &of->label->generation;
        uint32_t next = serving_step_after(steps, i);
        int64_t period =
            next == NO_STEP || of->first == UNKNOWN || steps->list[next].first == UNKNOWN
                ? TABLE_NULL
                : steps->list[next].first - of->first;
        int64_t gap = serve->gaps.after[i];
        bool sums = of->label->has_sums;

        TABLE_ADD(
            table, .index = i - steps->threads[of->thread].first, .thread = of->thread,
            .pieces = of->pieces,
            .label = of->labelled ? graph_text(context->graph,
                                               graph_frame(context->graph, of->labelled)->name)
                                  : NO_TEXT,
            .stage = serving_step_stage(of), .prompts = known_figure(of->label->prompts),
            .generations = known_figure(of->label->generations),
            .prompt_tokens = known_figure(of->label->prompt_tokens),
            .generation_tokens = known_figure(of->label->generation_tokens),
            .tokens = known_figure(of->label->tokens), .padded = known_figure(of->label->padded),
            .c_sk = sums ? c->keys : TABLE_NULL, .c_sqsq = sums ? c->queries_squared : TABLE_NULL,
            .c_sqsk = sums ? c->query_keys : TABLE_NULL, .g_sk = sums ? g->keys : TABLE_NULL,
            .g_sqsq = sums ? g->queries_squared : TABLE_NULL,
            .g_sqsk = sums ? g->query_keys : TABLE_NULL, .start = of->start,
            .host = of->end - of->start, .first = known_figure(of->first),
            .last = known_figure(of->last), .busy = of->busy, .forward = of->forward,
            .period = period, .gap = gap > 0 ? gap : TABLE_NULL,
            .owner = gap > 0 && serve->gaps.owner_count
                         ? serve->gaps.owners[serve->gaps.owner[i]].frame
                         : 0,
            .recomputing = of->is_recomputing, .has_graph = of->graph_pieces > 0);
    }
    report_table(report, table);
}

void serve_histogram(const struct serve *serve, const struct table_context *context,
                     struct report *report)
{
    typedef struct {
        struct span stage;
        const char *of;
        int64_t from;
        uint32_t steps;
    } row;
    static const struct column columns[] = {TEXT_AT("stage", stage), TEXT_AT("of", of),
                                            TIME_AT("from", from), COUNT_AT("steps", steps)};
    uint32_t room = 0;
    struct table *table;

    for (uint32_t i = 0; i < serve->stage_count; i++)
        room += serve->stages[i].busy.bin_count + serve->stages[i].period.bin_count;
    table = TABLE_BEGIN(context, columns, room, "histogram", NULL);
    table->use = COLUMN_MACHINES;
    for (uint32_t i = 0; i < serve->stage_count; i++)
        for (int of = 0; of < 2; of++) {
            const struct serve_spread *spread =
                of ? &serve->stages[i].period : &serve->stages[i].busy;

            for (uint32_t k = 0; k < spread->bin_count; k++)
                TABLE_ADD(table, serve->stages[i].name, of ? "period" : "busy",
                          spread->bins[k].from, spread->bins[k].steps);
        }
    report_table(report, table);
}
