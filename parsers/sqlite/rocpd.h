/* SPDX-License-Identifier: Apache-2.0 */
/* rocpd.h — what the readers of AMD's databases share
 *
 * Every table exists once for each process, whose GUID its name ends with: ids are unique within one. A
 * column that a version of the schema does not have is in the row's track, where version 4 keeps all
 * that rows have in common. `stack_id` of an event is what a call and the work that it made share; its
 * `correlation_id` is the user's own. rocpd_tables.c reads what others refer to, rocpd.c what happened. */
#ifndef PTK_PARSERS_SQLITE_ROCPD_H
#define PTK_PARSERS_SQLITE_ROCPD_H

#include "base/text/string_table.h"
#include "parsers/device/amd_counters.h"
#include "parsers/sqlite/sqlite.h"

/* Of a table's name. */
enum { ROCPD_NAME_MAX = 160 };

/* What an event says of a region, a dispatch or a copy. */
struct rocpd_event {
    int64_t stack;
    str_id message; /* of a mark; 0 */
    bool is_mark, is_call;
};

struct rocpd_place {
    int64_t pid, tid, agent, queue, stream;
};

struct rocpd_kernel {
    str_id name;
    int64_t registers;
};

struct rocpd {
    struct recording *recording;
    struct arena arena;
    const char *suffix; /* of the process's tables */
    uint32_t number;    /* of the process */

    struct idmap strings, categories; /* by id: texts */
    struct idmap event_of, place_of, kernel_of, counter_of, device_of;
    struct VECTOR_OF(struct rocpd_event) events;
    struct VECTOR_OF(struct rocpd_place) places;
    struct VECTOR_OF(struct rocpd_kernel) kernels;
    bool has_streams; /* else all work is of the default one, and its queue tells */

    struct idmap dispatch_of;              /* by event: what was counted of it */
    struct VECTOR_OF(uint32_t) dispatches; /* numbers of events */
    struct VECTOR_OF(struct amd_counts) counts;
};

/* A table of the process at hand. */
void rocpd_query(const struct rocpd *rocpd, struct query *query, const char *table,
                 const struct query_column *columns, size_t count);
#define ROCPD_QUERY(rocpd, query, table, columns)                                                  \
    rocpd_query(rocpd, query, table, columns, COUNT_OF(columns))

/* ---- rocpd_tables.c ---- */

/* All that rows of what happened refer to. */
MUST_CHECK bool rocpd_read_tables(struct rocpd *rocpd, struct error *err);

/* A table's texts by their ids; and one of them, empty where there is none. */
MUST_CHECK bool rocpd_read_texts(struct rocpd *rocpd, const char *table, const char *column,
                                 struct idmap *texts, struct error *err);
struct span rocpd_text(const struct rocpd *rocpd, const struct idmap *texts, int64_t id);

/* What is said of a region, a dispatch or a copy; nothing where there is no such event. */
struct rocpd_event rocpd_event_at(const struct rocpd *rocpd, int64_t id);

/* A row's own place where it has one, else its track's; UNKNOWN: what the row does not say. */
struct rocpd_place rocpd_place_of(const struct rocpd *rocpd, int64_t track, struct rocpd_place own);

#endif
