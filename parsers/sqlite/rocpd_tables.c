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
    const char *const columns[] = {"id", column, NULL};
    struct query query;

    rocpd_query(rocpd, &query, table, columns);
    while (query_next(&query))
        *idmap_at(texts, (uint64_t)query_integer_or(&query, 0, 0)) =
            builder_intern(rocpd->recording->builder, query_text(&query, 1));
    return query_end(&query, err);
}

struct span rocpd_text(const struct rocpd *rocpd, const struct idmap *texts, int64_t id)
{
    uint32_t found = idmap_find(texts, (uint64_t)id);

    return found == IDMAP_NONE ? (struct span){0} : builder_text(rocpd->recording->builder, found);
}

/* Calls of HIP, HSA, RCCL and others; what a program marks; and what rocprof-sys saw besides. */
static bool read_events(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"id", "category_id", "stack_id", "extdata", NULL};
    static const char *const calls[] = {"HIP_",     "HSA_",     "RCCL_",     "ROCDECODE_",
                                        "ROCJPEG_", "hip_",     "hsa_",      "rccl_",
                                        "rocm_hip", "rocm_hsa", "rocm_rccl", NULL};
    struct builder *builder = rocpd->recording->builder;
    struct query query;

    rocpd_query(rocpd, &query, "event", columns);
    while (query_next(&query)) {
        int64_t category = query_integer_or(&query, 1, 0);
        struct span name = rocpd_text(rocpd, &rocpd->categories, category);
        struct rocpd_event event = {.stack = query_integer_or(&query, 2, 0)};

        if (!name.len)
            name = rocpd_text(rocpd, &rocpd->strings, category);
        event.is_call = span_starts_any(name, calls);
        event.is_mark =
            span_starts(name, SPAN("MARKER_")) || span_starts(name, SPAN("rocm_marker"));
        if (event.is_mark) {
            struct token message = {0};
            struct token json = json_of(rocpd, query_text(&query, 3));

            if (json.at)
                message = walk_find(json, SPAN("message"));
            if (message.at)
                event.message = builder_intern(builder, token_text(message, &rocpd->arena));
            arena_clear(&rocpd->arena);
        }
        *idmap_at(&rocpd->event_of, (uint64_t)query_integer_or(&query, 0, 0)) =
            (uint32_t)rocpd->events.count;
        vector_add(&rocpd->events, event);
    }
    return query_end(&query, err);
}

struct rocpd_event rocpd_event_at(const struct rocpd *rocpd, int64_t id)
{
    uint32_t found = idmap_find(&rocpd->event_of, (uint64_t)id);

    return found == IDMAP_NONE ? (struct rocpd_event){0} : rocpd->events.list[found];
}

/* Where version 4 keeps what was columns before. */
static bool read_places(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"id",       "pid",       "tid", "agent_id",
                                          "queue_id", "stream_id", NULL};
    struct query query;

    rocpd_query(rocpd, &query, "track", columns);
    while (query_next(&query)) {
        *idmap_at(&rocpd->place_of, (uint64_t)query_integer_or(&query, 0, 0)) =
            (uint32_t)rocpd->places.count;
        vector_add(&rocpd->places, (struct rocpd_place){.pid = query_integer_or(&query, 1, 0),
                                                        .tid = query_integer_or(&query, 2, 0),
                                                        .agent = query_integer_or(&query, 3, -1),
                                                        .queue = query_integer_or(&query, 4, 0),
                                                        .stream = query_integer_or(&query, 5, 0)});
    }
    return query_end(&query, err);
}

struct rocpd_place rocpd_place_of(const struct rocpd *rocpd, const struct query *query)
{
    uint32_t track = idmap_find(&rocpd->place_of, (uint64_t)query_integer_or(query, OF_TRACK, -1));
    struct rocpd_place place = {.agent = -1};

    if (track != IDMAP_NONE)
        place = rocpd->places.list[track];
    place.pid = query_integer_or(query, OF_PID, place.pid);
    place.tid = query_integer_or(query, OF_TID, place.tid);
    place.agent = query_integer_or(query, OF_AGENT, place.agent);
    place.queue = query_integer_or(query, OF_QUEUE, place.queue);
    place.stream = query_integer_or(query, OF_STREAM, place.stream);
    return place;
}

static bool read_kernels(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {
        "id", "kernel_name", "display_name", "arch_vgpr_count", "accum_vgpr_count", NULL};
    struct builder *builder = rocpd->recording->builder;
    struct query query;

    rocpd_query(rocpd, &query, "info_kernel_symbol", columns);
    while (query_next(&query)) {
        struct span name = query_text(&query, 2);
        struct rocpd_kernel kernel = {.registers = checked_add(query_integer_or(&query, 3, 0),
                                                               query_integer_or(&query, 4, 0))};

        if (!name.len)
            name = query_text(&query, 1);
        if (span_ends(name, SPAN(".kd")))
            name.len -= 3;
        kernel.name = kernel_name_intern(builder, name);
        *idmap_at(&rocpd->kernel_of, (uint64_t)query_integer_or(&query, 0, 0)) =
            (uint32_t)rocpd->kernels.count;
        vector_add(&rocpd->kernels, kernel);
    }
    return query_end(&query, err);
}

/* ---- devices ---- */

static bool read_agents(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"id",           "type",    "type_index", "name",
                                          "product_name", "extdata", NULL};
    struct recording *recording = rocpd->recording;
    struct query query;

    rocpd_query(rocpd, &query, "info_agent", columns);
    while (query_next(&query)) {
        int64_t ordinal = query_integer_or(&query, 2, 0);
        struct span name = query_text(&query, 4);
        struct device device;

        if (!span_eq(query_text(&query, 1), SPAN("GPU")) || ordinal < 0 || ordinal > 100000)
            continue;
        if (!name.len || span_starts(name, SPAN("AMD Radeon Graphics")))
            name = query_text(&query, 3);
        device = rocm_agent(json_of(rocpd, query_text(&query, 5)));
        device.ordinal = (int32_t)ordinal;
        device.name = builder_intern(recording->builder, name);
        arena_clear(&rocpd->arena);
        *idmap_at(&rocpd->device_of, (uint64_t)query_integer_or(&query, 0, 0)) = (uint32_t)ordinal;
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
