/* SPDX-License-Identifier: Apache-2.0 */
/* pprof_profile.h — pprof's messages */
#ifndef PTK_PARSERS_PPROF_PPROF_PROFILE_H
#define PTK_PARSERS_PPROF_PPROF_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/string_table.h"
#include "base/text/unit.h"
#include "parsers/parser.h"
#include "parsers/protobuf/protobuf_wire.h"

/* ---- the inside of the pprof parser: a profile.proto as it is read ---- */

/* Field tables: https://github.com/google/pprof/blob/main/proto/profile.proto. Tables and strings
 * come in any order, most writers put them after the samples, and samples refer to them all: so a
 * first pass fills the tables and puts the samples' own bytes aside, and a second one reads
 * those. */

/* ---- a table's ids, which may be any 64-bit number, and the row of each ---- */

#define ID_UNKNOWN UINT32_MAX

/* Ready for use when zeroed. Ids from 1 up, as nearly all writers have them, are an array. */
struct ids {
    uint32_t *dense; /* by id: the row, or ID_UNKNOWN */
    uint64_t dense_count;
    struct idmap sparse;
    size_t dense_cap;
    uint32_t rows;
};

uint32_t ids_find_sparse(const struct ids *ids, uint64_t id);

/* The row, or ID_UNKNOWN. */
static inline uint32_t ids_find(const struct ids *ids, uint64_t id)
{
    if (id < ids->dense_count && ids->dense[id] != ID_UNKNOWN)
        return ids->dense[id];
    return ids_find_sparse(ids, id);
}

void ids_free(struct ids *ids);

/* ---- the inside of the pprof parser: a profile.proto as it is read ---- */

/* The numbers of the outer message's fields. */
enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_DROP_FRAMES = 7,
    PROFILE_KEEP_FRAMES = 8,
    PROFILE_TIME = 9,
    PROFILE_DURATION = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_TYPE = 14,
    PROFILE_DOC_URL = 15,
    PROFILE_FIELDS
};

/* Strings are indices into the string table until they are resolved; it begins with "". */
typedef uint64_t string_index;

struct value_type_row {
    string_index type, unit;
    uint64_t offset;
};

struct mapping_row {
    uint64_t id, start, limit, file_offset;
    string_index file, build_id;
    uint64_t offset;
};

struct function_row {
    uint64_t id;
    string_index name, system_name, file;
    int64_t line; /* where it begins */
    uint64_t offset;
};

struct line_row {
    uint64_t function_id;
    int64_t line;
    uint64_t offset;
};

/* Its lines are lines[first_line] …, the innermost inlined function first. */
struct location_row {
    uint64_t id, mapping_id, address;
    uint32_t first_line, line_count;
    uint64_t offset;
};

/* What a location stands for, the leaf first: frames[first] … */
struct expansion {
    uint32_t first, count;
};

enum { BRIEF = 2 };

/* The same for the many that stand for one function or two: 0 behind the only one; 0 and 0 where
 * the expansion is to be looked at. */
struct brief {
    frame_id frames[BRIEF];
};

/* What drop_frames says of a location. */
enum prune_mark { PRUNE_NOTHING, PRUNE_IT, PRUNE_BELOW };

/* Where the frames of a location are in a stack. */
struct stack_place {
    uint32_t location;
    size_t first, end;
};

/* The samples' bytes, in blocks. */
struct sample_block {
    struct sample_block *next;
    size_t used, cap;
    char bytes[];
};

struct pprof {
    struct input *in;
    struct builder *builder;
    struct stack_builder *stacks;

    struct VECTOR_OF(struct value_type_row) types;
    struct VECTOR_OF(struct mapping_row) mappings;
    struct VECTOR_OF(struct function_row) functions;
    struct VECTOR_OF(struct location_row) locations;
    struct VECTOR_OF(struct line_row) lines;
    struct VECTOR_OF(str_id) strings;
    struct VECTOR_OF(string_index) comments;
    struct ids mapping_ids, function_ids, location_ids;

    struct sample_block *first_block, *last_block;

    int64_t plain[PROFILE_FIELDS]; /* the outer message's numbers */

    struct expansion *expansions; /* by location */
    struct brief *briefs;         /* by id, where ids are dense */
    uint64_t brief_count;
    struct VECTOR_OF(frame_id) frames;
    int64_t *scales; /* by value type: to the base unit */
    enum detail detail;
    uint8_t *marks; /* by location, enum prune_mark; NULL: nothing is dropped */
};

/* One inner message into its table. `offset` is that of its first byte. */
MUST_CHECK bool pprof_add_value_type(struct pprof *pprof, struct span bytes, uint64_t offset,
                                     struct error *err);
MUST_CHECK bool pprof_add_mapping(struct pprof *pprof, struct span bytes, uint64_t offset,
                                  struct error *err);
MUST_CHECK bool pprof_add_location(struct pprof *pprof, struct span bytes, uint64_t offset,
                                   struct error *err);
MUST_CHECK bool pprof_add_function(struct pprof *pprof, struct span bytes, uint64_t offset,
                                   struct error *err);

/* Makes sure that every reference leads somewhere, and makes the frames of all locations. */
MUST_CHECK bool pprof_resolve(struct pprof *pprof, struct error *err);

/* The text's id; 0 and ERROR_INPUT when the table has no such row. */
MUST_CHECK bool pprof_string(const struct pprof *pprof, string_index index, const char *what,
                             uint64_t offset, str_id *id, struct error *err);

/* Honours drop_frames and keep_frames in a stack, leaf first: how many frames are to go from its
 * start. */
size_t pprof_prune_stack(const struct pprof *pprof, const struct stack_place *places, size_t count);

/* What a type of values is counted in; anything is counted that is not known. */
struct pprof_unit {
    const char *name;
    enum unit unit;
    int64_t scale; /* to the base unit */
};

struct pprof_unit pprof_unit_named(struct span name);

/* Begins the graph: the value types in base units, and which one is meant. */
MUST_CHECK bool pprof_begin(struct pprof *pprof, struct error *err);

/* Puts a sample's bytes aside, and adds all of them to the graph. */
void pprof_keep_sample(struct pprof *pprof, struct span bytes, uint64_t offset);
MUST_CHECK bool pprof_add_samples(struct pprof *pprof, struct error *err);
void pprof_free_samples(struct pprof *pprof);

#endif
