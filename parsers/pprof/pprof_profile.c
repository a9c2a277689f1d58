/* SPDX-License-Identifier: Apache-2.0 */
/* pprof_profile.c — the tables of a profile.proto: value types, mappings, functions and locations by their ids */
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

/* A message into a row. */
static bool read_row(struct span message, uint64_t offset, const struct wire_member *members,
                     size_t count, void *row, const char *what, struct error *err)
{
    struct wire wire = wire_of(message);
    uint64_t odd = wire_read(&wire, members, count, row);

    if (odd)
        return error_set_at(err, offset, 0, "%s: field %u is not a number", what, (unsigned)odd);
    if (wire.fault)
        return error_set_at(err, offset + (uint64_t)(wire.at - message.at), 0, "%s: %s", what,
                            wire.fault);
    return true;
}
#define READ_ROW(message, offset, members, row, what, err)                                         \
    read_row(message, offset, members, COUNT_OF(members), row, what, err)

static const struct wire_member value_type_members[] = {
    [1] = WIRE_MEMBER(struct value_type_row, type),
    [2] = WIRE_MEMBER(struct value_type_row, unit),
};

bool pprof_add_value_type(struct pprof *pprof, struct span bytes, uint64_t offset,
                          struct error *err)
{
    struct value_type_row type = {.offset = offset};

    if (!READ_ROW(bytes, offset, value_type_members, &type, "a sample type", err))
        return false;
    vector_add(&pprof->types, type);
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

static const struct wire_member mapping_members[] = {
    [1] = WIRE_MEMBER(struct mapping_row, id),
    [2] = WIRE_MEMBER(struct mapping_row, start),
    [3] = WIRE_MEMBER(struct mapping_row, limit),
    [4] = WIRE_MEMBER(struct mapping_row, file_offset),
    [5] = WIRE_MEMBER(struct mapping_row, file),
    [6] = WIRE_MEMBER(struct mapping_row, build_id),
};

bool pprof_add_mapping(struct pprof *pprof, struct span bytes, uint64_t offset, struct error *err)
{
    struct mapping_row mapping = {.offset = offset};

    if (!READ_ROW(bytes, offset, mapping_members, &mapping, "a mapping", err))
        return false;
    vector_add(&pprof->mappings, mapping);
    if (mapping.id == 0) /* which is how a location says that it has none */
        return error_set_at(err, offset, 0, "a mapping has id 0");
    return add_id(&pprof->mapping_ids, mapping.id, "mapping", offset, err);
}

static const struct wire_member function_members[] = {
    [1] = WIRE_MEMBER(struct function_row, id),
    [2] = WIRE_MEMBER(struct function_row, name),
    [3] = WIRE_MEMBER(struct function_row, system_name),
    [4] = WIRE_MEMBER(struct function_row, file),
    [5] = WIRE_MEMBER(struct function_row, line),
};

bool pprof_add_function(struct pprof *pprof, struct span bytes, uint64_t offset, struct error *err)
{
    struct function_row function = {.offset = offset};

    if (!READ_ROW(bytes, offset, function_members, &function, "a function", err))
        return false;
    vector_add(&pprof->functions, function);
    return add_id(&pprof->function_ids, function.id, "function", offset, err);
}

struct location_message {
    struct location_row row;
    struct wire_list lines;
};

static const struct wire_member location_members[] = {
    [1] = WIRE_MEMBER(struct location_message, row.id),
    [2] = WIRE_MEMBER(struct location_message, row.mapping_id),
    [3] = WIRE_MEMBER(struct location_message, row.address),
    [4] = WIRE_MEMBER(struct location_message, lines),
};

static const struct wire_member line_members[] = {
    [1] = WIRE_MEMBER(struct line_row, function_id),
    [2] = WIRE_MEMBER(struct line_row, line),
};

bool pprof_add_location(struct pprof *pprof, struct span bytes, uint64_t offset, struct error *err)
{
    struct location_message location = {.row.offset = offset};
    struct wire_field field;

    if (!READ_ROW(bytes, offset, location_members, &location, "a location", err))
        return false;
    location.row.first_line = (uint32_t)pprof->lines.count;
    while (location.row.line_count < LINES_MAX && wire_list_next(&location.lines, &field)) {
        uint64_t at = offset + (uint64_t)(location.lines.at - bytes.at) - field.bytes.len;
        struct line_row line = {.offset = at};

        if (field.type != WIRE_BYTES)
            return error_set_at(err, at, 0, "a location: a line is a number");
        if (!READ_ROW(field.bytes, at, line_members, &line, "a location's line", err))
            return false;
        vector_add(&pprof->lines, line);
        location.row.line_count++;
    }
    if (location.lines.left)
        warning_count(builder_warnings(pprof->builder), WARNING_LOSS,
                      "locations with more than 256 inlined functions, cut there", offset);
    vector_add(&pprof->locations, location.row);
    if (location.row.id == 0)
        return error_set_at(err, offset, 0, "a location has id 0");
    return add_id(&pprof->location_ids, location.row.id, "location", offset, err);
}
