/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "parsers/parser.h"

struct formats_arguments {
    struct common common;
};

static const struct option options[] = {
    OPT_INCLUDE(struct formats_arguments, common, struct common, report_options),
    OPT_INCLUDE(struct formats_arguments, common, struct common, output_options),
    OPT_END,
};

typedef struct {
    const char *name, *level, *summary;
} row;

static const struct column columns[] = {
    TEXT_AT("name", name),
    TEXT_AT("level", level, .heading = "holds"),
    TEXT_AT("summary", summary, .heading = "written by"),
};

static bool run(char **argv, struct error *err)
{
    struct formats_arguments fields = {0};
    struct arena arena = {0};
    struct report report = {.command = "formats", .arena = &arena};
    struct table *table;
    uint32_t count = 0;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    if (operands)
        return error_set(err, ERROR_USAGE, "formats takes no operand: '%.100s'", argv[0]);
    while (parsers[count])
        count++;
    table = TABLE_BEGIN(&(struct table_context){.arena = &arena}, columns, count, "rows", NULL);
    for (uint32_t i = 0; i < count; i++)
        TABLE_ADD(table, parsers[i]->name, level_title(parsers[i]->level), parsers[i]->summary);
    report_table(&report, table);
    ok = report_output_write(&report, &fields.common, err);
    arena_free(&arena);
    return ok;
}

const struct command command_formats = {
    .name = "formats",
    .summary = "the formats that ptk reads",
    .operands = "",
    .examples = "ptk formats\n",
    .options = options,
    .run = run,
};
