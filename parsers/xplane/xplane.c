/* SPDX-License-Identifier: Apache-2.0 */
/* xplane.c — XSpace files (*.xplane.pb): what JAX, TensorFlow and PyTorch/XLA record
 *
 * One message of planes, each with its lines in front of the tables that these refer to: so a plane is held
 * as a whole, its tables are read first, and its lines then. Nothing is unpacked. */
#include <stdlib.h>
#include <string.h>

#include "parsers/parser.h"
#include "parsers/xplane/xplane.h"

enum { SPACE_PLANES = 1, PLANE_NAME = 2 };

/* Messages of xplane.proto, as far as they are read. */
struct plane_message {
    struct span name;
    struct wire_list lines, event_metadata, stat_metadata, stats;
};

static const struct wire_member plane_members[] = {
    [PLANE_NAME] = WIRE_MEMBER(struct plane_message, name),
    [3] = WIRE_MEMBER(struct plane_message, lines),
    [4] = WIRE_MEMBER(struct plane_message, event_metadata),
    [5] = WIRE_MEMBER(struct plane_message, stat_metadata),
    [6] = WIRE_MEMBER(struct plane_message, stats),
};

/* An entry of event_metadata or stat_metadata, which are maps. */
struct map_entry {
    uint64_t key;
    struct span value;
};

static const struct wire_member map_entry[] = {
    [1] = WIRE_MEMBER(struct map_entry, key),
    [2] = WIRE_MEMBER(struct map_entry, value),
};

/* XEventMetadata. */
static const struct wire_member event_type[] = {
    [2] = WIRE_MEMBER(struct event_type, name),
    [4] = WIRE_MEMBER(struct event_type, display),
    [5] = WIRE_MEMBER(struct event_type, stats),
};

/* XStatMetadata. */
static const struct wire_member stat_type[] = {
    [2] = WIRE_MEMBER(struct stat_type, name),
};

enum {
    STAT_TYPE_ID = 1,
    STAT_DOUBLE,
    STAT_UNSIGNED,
    STAT_SIGNED,
    STAT_TEXT,
    STAT_BYTES,
    STAT_REFERENCE
};

/* ---- tables ---- */

static enum xplane_stat stat_named(struct span name)
{
    static const struct {
        const char *name;
        enum xplane_stat stat;
    } names[] = {
        {"bytes_allocated", STAT_ALLOCATED},
        {"allocator_name", STAT_ALLOCATOR},
        {"memory_bandwidth", STAT_BANDWIDTH},
        {"bytes_accessed", STAT_BYTES_ACCESSED},
        {"clock_rate", STAT_CLOCK_RATE},
        {"_c", STAT_CONSUMER},
        {"_ct", STAT_CONSUMER_TYPE},
        {"core_count", STAT_CORE_COUNT},
        {"correlation_id", STAT_CORRELATION},
        {"gpu_device_name", STAT_DEVICE_NAME},
        {"device_type_string", STAT_DEVICE_TYPE},
        {"flops", STAT_FLOPS},
        {"hlo_category", STAT_HLO_CATEGORY},
        {"hlo_module", STAT_HLO_MODULE},
        {"hlo_op", STAT_HLO_OP},
        {"iter_num", STAT_ITERATION},
        {"kernel_details", STAT_KERNEL_DETAILS},
        {"compute_cap_major", STAT_MAJOR},
        {"memcpy_details", STAT_MEMCPY_DETAILS},
        {"memory_access_breakdown", STAT_MEMORY_BREAKDOWN},
        {"memory_size", STAT_MEMORY_SIZE},
        {"memset_details", STAT_MEMSET_DETAILS},
        {"Memset_details", STAT_MEMSET_DETAILS},
        {"compute_cap_minor", STAT_MINOR},
        {"peak_hbm_bw_gigabytes_per_second", STAT_PEAK_BANDWIDTH},
        {"_p", STAT_PRODUCER},
        {"_pt", STAT_PRODUCER_TYPE},
        {"profile_start_time", STAT_START_TIME},
        {"step_name", STAT_STEP_NAME},
        {"step_num", STAT_STEP_NUMBER},
        {"tf_op", STAT_TF_OP},
        {"device_vendor", STAT_VENDOR},
    };

    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (span_eq(name, span_of(names[i].name)))
            return names[i].stat;
    return STAT_NONE;
}

