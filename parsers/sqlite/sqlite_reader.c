/* SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "parsers/sqlite/sqlite.h"

static bool find_writer(struct recording *recording, struct error *err)
{
    char tables[160];

    if (database_has(&recording->database, "Version") &&
        database_has(&recording->database, "StringTable")) {
        recording->writer = WRITER_NVPROF;
        return true;
    }
    if (database_has(&recording->database, "StringIds")) {
        recording->writer = WRITER_NSYS;
        return true;
    }
    if (rocpd_is(&recording->database)) {
        recording->writer = WRITER_ROCPD;
        return true;
    }
    if (database_has(&recording->database, "rocpd_op")) {
        error_set(err, ERROR_INPUT, "is a recording of rocmProfileData: ptk does not read it");
        return error_hint(err, "python -m rocpd.rpd2tracing FILE out.json, then ptk out.json");
    }
    database_tables(&recording->database, tables, sizeof(tables));
    error_set(err, ERROR_INPUT,
              "a database that none of nvprof, Nsight Systems and rocprofv3 wrote; it has %s",
              *tables ? tables : "no tables");
    return error_hint(err, "nvprof -o FILE, nsys export -t sqlite and rocprofv3 write those that ptk "
                           "reads");
}

/* ---- when ---- */

static const char *const timed[][2] = {
    {"CUPTI_ACTIVITY_KIND_RUNTIME", "start"},    {"CUPTI_ACTIVITY_KIND_DRIVER", "start"},
    {"CUPTI_ACTIVITY_KIND_KERNEL", "start"},     {"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "start"},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", "start"},     {"CUPTI_ACTIVITY_KIND_MEMSET", "start"},
    {"CUPTI_ACTIVITY_KIND_MARKER", "timestamp"}, {"NVTX_EVENTS", "start"},
};

/* Times count from the first of them. */
static bool find_origin(struct recording *recording, struct error *err)
{
    int64_t first = INT64_MAX, time;
    struct query query;

    for (size_t i = 0; i < COUNT_OF(timed); i++) {
        const char *const columns[] = {timed[i][1], NULL};

        query_begin(&query, &recording->database, timed[i][0], columns);
        while (query_next(&query))
            if (query_integer(&query, 0, &time) && time > 0 && time < first)
                first = time;
        if (!query_end(&query, err))
            return false;
    }
    recording->origin = first == INT64_MAX ? 0 : first;
    return true;
}

/* Nsight's times count from the session's start. */
static bool tell_origin(struct recording *recording, struct error *err)
{
    static const char *const columns[] = {"utcEpochNs", NULL};
    int64_t session = 0;
    struct query query;

    query_begin(&query, &recording->database, "TARGET_INFO_SESSION_START_TIME", columns);
    if (query_next(&query))
        session = query_integer_or(&query, 0, 0);
    builder_origin(recording->timeline, checked_add(session, recording->origin));
    return query_end(&query, err);
}

/* ---- who ---- */

static bool tell_nvprof(struct recording *recording, struct error *err)
{
    static const char *const columns[] = {"version", NULL};
    struct query query;

    query_begin(&query, &recording->database, "Version", columns);
    if (query_next(&query))
        builder_producer(recording->builder, "nvprof, database version %lld",
                         (long long)query_integer_or(&query, 0, 0));
    return query_end(&query, err);
}

static bool tell_nsys(struct recording *recording, const char *table, struct error *err)
{
    static const char *const columns[] = {"name", "value", NULL};
    struct query query;

    query_begin(&query, &recording->database, table, columns);
    while (query_next(&query)) {
        struct span value = query_text(&query, 1);

        if (span_eq(query_text(&query, 0), SPAN("EXPORT_PRODUCT_VERSION")))
            builder_producer(recording->builder, "NVIDIA Nsight Systems %.*s",
                             (int)(value.len < 40 ? value.len : 40), value.at);
        if (span_eq(query_text(&query, 0), SPAN("EXPORT_SCHEMA_VERSION")))
            builder_fact_text(recording->builder, "schema_version", value);
    }
    return query_end(&query, err);
}

/* ---- the whole ---- */

static bool read_activities(struct recording *recording, struct error *err)
{
    return recording_read_devices(recording, err) && recording_read_kernels(recording, err) &&
           recording_read_copies(recording, err) && recording_read_fills(recording, err) &&
           recording_read_waits(recording, err) && recording_read_calls(recording, err) &&
           (recording->writer == WRITER_NVPROF ? recording_read_markers(recording, err)
                                               : recording_read_nvtx(recording, err));
}

static bool check(struct recording *recording, struct error *err)
{
    struct warnings *warnings = builder_warnings(recording->builder);

    warning_count_many(warnings, WARNING_NOTE, "calls that the file has only a number for",
                       recording->nameless);
    warning_count_many(warnings, WARNING_NOTE, "kernels whose names the file has mangled",
                       recording->mangled);
    if (recording->events)
        return true;
    error_set(err, ERROR_LACK, "it holds no kernel, copy, call or range");
    return error_hint(err, "trace CUDA or NVTX: nsys profile -t cuda,nvtx, and see whether the "
                           "program used the GPU at all");
}

static bool read_recording(struct recording *recording, struct error *err)
{
    bool is_nvprof;

    if (!find_writer(recording, err) || !builder_begin_timeline(recording->builder, err))
        return false;
    if (recording->writer == WRITER_ROCPD)
        return rocpd_read(recording, err) && check(recording, err);
    is_nvprof = recording->writer == WRITER_NVPROF;
    return name_table_read(&recording->names, &recording->database, recording->builder,
                           is_nvprof ? "StringTable" : "StringIds", is_nvprof ? "_id_" : "id",
                           err) &&
           find_origin(recording, err) && tell_origin(recording, err) &&
           (is_nvprof ? tell_nvprof(recording, err)
                      : tell_nsys(recording, "META_DATA_EXPORT", err) &&
                            tell_nsys(recording, "EXPORT_META_DATA", err)) &&
           read_activities(recording, err) && check(recording, err);
}

bool sqlite_parse(struct input *in, struct builder *builder, struct error *err)
{
    struct recording recording = {.builder = builder, .timeline = builder_timeline(builder)};
    bool ok = database_open(&recording.database, in, err) && read_recording(&recording, err);

    name_table_free(&recording.names);
    idmap_free(&recording.kernel_names);
    idmap_free(&recording.tracks);
    idmap_free(&recording.devices);
    database_close(&recording.database);
    return ok;
}
