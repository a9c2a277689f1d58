/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/pprof/pprof_ids.h"

#include <stdlib.h>

#include "base/memory/grow.h"

/* How much of the array may stay empty. */
enum { SLACK = 1024 };

static void make_room(struct ids *ids, uint64_t id)
{
    if (id >= ids->dense_cap) {
        ids->dense_cap = grow_cap(ids->dense_cap, (size_t)id + 1);
        ids->dense = grow_to(ids->dense, ids->dense_cap, sizeof(*ids->dense));
    }
    while (ids->dense_count <= id)
        ids->dense[ids->dense_count++] = ID_UNKNOWN;
}

bool ids_add(struct ids *ids, uint64_t id)
{
    uint32_t row = ids->rows++;

    if (id == 0 || ids_find(ids, id) != ID_UNKNOWN)
        return false;
    if (id < 2 * (uint64_t)row + SLACK) {
        make_room(ids, id);
        ids->dense[id] = row;
    } else {
        *idmap_at(&ids->sparse, id) = row;
    }
    return true;
}

uint32_t ids_find_sparse(const struct ids *ids, uint64_t id)
{
    return ids->sparse.count ? idmap_find(&ids->sparse, id) : (uint32_t)ID_UNKNOWN;
}

void ids_free(struct ids *ids)
{
    free(ids->dense);
    idmap_free(&ids->sparse);
}