/* Of a key that comes twice the last counts. */
static void add_stat_type(struct plane_tables *tables, struct span message)
{
    struct map_entry entry = {0};
    struct stat_type type = {.stat = STAT_NONE};
    uint32_t *at;

    WIRE_READ(message, map_entry, &entry);
    WIRE_READ(entry.value, stat_type, &type);
    type.stat = stat_named(type.name);
    at = idmap_at(&tables->stat_of_id, entry.key);
    if (*at == IDMAP_NONE) {
        *at = (uint32_t)tables->stats.count;
        if (entry.key < SMALL_STATS)
            tables->small_stats[entry.key] = *at + 1;
        vector_add(&tables->stats, type);
    } else {
        tables->stats.list[*at] = type;
    }
}

static void add_event_type(struct plane_tables *tables, struct span message)
{
    struct map_entry entry = {0};
    struct event_type type = {.is_read = false};
    uint32_t *at;

    WIRE_READ(message, map_entry, &entry);
    WIRE_READ(entry.value, event_type, &type);
    at = idmap_at(&tables->event_of_id, entry.key);
    if (*at == IDMAP_NONE) {
        *at = (uint32_t)tables->events.count;
        vector_add(&tables->events, type);
    } else {
        tables->events.list[*at] = type;
    }
}

static void clear_tables(struct plane_tables *tables)
{
    free(tables->events.list);
    free(tables->stats.list);
    free(tables->type_stats.list);
    idmap_free(&tables->event_of_id);
    idmap_free(&tables->stat_of_id);
    *tables = (struct plane_tables){0};
}

/* ---- statistics ---- */

void xspace_take_stat(const struct xspace *space, struct span message, struct stat_set *stats)
{
    const struct plane_tables *tables = &space->tables;
    struct wire wire = wire_of(message);
    struct stat_value value = {0};
    struct wire_field field;
    uint32_t at = IDMAP_NONE;

    while (wire_next(&wire, &field)) {
        bool is_text = field.type == WIRE_BYTES;

        switch (field.number) {
        case STAT_TYPE_ID:
            at = xspace_stat_type(tables, field.value);
            if (at == IDMAP_NONE || tables->stats.list[at].stat == STAT_NONE)
                return;
            break;
        case STAT_DOUBLE:
            if (field.type != WIRE_FIXED64)
                return;
            memcpy(&value.real, &field.value, sizeof(value.real));
            value.number = value.real >= 0 && value.real < 9e18 ? (int64_t)value.real : 0;
            break;
        case STAT_UNSIGNED:
        case STAT_SIGNED:
            value.number = (int64_t)field.value;
            value.real = (double)value.number;
            break;
        case STAT_TEXT:
        case STAT_BYTES:
            value.text = is_text ? field.bytes : (struct span){0};
            break;
        case STAT_REFERENCE: {
            uint32_t other = xspace_stat_type(tables, field.value);

            value.text = other == IDMAP_NONE ? (struct span){0} : tables->stats.list[other].name;
            break;
        }
        default: /* packed texts, which nobody looks at */
            break;
        }
    }
    if (at == IDMAP_NONE)
        return;
    stats->list[tables->stats.list[at].stat] = value;
    stats->known |= UINT64_C(1) << tables->stats.list[at].stat;
}

/* ---- planes ---- */

/* "/device:GPU:3", "/device:TPU:0 SparseCore 1"; false: it is no device with a number. */
static bool device_number(struct span name, const char *start, int32_t *device)
{
    size_t len = strlen(start);
    int64_t number = 0;

    if (!span_starts(name, span_of(start)) || name.len == len || !is_digit(name.at[len]))
        return false;
    for (; len < name.len && is_digit(name.at[len]) && number < 100000; len++)
        number = number * 10 + (name.at[len] - '0');
    *device = (int32_t)number;
    return len == name.len || name.at[len] == ' ';
}

/* False: it has no lines of anybody's time. */
static bool classify_plane(struct xspace *space, struct span name)
{
    static const char *const others[] = {
        "/host:metadata", "Task Environment", "/host:__Scope", "/host:tfstreamz", "#Chip", NULL};

    space->device = -1;
    if (span_starts_any(name, others))
        return false;
    if (device_number(name, "/device:GPU:", &space->device))
        space->kind = PLANE_GPU;
    else if (device_number(name, "/device:TPU:", &space->device))
        space->kind = PLANE_TPU;
    else if (span_starts(name, SPAN("/device:")) && !span_starts(name, SPAN("/device:CPU")))
        space->kind = PLANE_OTHER_DEVICE;
    else if (span_starts(name, SPAN("Host CPUs")) || span_starts(name, SPAN("Syscalls")))
        space->kind = PLANE_PROCESSORS;
    else
        space->kind = PLANE_HOST;
    return true;
}

