/* SPDX-License-Identifier: Apache-2.0 */
/* pprof_ids.h — a table's ids, which may be any 64-bit number, and the row of each */
#ifndef PTK_PARSERS_PPROF_PPROF_IDS_H
#define PTK_PARSERS_PPROF_PPROF_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/idmap.h"

#define ID_UNKNOWN UINT32_MAX

/* Ready for use when zeroed. Ids from 1 up, as nearly all writers have them, are an array. */
struct ids {
    uint32_t *dense; /* by id: the row, or ID_UNKNOWN */
    uint64_t dense_count;
    struct idmap sparse;
    size_t dense_cap;
    uint32_t rows;
};

/* Says that the next row has this id. False when another has it, or it is 0. */
bool ids_add(struct ids *ids, uint64_t id);

uint32_t ids_find_sparse(const struct ids *ids, uint64_t id);

/* The row, or ID_UNKNOWN. */
static inline uint32_t ids_find(const struct ids *ids, uint64_t id)
{
    if (id < ids->dense_count && ids->dense[id] != ID_UNKNOWN)
        return ids->dense[id];
    return ids_find_sparse(ids, id);
}

void ids_free(struct ids *ids);

#endif
