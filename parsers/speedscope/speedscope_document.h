/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope_document.h — a speedscope file while it is read */
#ifndef PTK_PARSERS_SPEEDSCOPE_SPEEDSCOPE_DOCUMENT_H
#define PTK_PARSERS_SPEEDSCOPE_SPEEDSCOPE_DOCUMENT_H

#include "base/text/string_table.h"
#include "base/text/unit.h"
#include "parsers/json/json.h"
#include "parsers/stacks/sampled_stacks.h"
#include "parsers/stacks/stack_list.h"
#include "parsers/stacks/stack_tree.h"

enum { VALUES_MAX = STACK_LIST_VALUES };

/* What the figures of one or more of the file's profiles count. */
struct scope_value {
    str_id name;
    enum unit unit;
    int scale;         /* decimal places from the file's unit to the base unit */
    uint32_t profiles; /* of it */
};

/* One of the file's profiles: a thread, or with ptk as the writer a value. */
struct scope_thread {
    str_id name;
    uint32_t value;
    bool has_stacks;                 /* what it did is not in the tree, but */
    size_t first_stack, stack_count; /* in the list */
};

struct document {
    struct builder *builder;
    struct json_stream json;
    bool is_own; /* written by ptk: a sampled profile is a value, not a thread */
    struct scope_value values[VALUES_MAX];
    uint32_t value_count;
    struct VECTOR_OF(struct scope_thread) threads;
    struct VECTOR_OF(struct frame) frames; /* by number */
    struct stack_list stacks;              /* of sampled profiles, where nobody wants times */
    struct stack_tree tree;                /* of all others */
    int64_t first, last;    /* ns: of what profiles of time cover; first > last: of nothing */
    bool wants_times;       /* keep what follows */
    struct sampled sampled; /* which node of the tree ran when, by thread */
    uint64_t samples;
    int64_t active; /* the profile that is shown first */
};

/* Reads one of the file's profiles, at its value. */
void profile_read(struct document *document);

#endif
