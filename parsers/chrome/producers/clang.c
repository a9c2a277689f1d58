/* SPDX-License-Identifier: Apache-2.0 */
/* clang.c — clang -ftime-trace: at the end it repeats what the events of one name add up to, and says
 * when it began */
#include "base/attr.h"
#include "parsers/chrome/event_sink.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/shared/json_value.h"

static void take_beginning(struct sink *sink, struct token value)
{
    int64_t began;

    sink_announce(sink, &producer_clang);
    if (token_scaled(value, 3, &began))
        builder_origin(sink->timeline, began);
}

static enum row_role role(const struct event *event)
{
    struct token args = event->field[FIELD_ARGS];
    bool is_total = !event->field[FIELD_CAT].at && args.at &&
                    span_starts(token_raw_text(event->field[FIELD_NAME]), SPAN("Total ")) &&
                    walk_find(args, SPAN("avg ms")).at;

    return is_total ? ROW_TOTALS : ROW_THREAD;
}

static const struct producer_member members[] = {{{"beginningOfTime", 15}, take_beginning}};

const struct producer producer_clang = {
    .name = "clang -ftime-trace",
    .members = members,
    .member_count = COUNT_OF(members),
    .role = role,
};
