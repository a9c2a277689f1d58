/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of kernels that recur, and what fusing each would save at most. */
#include "render/reports/reports.h"

#include "analysis/timeline/kernel_sequences.h"
#include "base/text/format.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

enum { NAMES_SHOWN = 6 };

/* "mul bf16 > add bf16 > 3 more": the short names, for machines all of them. */
static const char *names_text(const struct graph *graph, const struct kernel_sequence *sequence, int64_t most,
                              struct arena *arena)
{
    const char *text = "";

    for (int64_t i = 0; i < sequence->kernels && i < most; i++) {
        struct span name = graph_short_name(graph, sequence->frames[i]);

        text = arena_printf(arena, "%s%s%.*s", text, i ? " > " : "", (int)name.len, name.at);
    }
    return sequence->kernels > most
               ? arena_printf(arena, "%s > %lld more", text, (long long)(sequence->kernels - most))
               : text;
}

void kernel_sequences_report(const struct kernel_sequences *sequences, uint32_t limit, struct arena *arena,
                             struct report *report)
{
    typedef struct {
        struct kernel_sequence of;
        const char *shown;
        struct span owner_shown;
    } row;
    static const struct column columns[] = {
        COUNT_AT("count", of.count),
        COUNT_AT("kernels", of.kernels),
        TIME_AT("time", of.time),
        TIME_AT("gaps", of.gaps),
        TIME_AT("saving_most", of.most, .heading = "saves at most"),
        TEXT_BY(cell_frame_name, "operator", of.owner, FOR_MACHINES),
        TEXT_AT("under", owner_shown, FOR_PEOPLE),
        TEXT_AT("sequence", shown),
    };
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = {.arena = arena, .graph = graph};
    uint32_t shown = limit_rows(sequences->count, limit);
    struct table *table = TABLE_BEGIN(&context, columns, shown, "sequences",
                                      "Kernels that recur in one order under an operator: what one kernel in their "
                                      "place saves at most of the stream's time");

    for (uint32_t i = 0; i < shown; i++)
        TABLE_ADD(table, sequences->list[i], names_text(graph, &sequences->list[i], NAMES_SHOWN, arena),
                  graph_short_name(graph, sequences->list[i].owner));
    report_number(report, "sequences_saving_most", sequences->most);
    report_table(report, table);
    if (!sequences->count)
        report_after(report, "No sequence of kernels recurs under an operator.");
    else if (shown < sequences->count)
        report_afterf(report, arena, "%s. Use -n 0 to see all.",
                      format_many(arena, sequences->count - shown, "more sequence"));
}
