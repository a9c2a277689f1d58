/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "parsers/parser.h"

static const struct option options[] = {
    OPT_ROWS(report_options),
    OPT_ROWS(output_options),
    OPT_END,
};

typedef struct {
    const char *name, *level, *summary, *tried, *omitted;
} row;

static const struct column columns[] = {
    TEXT_AT("name", name),
    TEXT_AT("level", level, .heading = "holds"),
    TEXT_AT("summary", summary, .heading = "written by"),
    TEXT_AT("tried", tried, .use = COLUMN_MACHINES),
    TEXT_AT("omitted", omitted, .use = COLUMN_MACHINES),
};

static bool list_formats(struct profile_request *request, struct error *err)
{
    struct report report = {.command = request->command, .arena = &request->arena};
    struct table *table;
    uint32_t count = 0;

    if (request->count)
        return error_set(err, ERROR_USAGE, "formats takes no operand: '%.100s'",
                         request->operands[0]);
    while (parsers[count])
        count++;
    table = TABLE_BEGIN(&(struct table_context){.arena = &request->arena}, columns, count, "rows",
                        NULL);
    for (uint32_t i = 0; i < count; i++)
        TABLE_ADD(table, parsers[i]->name, level_title(parsers[i]->level), parsers[i]->summary,
                  parsers[i]->tried, parsers[i]->omitted);
    report_beforef(&report, &request->arena, "ptk reads %" PRIu32 " formats.", count);
    report_table(&report, table);
    return report_output_write(&report, request->asked, err);
}

static const struct profile_command profile_command = {
    .size = sizeof(struct common),
    .answer = list_formats,
};

const struct command command_formats = {
    .name = "formats",
    .summary = "the formats that ptk reads",
    .operands = "",
    .examples = "ptk formats\n",
    .options = options,
    .profile = &profile_command,
};
