#include "render/reports/inventory_tables.h"

static const struct column track_columns[] = {
    {.key = "track", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "process", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "kind", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "device", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "events", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "lanes", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "busy", .kind = CELL_VALUE, .unit = UNIT_NS, .use = COLUMN_ALL},
    {.key = "busy_share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL},
};

static void add_tracks(const struct inventory *inventory, const struct graph *graph,
                       struct arena *arena, struct report *report)
{
    struct table *table = arena_alloc(arena, sizeof(*table));

    table_init(table, arena, track_columns, COUNT_OF(track_columns), inventory->track_count);
    table->key = "tracks";
    for (uint32_t i = 0; i < inventory->track_count; i++) {
        const struct track_use *use = &inventory->tracks[i];
        const struct track *track = &graph->timeline.tracks[use->track];
        struct row_writer row = table_row(table, i);

        row_text(&row, graph_text(graph, track->name));
        row_text(&row, graph_text(graph, track->process));
        row_text(&row, span_of(track_kind_name(track->kind)));
        row_number(&row, track->device < 0 ? TABLE_NULL : track->device);
        row_number(&row, (int64_t)use->events);
        row_number(&row, use->lanes);
        row_number(&row, use->busy);
        row_real(&row, use->busy_share);
    }
    report_table(report, table);
}

static const struct column device_columns[] = {
    {.key = "device", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "compute_capability", .heading = "capability", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "sms", .heading = "SMs", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "memory", .kind = CELL_VALUE, .unit = UNIT_BYTES, .use = COLUMN_ALL},
};

static void add_devices(const struct graph *graph, struct arena *arena, struct report *report)
{
    struct table *table = arena_alloc(arena, sizeof(*table));

    table_init(table, arena, device_columns, COUNT_OF(device_columns), graph->device_count);
    table->key = "devices";
    for (uint32_t i = 0; i < graph->device_count; i++) {
        const struct device *device = &graph->devices[i];
        struct row_writer row = table_row(table, i);

        row_number(&row, device->ordinal);
        row_text(&row, graph_text(graph, device->name));
        if (device->major > 0)
            row_text(&row,
                     span_of(arena_printf(arena, "%d.%d", (int)device->major, (int)device->minor)));
        else
            row_no_text(&row);
        row_number(&row, device->sms > 0 ? device->sms : TABLE_NULL);
        row_number(&row, device->memory > 0 ? device->memory : TABLE_NULL);
    }
    report_table(report, table);
}

void inventory_tables(const struct inventory *inventory, const struct graph *graph,
                      struct arena *arena, struct report *report)
{
    report_number(report, "span", inventory->span);
    report_number(report, "steps", inventory->steps);
    report_number(report, "events", (int64_t)inventory->events);
    if (graph->device_count)
        add_devices(graph, arena, report);
    add_tracks(inventory, graph, arena, report);
}
