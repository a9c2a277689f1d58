/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/pprof/pprof_profile.h"

#include <stdlib.h>

#include "base/memory/memory.h"

/* ---- a table's ids, which may be any 64-bit number, and the row of each ---- */

/* How much of the array may stay empty. */
enum { SLACK = 1024 };

/* Says that the next row has this id. False when another has it. */
static bool ids_add(struct ids *ids, uint64_t id)
{
    uint32_t row = ids->rows++;

    if (ids_find(ids, id) != ID_UNKNOWN)
        return false;
    if (id < 2 * (uint64_t)row + SLACK) {
        if (id >= ids->dense_cap) {
            ids->dense_cap = grow_cap(ids->dense_cap, (size_t)id + 1);
            ids->dense = grow_to(ids->dense, ids->dense_cap, sizeof(*ids->dense));
        }
        while (ids->dense_count <= id)
            ids->dense[ids->dense_count++] = ID_UNKNOWN;
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

/* ---- value types, mappings, functions and locations: one row a message ---- */

/* More inlined functions at one place than any compiler makes: a file must not multiply itself. */
enum { LINES_MAX = 256 };

/* Reads a message whose interesting fields are numbers: into[n] gets field n. Fields past `count`
 * and those whose type is not a number's are passed to `rest`, when there is one. */
struct numbers {
    uint64_t into[16];
    unsigned count;
    bool (*rest)(struct pprof *pprof, const struct wire_field *field, uint64_t offset,
                 struct error *err);
};

static bool read_numbers(struct pprof *pprof, struct span bytes, uint64_t offset,
                         struct numbers *numbers, const char *what, struct error *err)
{
    struct wire wire = wire_of(bytes);
    struct wire_field field;

    while (wire_next(&wire, &field)) {
        uint64_t at = offset + (uint64_t)(wire.at - bytes.at) - field.bytes.len;

        if (field.number >= numbers->count)
            continue;
        if (numbers->rest && field.number == 4 && field.type == WIRE_BYTES) {
            if (!numbers->rest(pprof, &field, at, err))
                return false;
        } else if (field.type != WIRE_VARINT) {
            return error_set_at(err, at, 0, "%s: field %u is not a number", what,
                                (unsigned)field.number);
        } else {
            numbers->into[field.number] = field.value;
        }
    }
    if (wire.fault)
        return error_set_at(err, offset + (uint64_t)(wire.at - bytes.at), 0, "%s: %s", what,
                            wire.fault);
    return true;
}

bool pprof_add_value_type(struct pprof *pprof, struct span bytes, uint64_t offset,
                          struct error *err)
{
    struct numbers n = {.count = 3};

    if (!read_numbers(pprof, bytes, offset, &n, "a sample type", err))
        return false;
    vector_add(&pprof->types, (struct value_type_row){n.into[1], n.into[2], offset});
    return true;
}

/* Of functions 0 is one, too: writers of .NET count them from there, which the format forbids. */
static bool add_id(struct ids *ids, uint64_t id, const char *what, uint64_t offset,
                   struct error *err)
{
    if (ids_add(ids, id))
        return true;
    return error_set_at(err, offset, 0, "%s %llu is there twice", what, (unsigned long long)id);
}

bool pprof_add_mapping(struct pprof *pprof, struct span bytes, uint64_t offset, struct error *err)
{
    struct numbers n = {.count = 11};

    if (!read_numbers(pprof, bytes, offset, &n, "a mapping", err))
        return false;
    vector_add(&pprof->mappings, (struct mapping_row){n.into[1], n.into[2], n.into[3], n.into[4],
                                                      n.into[5], n.into[6], offset});
    if (n.into[1] == 0) /* which is how a location says that it has none */
        return error_set_at(err, offset, 0, "a mapping has id 0");
    return add_id(&pprof->mapping_ids, n.into[1], "mapping", offset, err);
}

bool pprof_add_function(struct pprof *pprof, struct span bytes, uint64_t offset, struct error *err)
{
    struct numbers n = {.count = 6};

    if (!read_numbers(pprof, bytes, offset, &n, "a function", err))
        return false;
    vector_add(&pprof->functions, (struct function_row){n.into[1], n.into[2], n.into[3], n.into[4],
                                                        (int64_t)n.into[5], offset});
    return add_id(&pprof->function_ids, n.into[1], "function", offset, err);
}

static bool add_line(struct pprof *pprof, const struct wire_field *field, uint64_t offset,
                     struct error *err)
{
    struct numbers n = {.count = 4};

    if (!read_numbers(pprof, field->bytes, offset, &n, "a location's line", err))
        return false;
    vector_add(&pprof->lines, (struct line_row){n.into[1], (int64_t)n.into[2], offset});
    return true;
}

bool pprof_add_location(struct pprof *pprof, struct span bytes, uint64_t offset, struct error *err)
{
    struct numbers n = {.count = 6, .rest = add_line};
    size_t first = pprof->lines.count;

    if (!read_numbers(pprof, bytes, offset, &n, "a location", err))
        return false;
    if (pprof->lines.count - first > LINES_MAX) {
        warning_count(builder_warnings(pprof->builder), WARNING_LOSS,
                      "locations with more than 256 inlined functions, cut there", offset);
        pprof->lines.count = first + LINES_MAX;
    }
    vector_add(&pprof->locations,
               (struct location_row){n.into[1], n.into[2], n.into[3], (uint32_t)first,
                                     (uint32_t)(pprof->lines.count - first), offset});
    if (n.into[1] == 0)
        return error_set_at(err, offset, 0, "a location has id 0");
    return add_id(&pprof->location_ids, n.into[1], "location", offset, err);
}
