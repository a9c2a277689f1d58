/* SPDX-License-Identifier: Apache-2.0 */
/* xplane.h — what the readers of an XSpace share: a plane, its tables, and what its events say
 *
 * xplane.c takes the file apart into planes and their tables, and those into lines; xplane_lines.c makes
 * tracks of the lines and events of what is in them. */
#ifndef PTK_PARSERS_XPLANE_XPLANE_H
#define PTK_PARSERS_XPLANE_XPLANE_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "parsers/protobuf/protobuf_wire.h"

/* ---- statistics: named values of an event, of a kind of event, or of a plane ---- */

/* Those that are looked at. */
enum xplane_stat {
    STAT_NONE,
    STAT_ALLOCATED,
    STAT_ALLOCATOR,
    STAT_BANDWIDTH,
    STAT_BYTES_ACCESSED,
    STAT_CLOCK_RATE,
    STAT_CONSUMER,
    STAT_CONSUMER_TYPE,
    STAT_CORE_COUNT,
    STAT_CORRELATION,
    STAT_DEVICE_NAME,
    STAT_DEVICE_TYPE,
    STAT_FLOPS,
    STAT_HLO_CATEGORY,
    STAT_HLO_MODULE,
    STAT_HLO_OP,
    STAT_ITERATION,
    STAT_KERNEL_DETAILS,
    STAT_MAJOR,
    STAT_MEMCPY_DETAILS,
    STAT_MEMORY_BREAKDOWN,
    STAT_MEMORY_SIZE,
    STAT_MEMSET_DETAILS,
    STAT_MINOR,
    STAT_PEAK_BANDWIDTH,
    STAT_PRODUCER,
    STAT_PRODUCER_TYPE,
    STAT_START_TIME,
    STAT_STEP_NAME,
    STAT_STEP_NUMBER,
    STAT_TF_OP,
    STAT_VENDOR,
    STAT_COUNT
};

/* A value is a number or a text. */
struct stat_value {
    int64_t number;
    double real; /* of those that are no integers; else the same number */
    struct span text;
};

/* The values of those that are there. */
struct stat_set {
    uint64_t known; /* a bit each */
    struct stat_value list[STAT_COUNT];
};

static inline bool stat_has(const struct stat_set *stats, enum xplane_stat stat)
{
    return stats->known >> stat & 1;
}

static inline struct span stat_text(const struct stat_set *stats, enum xplane_stat stat)
{
    return stat_has(stats, stat) ? stats->list[stat].text : (struct span){0};
}

static inline int64_t stat_number(const struct stat_set *stats, enum xplane_stat stat,
                                  int64_t otherwise)
{
    return stat_has(stats, stat) ? stats->list[stat].number : otherwise;
}

/* ---- a plane: a device, the host, or facts alone ---- */

enum plane_kind { PLANE_HOST, PLANE_GPU, PLANE_TPU, PLANE_OTHER_DEVICE, PLANE_PROCESSORS };

/* The frame of the last event of a type, and what it was decided by. */
struct decided_frame {
    frame_id frame; /* 0: none yet */
    str_id name, category_name;
    enum frame_kind kind;
    enum track_kind track;
    uint64_t known; /* of those statistics that decide by being there */
    struct span category, module;
};

/* A kind of event, which many events are of. */
struct event_type {
    struct span name, display;
    struct wire_list stats;        /* not read yet: */
    size_t first_stat, stat_count; /* in plane_tables.type_stats, once they are read */
    bool is_read;
    str_id shown; /* 0: not asked for yet */
    struct decided_frame last;
};

struct known_stat {
    enum xplane_stat stat;
    struct stat_value value;
};

struct stat_type {
    enum xplane_stat stat;
    struct span name; /* a text that other statistics refer to, as often as not */
};

enum { SMALL_STATS = 256 };

struct plane_tables {
    struct VECTOR_OF(struct event_type) events;
    struct VECTOR_OF(struct stat_type) stats;
    struct VECTOR_OF(struct known_stat) type_stats; /* of events' types */
    struct idmap event_of_id, stat_of_id;           /* any 64-bit number; */
    uint32_t small_stats[SMALL_STATS];              /* the small ones again, plus 1; 0: none */
};

struct xspace {
    struct builder *builder;
    struct timeline_builder *timeline;
    struct idmap tracks, line_ids, series; /* by plane and line; a line's number; by allocator */
    int64_t absolute_start; /* the first time that counts from the epoch; 0: none did yet */
    uint64_t offset;        /* of the plane at hand, in the file */
    uint64_t events;

    str_id plane_name;
    enum plane_kind kind;
    int32_t device;
    struct plane_tables tables;
    struct stat_set stats; /* of the event at hand */
};

/* The index of a statistic's type, or IDMAP_NONE. */
static inline uint32_t xspace_stat_type(const struct plane_tables *tables, uint64_t id)
{
    return id < SMALL_STATS ? tables->small_stats[id] - 1 : idmap_find(&tables->stat_of_id, id);
}

/* Reads a statistic into the set, where anybody looks at it. */
void xspace_take_stat(const struct xspace *space, struct span message, struct stat_set *stats);

/* Makes events of a line's message. */
void xspace_add_line(struct xspace *space, struct span message);

#endif
