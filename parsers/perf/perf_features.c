/* SPDX-License-Identifier: Apache-2.0 */
/* perf_features.c — what perf.data says of its recording: who recorded what, where, and what events and
 * binaries are called */
#include <stdio.h>

#include "parsers/perf/perf_data.h"

enum { RECORD_HEADER = 8, STRINGS_MAX = 4096 };

enum feature {
    FEATURE_BUILD_ID = 2,
    FEATURE_HOSTNAME = 3,
    FEATURE_RELEASE = 4,
    FEATURE_VERSION = 5,
    FEATURE_ARCH = 6,
    FEATURE_COMMAND = 11,
    FEATURE_EVENTS = 12,
    FEATURE_STAT = 19,
    FEATURE_DIRECTORY = 24,
};

static struct span feature_string(struct bytes *bytes)
{
    uint32_t size = bytes_u32(bytes);
    struct span text = bytes_take(bytes, size);

    return (struct span){text.at, strnlen(text.at, text.len)};
}

static void command_line(struct perf_data *perf, struct bytes bytes)
{
    uint32_t count = bytes_u32(&bytes);
    char room[4096];
    size_t len = 0;

    for (uint32_t i = 0; i < count && i < STRINGS_MAX && !bytes.is_cut && len < sizeof(room); i++) {
        struct span word = feature_string(&bytes);
        int added = snprintf(room + len, sizeof(room) - len, "%s%.*s", i ? " " : "", (int)word.len,
                             word.at);

        len += added > 0 ? (size_t)added : 0;
    }
    builder_fact_text(perf->builder, "command",
                      (struct span){room, len < sizeof(room) ? len : sizeof(room) - 1});
}

/* The events' names: by their ids; in old files, which have none, by their place. */
static void event_names(struct perf_data *perf, struct bytes bytes)
{
    uint32_t count = bytes_u32(&bytes), size = bytes_u32(&bytes);

    for (uint32_t i = 0; i < count && !bytes.is_cut; i++) {
        uint32_t ids, event = i;
        struct span name;

        bytes_take(&bytes, size);
        ids = bytes_u32(&bytes);
        name = feature_string(&bytes);
        for (uint32_t k = 0; k < ids && !bytes.is_cut; k++) {
            uint32_t found = idmap_find(&perf->event_of_id, bytes_u64(&bytes));

            if (k == 0 || event == IDMAP_NONE)
                event = found;
        }
        if (event < perf->events.count && !bytes.is_cut)
            perf->events.list[event].name = builder_intern(perf->builder, name);
    }
}

static void build_ids(struct perf_data *perf, struct bytes bytes)
{
    while (bytes.left >= RECORD_HEADER) {
        struct bytes record = bytes;
        unsigned misc, size;

        bytes_u32(&record);
        misc = bytes_u16(&record);
        size = bytes_u16(&record);
        if (size < RECORD_HEADER || size > bytes.left)
            break;
        record.left = size - RECORD_HEADER;
        perf_build_id(perf, misc, record);
        bytes_take(&bytes, size);
    }
}

bool perf_read_feature(struct perf_data *perf, unsigned bit, struct bytes bytes, struct error *err)
{
    switch (bit) {
    case FEATURE_BUILD_ID:
        build_ids(perf, bytes);
        break;
    case FEATURE_HOSTNAME:
        builder_known_text(perf->builder, FACT_HOSTNAME, feature_string(&bytes));
        break;
    case FEATURE_RELEASE:
        builder_fact_text(perf->builder, "kernel", feature_string(&bytes));
        break;
    case FEATURE_VERSION: {
        struct span version = feature_string(&bytes);

        builder_producer(perf->builder, "perf %.*s", (int)version.len, version.at);
        break;
    }
    case FEATURE_ARCH: {
        struct span name = feature_string(&bytes);

        builder_fact_text(perf->builder, "architecture", name);
        perf->machine = span_eq(name, SPAN("x86_64"))    ? MACHINE_X86_64
                        : span_eq(name, SPAN("aarch64")) ? MACHINE_AARCH64
                                                         : MACHINE_UNKNOWN;
        break;
    }
    case FEATURE_COMMAND:
        command_line(perf, bytes);
        break;
    case FEATURE_EVENTS:
        event_names(perf, bytes);
        break;
    case FEATURE_STAT:
        return error_set_at(err, 0, 0, "it is of `perf stat record`, which has no samples");
    case FEATURE_DIRECTORY:
        warning_say(
            builder_warnings(perf->builder), WARNING_LOSS,
            "recorded with --threads: the records of data.0 and others beside are not read");
        break;
    default:
        break;
    }
    return true;
}
