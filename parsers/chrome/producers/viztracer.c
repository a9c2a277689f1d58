/* SPDX-License-Identifier: Apache-2.0 */
/* viztracer.c — VizTracer: functions of Python, as they are entered and left */
#include "base/attr.h"
#include "parsers/chrome/event_sink.h"
#include "parsers/chrome/producers/producers.h"

static void take_metadata(struct sink *sink, struct token value)
{
    (void)value;
    sink_announce(sink, &producer_viztracer);
}

static const struct producer_member members[] = {{{"viztracer_metadata", 18}, take_metadata}};
static const char *const categories[] = {"fee", "FEE", NULL};

const struct producer producer_viztracer = {
    .name = "VizTracer",
    .categories = categories,
    .members = members,
    .member_count = COUNT_OF(members),
};