static int64_t scaled(const struct stat_set *stats, enum xplane_stat stat, int64_t factor)
{
    int64_t value = stat_number(stats, stat, 0), product;

    return value < 0 || __builtin_mul_overflow(value, factor, &product) ? 0 : product;
}

/* What AMD's driver says of the memory's bandwidth is half of the data sheet's. */
static void add_device(const struct xspace *space, const struct stat_set *stats)
{
    enum { WAVE = 64 };
    struct span vendor = stat_text(stats, STAT_VENDOR), name = stat_text(stats, STAT_DEVICE_NAME);
    bool is_amd = span_eq(vendor, SPAN("AMD"));
    struct device device = {.ordinal = space->device,
                            .memory = stat_number(stats, STAT_MEMORY_SIZE, 0),
                            .clock = scaled(stats, STAT_CLOCK_RATE, 1000)};

    if (space->device < 0 || !stats->known)
        return;
    if (!name.len)
        name = stat_text(stats, STAT_DEVICE_TYPE);
    if (name.len || vendor.len)
        device.name = builder_intern(space->builder, name.len ? name : vendor);
    if (space->kind == PLANE_GPU)
        device.sms = stat_number(stats, STAT_CORE_COUNT, 0);
    device.major = (int32_t)stat_number(stats, STAT_MAJOR, 0);
    device.minor = (int32_t)stat_number(stats, STAT_MINOR, 0);
    if (is_amd)
        device.warp_size = WAVE;
    else
        device.peak_bandwidth = stat_number(stats, STAT_BANDWIDTH, 0);
    if (stat_has(stats, STAT_PEAK_BANDWIDTH) && stats->list[STAT_PEAK_BANDWIDTH].real < 1e9)
        device.peak_bandwidth = (int64_t)(stats->list[STAT_PEAK_BANDWIDTH].real * 1e9);
    builder_device(space->builder, &device);
}

/* Tables stand behind the lines that need them, and are read first. */
static void add_plane(struct xspace *space, struct span message)
{
    struct wire wire = wire_of(message);
    struct plane_message plane = {.name.len = 0};
    struct stat_set of_plane = {0};
    struct wire_field field;

    (void)wire_read(&wire, plane_members, COUNT_OF(plane_members), &plane);
    space->plane_name = builder_intern(space->builder, plane.name);
    while (wire_list_next(&plane.stat_metadata, &field))
        add_stat_type(&space->tables, field.bytes);
    while (wire_list_next(&plane.event_metadata, &field))
        add_event_type(&space->tables, field.bytes);
    while (wire_list_next(&plane.stats, &field))
        xspace_take_stat(space, field.bytes, &of_plane);
    if (stat_has(&of_plane, STAT_START_TIME) && !space->absolute_start)
        builder_origin(space->timeline, stat_number(&of_plane, STAT_START_TIME, 0));
    if (classify_plane(space, plane.name)) {
        add_device(space, &of_plane);
        while (wire_list_next(&plane.lines, &field))
            xspace_add_line(space, field.bytes);
    }
    if (wire.fault)
        warning_count(builder_warnings(space->builder), WARNING_LOSS,
                      "planes that are damaged, of which only what comes before is read",
                      space->offset);
    clear_tables(&space->tables);
}

/* ---- the whole ---- */

/* Where a message went through a text conversion each byte from 80 on has become these three. */
static bool is_converted(struct span head)
{
    return span_find(head, SPAN("\xef\xbf\xbd")) != SIZE_MAX;
}

/* As much of a field as there is: what a length says is believed as the bytes come. */
static struct span peek_field(struct input *in, uint64_t size)
{
    struct span ahead = input_peek(in, 1);

    while (ahead.len < size) {
        size_t before = ahead.len;

        ahead = input_peek(in, size < 2 * (uint64_t)before ? (size_t)size : 2 * before);
        if (ahead.len <= before)
            break;
    }
    return ahead;
}

