/* SPDX-License-Identifier: Apache-2.0 */
/* perf_features.c — what perf.data says of its recording: who recorded what, where, and what events and
 * binaries are called */
#include <stdio.h>
#include <string.h>

#include "parsers/perf/perf_data.h"

enum { RECORD_HEADER = 8, STRINGS_MAX = 4096, TYPE_TRACEPOINT = 2 };

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

/* ---- the formats of tracepoints ---- */

static struct span text_and_nul(struct bytes *bytes)
{
    struct span text = bytes_text(bytes);

    bytes_take(bytes, (uint64_t)text.len + 1);
    return text;
}

/* "name: main\nID: 1329\nformat:…": the name of those events that are counted at this tracepoint. */
static void name_tracepoint(struct perf_data *perf, struct span system, struct span format)
{
    struct span name = {0}, line, value;
    char room[256];
    int64_t id = -1;
    int len;

    while (format.len && id < 0) {
        value = span_split(&format, '\n');
        line = span_split(&value, ':');
        value = span_trim(value);
        if (span_eq(line, SPAN("name")))
            name = value;
        else if (span_eq(line, SPAN("ID")) && !span_to_i64(value, &id))
            return;
    }
    len = snprintf(room, sizeof(room), "%.*s:%.*s", (int)system.len, system.at, (int)name.len,
                   name.at);
    if (id < 0 || len < 0 || (size_t)len >= sizeof(room))
        return;
    for (size_t i = 0; i < perf->events.count; i++) {
        struct recorded_event *event = &perf->events.list[i];

        if (event->type == TYPE_TRACEPOINT && event->config == (uint64_t)id && !event->name)
            event->name = builder_intern(perf->builder, (struct span){room, (size_t)len});
    }
}

void perf_read_formats(struct perf_data *perf, struct span formats)
{
    static const char magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
    struct bytes bytes = {formats.at, formats.len, perf->is_big_endian, false};
    struct span begin = bytes_take(&bytes, sizeof(magic));
    uint32_t systems;

    if (bytes.is_cut || memcmp(begin.at, magic, sizeof(magic)) != 0)
        return;
    text_and_nul(&bytes);         /* version */
    bytes_take(&bytes, 6);        /* byte order, size of a long, size of a page */
    for (int i = 0; i < 2; i++) { /* of pages and of events' heads */
        text_and_nul(&bytes);
        bytes_take(&bytes, bytes_u64(&bytes));
    }
    for (uint32_t i = bytes_u32(&bytes); i > 0 && !bytes.is_cut; i--) /* of ftrace's own events */
        bytes_take(&bytes, bytes_u64(&bytes));
    systems = bytes_u32(&bytes);
    for (uint32_t i = 0; i < systems && !bytes.is_cut; i++) {
        struct span system = text_and_nul(&bytes);

        for (uint32_t events = bytes_u32(&bytes); events > 0 && !bytes.is_cut; events--) {
            struct span format = bytes_take(&bytes, bytes_u64(&bytes));

            if (!bytes.is_cut)
                name_tracepoint(perf, system, format);
        }
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
    case FEATURE_RELEASE: {
        struct span release = feature_string(&bytes);

        perf->release = builder_intern(perf->builder, release);
        builder_fact_text(perf->builder, "kernel", release);
        break;
    }
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
