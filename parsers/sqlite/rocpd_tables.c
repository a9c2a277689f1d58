/* SPDX-License-Identifier: Apache-2.0 */
/* rocpd_tables.c — texts, events, tracks, kernels and devices of AMD's databases */
#include "base/checked.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/json/json.h"
#include "parsers/json/rocm_agent.h"
#include "parsers/sqlite/rocpd.h"

enum { TEXT_PAD = INPUT_PAD };

/* A text of JSON, with room behind it for who looks ahead; only objects. */
static struct token json_of(struct rocpd *rocpd, struct span text)
{
    char *copy = arena_alloc(&rocpd->arena, text.len + TEXT_PAD);

    memset(copy + text.len, 0, TEXT_PAD);
    memcpy(copy, text.at, text.len);
    return (struct token){text.len > 1 && text.len < UINT32_MAX ? copy : NULL, (uint32_t)text.len};
}

/* ---- tables that others refer to ---- */

bool rocpd_read_texts(struct rocpd *rocpd, const char *table, const char *column,
                      struct idmap *texts, struct error *err)
{
    struct text_row {
        int64_t id;
        struct span text;
    } row;
    const struct query_column columns[] = {QUERY_COLUMN("id", struct text_row, id),
                                           QUERY_COLUMN(column, struct text_row, text)};
    struct query query;

    ROCPD_QUERY(rocpd, &query, table, columns);
    while (row = (struct text_row){.id = 0}, query_next(&query, &row))
        *idmap_at(texts, (uint64_t)row.id) = builder_intern(rocpd->recording->builder, row.text);
    return query_end(&query, err);
}

struct span rocpd_text(const struct rocpd *rocpd, const struct idmap *texts, int64_t id)
{
    uint32_t found = idmap_find(texts, (uint64_t)id);

    return found == IDMAP_NONE ? (struct span){0} : builder_text(rocpd->recording->builder, found);
}

struct event_row {
    int64_t id, category, stack;
    struct span details;
};

static const struct query_column event_columns[] = {
    QUERY_COLUMN("id", struct event_row, id),
    QUERY_COLUMN("category_id", struct event_row, category),
    QUERY_COLUMN("stack_id", struct event_row, stack),
    QUERY_COLUMN("extdata", struct event_row, details),
};

/* Calls of HIP, HSA, RCCL and others; what a program marks; and what rocprof-sys saw besides. */
static bool read_events(struct rocpd *rocpd, struct error *err)
{
    static const char *const calls[] = {"HIP_",     "HSA_",     "RCCL_",     "ROCDECODE_",
                                        "ROCJPEG_", "hip_",     "hsa_",      "rccl_",
                                        "rocm_hip", "rocm_hsa", "rocm_rccl", NULL};
    struct builder *builder = rocpd->recording->builder;
    struct event_row row;
    struct query query;

    ROCPD_QUERY(rocpd, &query, "event", event_columns);
    while (row = (struct event_row){.id = 0}, query_next(&query, &row)) {
        struct span name = rocpd_text(rocpd, &rocpd->categories, row.category);
        struct rocpd_event event = {.stack = row.stack};

        if (!name.len)
            name = rocpd_text(rocpd, &rocpd->strings, row.category);
        event.is_call = span_starts_any(name, calls);
        event.is_mark =
            span_starts(name, SPAN("MARKER_")) || span_starts(name, SPAN("rocm_marker"));
        if (event.is_mark) {
            struct token message = {0};
            struct token json = json_of(rocpd, row.details);

            if (json.at)
                message = walk_find(json, SPAN("message"));
            if (message.at)
                event.message = builder_intern(builder, token_text(message, &rocpd->arena));
            arena_clear(&rocpd->arena);
        }
        *idmap_at(&rocpd->event_of, (uint64_t)row.id) = (uint32_t)rocpd->events.count;
        vector_add(&rocpd->events, event);
    }
    return query_end(&query, err);
}

struct rocpd_event rocpd_event_at(const struct rocpd *rocpd, int64_t id)
{
    uint32_t found = idmap_find(&rocpd->event_of, (uint64_t)id);

    return found == IDMAP_NONE ? (struct rocpd_event){0} : rocpd->events.list[found];
}

struct track_row {
    int64_t id;
    struct rocpd_place place;
};

static const struct query_column track_columns[] = {
    QUERY_COLUMN("id", struct track_row, id),
    QUERY_COLUMN("pid", struct track_row, place.pid),
    QUERY_COLUMN("tid", struct track_row, place.tid),
    QUERY_COLUMN("agent_id", struct track_row, place.agent),
    QUERY_COLUMN("queue_id", struct track_row, place.queue),
    QUERY_COLUMN("stream_id", struct track_row, place.stream),
};

