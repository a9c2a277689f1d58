/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/chrome_flows.h"

#include <stdlib.h>

#include "base/memory/grow.h"

static const enum row_role roles[] = {ROW_THREAD, ROW_STREAM};

static void add_flow(struct flows *flows, const struct flow *flow)
{
    flows->list = grow_one(flows->list, flows->count, &flows->cap, sizeof(*flows->list));
    flows->list[flows->count++] = *flow;
}

void flows_add(struct flows *flows, struct builder *builder, const struct event *event,
               const struct flow_point *point)
{
    struct flow flow = {.point = *point};

    flow.pid = builder_intern(builder, token_raw_text(event->field[FIELD_PID]));
    for (size_t r = 0; r < COUNT_OF(roles); r++)
        flow.tid[r] = builder_intern(
            builder, rows_thread(event->field[FIELD_PID], event->field[FIELD_TID], roles[r]));
    add_flow(flows, &flow);
}

void flows_bind(struct flows *flows, const struct flow_point *point)
{
    add_flow(flows, &(struct flow){.point = *point});
}

void flows_absorb(struct flows *flows, const struct flows *part, uint32_t first_event,
                  const str_id *texts)
{
    for (size_t i = 0; i < part->count; i++) {
        struct flow flow = part->list[i];

        if (flow.point.is_of_event)
            flow.point.event += first_event;
        flow.pid = texts[flow.pid];
        for (size_t r = 0; r < COUNT_OF(roles); r++)
            flow.tid[r] = texts[flow.tid[r]];
        add_flow(flows, &flow);
    }
}

static uint32_t find_row(const struct flow *flow, const struct rows *rows, struct builder *builder)
{
    uint32_t row = IDMAP_NONE;

    for (size_t r = 0; r < COUNT_OF(roles) && row == IDMAP_NONE; r++)
        row = rows_known(rows, builder_text(builder, flow->pid),
                         builder_text(builder, flow->tid[r]), roles[r]);
    return row;
}

void flows_finish(const struct flows *flows, const struct rows *rows, struct builder *builder)
{
    for (size_t i = 0; i < flows->count; i++) {
        struct flow_point point = flows->list[i].point;

        if (!point.is_of_event)
            point.track = find_row(&flows->list[i], rows, builder);
        if (point.track != IDMAP_NONE && !flows->list[i].is_forgotten)
            builder_flow(builder_timeline(builder), &point);
    }
}

void flows_forget(struct flows *flows, size_t count, int64_t time)
{
    struct flow *flow = count ? &flows->list[count - 1] : NULL;

    if (flow && !flow->point.is_start && flow->point.time == time)
        flow->is_forgotten = true;
}

void flows_free(struct flows *flows)
{
    free(flows->list);
    *flows = (struct flows){0};
}
