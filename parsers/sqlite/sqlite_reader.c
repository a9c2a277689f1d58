/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite_reader.c — who wrote a database and when it begins, and its tables one after the other */
#include <stdlib.h>

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
    if (rpd_is(&recording->database)) {
        recording->writer = WRITER_RPD;
        return true;
    }
    if (rocpd_is(&recording->database)) {
        recording->writer = WRITER_ROCPD;
        return true;
    }
    database_tables(&recording->database, tables, sizeof(tables));
    error_set(err, ERROR_INPUT,
              "a database that none of nvprof, Nsight Systems, rocprofv3 and rocmProfileData "
              "wrote; it has %s",
              *tables ? tables : "no tables");
    return error_hint(
        err,
        "nvprof -o FILE, nsys export -t sqlite, rocprofv3 and runTracer.sh write those that ptk "
        "reads");
}

/* ---- when ---- */

/* What of a table of facts is read. */
struct fact_row {
    int64_t number;
    struct span name, value;
};

/* Times count from the first of them. */
static void find_origin(struct recording *recording)
{
    static const char *const timed[] = {
        "CUPTI_ACTIVITY_KIND_RUNTIME",
        "CUPTI_ACTIVITY_KIND_DRIVER",
        "CUPTI_ACTIVITY_KIND_KERNEL",
        "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL",
        "CUPTI_ACTIVITY_KIND_MEMCPY",
        "CUPTI_ACTIVITY_KIND_MEMSET",
        "NVTX_EVENTS",
    };

    for (size_t i = 0; i < COUNT_OF(timed); i++)
        recording_starts(recording, timed[i], "start");
    recording_starts(recording, "CUPTI_ACTIVITY_KIND_MARKER", "timestamp");
}

/* Nsight's times count from the session's start. */
static bool note_origin(struct recording *recording, struct error *err)
{
    static const struct query_column columns[] = {
        QUERY_COLUMN("utcEpochNs", struct fact_row, number)};
    struct fact_row session = {0};
    struct query query;

    QUERY_BEGIN(&query, &recording->database, "TARGET_INFO_SESSION_START_TIME", columns);
    (void)query_next(&query, &session);
    builder_origin(recording->timeline, checked_add(session.number, recording->origin));
    return query_end(&query, err);
}

/* ---- who ---- */

static bool note_nvprof(struct recording *recording, struct error *err)
{
    static const struct query_column columns[] = {QUERY_COLUMN("version", struct fact_row, number)};
    struct fact_row version = {0};
    struct query query;

    QUERY_BEGIN(&query, &recording->database, "Version", columns);
    if (query_next(&query, &version))
        builder_producer(recording->builder, "nvprof, database version %lld",
                         (long long)version.number);
    return query_end(&query, err);
}

static bool note_nsys(struct recording *recording, const char *table, struct error *err)
{
    static const struct query_column columns[] = {QUERY_COLUMN("name", struct fact_row, name),
                                                  QUERY_COLUMN("value", struct fact_row, value)};
    struct fact_row fact;
    struct query query;

    QUERY_BEGIN(&query, &recording->database, table, columns);
    while (fact = (struct fact_row){0}, query_next(&query, &fact)) {
        if (span_eq(fact.name, SPAN("EXPORT_PRODUCT_VERSION")))
            builder_producer(recording->builder, "NVIDIA Nsight Systems %.*s",
                             (int)(fact.value.len < 40 ? fact.value.len : 40), fact.value.at);
        if (span_eq(fact.name, SPAN("EXPORT_SCHEMA_VERSION")))
            builder_fact_text(recording->builder, "schema_version", fact.value);
    }
    return query_end(&query, err);
}

/* ---- the whole ---- */

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
    if (recording->writer == WRITER_RPD)
        return rpd_read(recording, err) && check(recording, err);
    if (recording->writer == WRITER_ROCPD)
        return rocpd_read(recording, err) && check(recording, err);
    is_nvprof = recording->writer == WRITER_NVPROF;
    find_origin(recording);
    return name_table_read(&recording->names, &recording->database, recording->builder,
                           is_nvprof ? "StringTable" : "StringIds", is_nvprof ? "_id_" : "id",
                           err) &&
           note_origin(recording, err) &&
           (is_nvprof ? note_nvprof(recording, err)
                      : note_nsys(recording, "META_DATA_EXPORT", err) &&
                            note_nsys(recording, "EXPORT_META_DATA", err)) &&
           recording_read_devices(recording, err) && recording_read_activities(recording, err) &&
           recording_read_calls(recording, err) &&
           (recording->writer == WRITER_NVPROF ? recording_read_markers(recording, err)
                                               : recording_read_nvtx(recording, err)) &&
           check(recording, err);
}

bool sqlite_parse(struct input *in, struct builder *builder, struct error *err)
{
    struct recording recording = {.builder = builder, .timeline = builder_timeline(builder)};
    bool ok = database_open(&recording.database, in, err) && read_recording(&recording, err);

    name_table_free(&recording.names);
    idmap_free(&recording.kernel_of);
    free(recording.kernels.list);
    idmap_free(&recording.call_names);
    idmap_free(&recording.numbered);
    idmap_free(&recording.tracks);
    idmap_free(&recording.devices);
    database_close(&recording.database);
    return ok;
}