/* Where version 4 keeps what was columns before. */
static bool read_places(struct rocpd *rocpd, struct error *err)
{
    struct track_row row;
    struct query query;

    ROCPD_QUERY(rocpd, &query, "track", track_columns);
    while (row = (struct track_row){.place.agent = -1}, query_next(&query, &row)) {
        *idmap_at(&rocpd->place_of, (uint64_t)row.id) = (uint32_t)rocpd->places.count;
        vector_add(&rocpd->places, row.place);
    }
    return query_end(&query, err);
}

static int64_t own_or(int64_t own, int64_t of_track)
{
    return own == UNKNOWN ? of_track : own;
}

struct rocpd_place rocpd_place_of(const struct rocpd *rocpd, int64_t track, struct rocpd_place own)
{
    uint32_t at = idmap_find(&rocpd->place_of, (uint64_t)track);
    struct rocpd_place place = {.agent = -1};

    if (at != IDMAP_NONE)
        place = rocpd->places.list[at];
    return (struct rocpd_place){own_or(own.pid, place.pid), own_or(own.tid, place.tid),
                                own_or(own.agent, place.agent), own_or(own.queue, place.queue),
                                own_or(own.stream, place.stream)};
}

struct kernel_row {
    int64_t id, vector_registers, accumulation_registers;
    struct span name, display_name;
};

static const struct query_column kernel_columns[] = {
    QUERY_COLUMN("id", struct kernel_row, id),
    QUERY_COLUMN("kernel_name", struct kernel_row, name),
    QUERY_COLUMN("display_name", struct kernel_row, display_name),
    QUERY_COLUMN("arch_vgpr_count", struct kernel_row, vector_registers),
    QUERY_COLUMN("accum_vgpr_count", struct kernel_row, accumulation_registers),
};

static bool read_kernels(struct rocpd *rocpd, struct error *err)
{
    struct builder *builder = rocpd->recording->builder;
    struct kernel_row row;
    struct query query;

    ROCPD_QUERY(rocpd, &query, "info_kernel_symbol", kernel_columns);
    while (row = (struct kernel_row){.id = 0}, query_next(&query, &row)) {
        struct span name = row.display_name.len ? row.display_name : row.name;
        struct rocpd_kernel kernel = {
            .registers = checked_add(row.vector_registers, row.accumulation_registers)};

        if (span_ends(name, SPAN(".kd")))
            name.len -= 3;
        kernel.name = kernel_name_intern(builder, name);
        *idmap_at(&rocpd->kernel_of, (uint64_t)row.id) = (uint32_t)rocpd->kernels.count;
        vector_add(&rocpd->kernels, kernel);
    }
    return query_end(&query, err);
}

/* ---- devices ---- */

struct agent_row {
    int64_t id, ordinal;
    struct span type, name, product_name, details;
};

static const struct query_column agent_columns[] = {
    QUERY_COLUMN("id", struct agent_row, id),
    QUERY_COLUMN("type", struct agent_row, type),
    QUERY_COLUMN("type_index", struct agent_row, ordinal),
    QUERY_COLUMN("name", struct agent_row, name),
    QUERY_COLUMN("product_name", struct agent_row, product_name),
    QUERY_COLUMN("extdata", struct agent_row, details),
};

static bool read_agents(struct rocpd *rocpd, struct error *err)
{
    struct recording *recording = rocpd->recording;
    struct agent_row row;
    struct query query;

    ROCPD_QUERY(rocpd, &query, "info_agent", agent_columns);
    while (row = (struct agent_row){.id = 0}, query_next(&query, &row)) {
        int64_t ordinal = row.ordinal;
        struct span name = row.product_name;
        struct device device;

        if (!span_eq(row.type, SPAN("GPU")) || ordinal < 0 || ordinal > 100000)
            continue;
        if (!name.len || span_starts(name, SPAN("AMD Radeon Graphics")))
            name = row.name;
        device = rocm_agent(json_of(rocpd, row.details));
        device.ordinal = (int32_t)ordinal;
        device.name = builder_intern(recording->builder, name);
        arena_clear(&rocpd->arena);
        *idmap_at(&rocpd->device_of, (uint64_t)row.id) = (uint32_t)ordinal;
        if (idmap_find(&recording->devices, (uint64_t)ordinal) == IDMAP_NONE) {
            builder_device(recording->builder, &device);
            recording_name_device(recording, &device);
        }
    }
    return query_end(&query, err);
}

bool rocpd_read_tables(struct rocpd *rocpd, struct error *err)
{
    return rocpd_read_texts(rocpd, "string", "string", &rocpd->strings, err) &&
           rocpd_read_texts(rocpd, "info_category", "name", &rocpd->categories, err) &&
           read_events(rocpd, err) && read_places(rocpd, err) && read_kernels(rocpd, err) &&
           read_agents(rocpd, err);
}