static bool read_planes(struct xspace *space, struct input *in, struct error *err)
{
    enum { FIELD_HEAD_MAX = 20, LOOK = 64 };
    struct span ahead;

    while ((ahead = input_peek(in, FIELD_HEAD_MAX)).len) {
        uint64_t offset = input_offset(in), length;
        struct wire wire = wire_of(ahead);
        struct wire_field field;
        size_t head;

        if (!wire_head(&wire, &field, &length))
            return error_set_at(err, offset, 0, "no field of an XSpace begins there");
        head = (size_t)(wire.at - ahead.at);
        if (field.type != WIRE_BYTES) {
            input_skip(in, head);
            continue;
        }
        ahead = peek_field(in, length > UINT64_MAX - head ? UINT64_MAX : head + length);
        if (ahead.len - head < length) {
            if (is_converted((struct span){ahead.at, ahead.len < LOOK ? ahead.len : LOOK}))
                return error_set_at(err, offset, 0,
                                    "the file went through a conversion of texts, which "
                                    "destroyed all bytes from 80 on");
            warning_count(builder_warnings(space->builder), WARNING_LOSS,
                          "a plane that is cut off, left out: the names of its events are missing",
                          offset);
            builder_truncated(space->builder);
            return space->events ||
                   error_set_at(err, offset + ahead.len, 0,
                                "it is cut off before any plane ends that has events");
        }
        space->offset = offset;
        if (field.number == SPACE_PLANES)
            add_plane(space, (struct span){ahead.at + head, (size_t)length});
        input_skip(in, head + (size_t)length);
    }
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct xspace space = {.builder = builder, .timeline = builder_timeline(builder)};
    bool ok;

    if (!builder_begin_timeline(builder, err))
        return false;
    builder_producer(builder, "XLA (JAX, TensorFlow, PyTorch/XLA)");
    ok = read_planes(&space, in, err);
    if (ok && space.events == 0) {
        error_set(err, ERROR_LACK, "an XSpace whose planes have no events");
        ok = error_hint(err, "see whether anything ran while the profiler was on");
    }
    idmap_free(&space.tracks);
    idmap_free(&space.line_ids);
    idmap_free(&space.series);
    return ok;
}

/* An XSpace has no magic number: whether a plane has a name as XLA gives them, wherever in it. */
static enum sniff sniff_plane(struct span plane, bool is_whole)
{
    static const char *const names[] = {"/host:",   "/device:", "Task Environment", "Host CPUs",
                                        "Syscalls", "#Chip",    "/virtualdevice:",  NULL};
    struct wire wire = wire_of(plane);
    struct wire_field field;
    uint64_t length;

    while (wire.at < wire.end && wire_head(&wire, &field, &length)) {
        struct span rest = {wire.at, (size_t)(wire.end - wire.at)};

        if (field.type != WIRE_BYTES && field.type != WIRE_VARINT)
            return SNIFF_NO;
        if (field.number == PLANE_NAME)
            return field.type == WIRE_BYTES && span_starts_any(rest, names) ? SNIFF_YES : SNIFF_NO;
        if (length > rest.len)
            return is_whole ? SNIFF_NO : SNIFF_MORE;
        wire.at += length;
    }
    return is_whole ? SNIFF_NO : SNIFF_MORE;
}

static enum sniff sniff(struct span head, bool is_all)
{
    enum { PLANES = 1, HOSTNAMES = 4 };
    struct wire wire = wire_of(head);
    struct wire_field field;
    uint64_t length;

    if (wire_is_text(head))
        return SNIFF_NO;
    if (head.len < 64 && !is_all)
        return SNIFF_MORE;
    if (span_starts(head, SPAN("\x0a\xef\xbf\xbd")) &&
        span_find((struct span){head.at, head.len < 64 ? head.len : 64}, SPAN("/device:")) !=
            SIZE_MAX)
        return SNIFF_YES;
    while (wire.at < wire.end && wire_head(&wire, &field, &length)) {
        struct span inside = {wire.at, (size_t)(wire.end - wire.at)};
        bool is_whole = is_all || length <= inside.len;

        if (field.type != WIRE_BYTES || field.number > HOSTNAMES)
            return SNIFF_NO;
        inside.len = length < inside.len ? (size_t)length : inside.len;
        if (field.number == PLANES)
            return sniff_plane(inside, is_whole);
        if (length > (uint64_t)(wire.end - wire.at))
            break;
        wire.at += length;
    }
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_xplane = {
    .name = "xplane",
    .title = "XSpace files of XLA",
    .summary = "JAX, TensorFlow and PyTorch/XLA on GPUs, TPUs and CPUs: *.xplane.pb",
    .tried = "JAX 0.8, TensorFlow 2, ROCm 7",
    .omitted = "the programs (HLO) inside",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
