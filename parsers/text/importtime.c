/* SPDX-License-Identifier: Apache-2.0 */
/* importtime.c — what python -X importtime writes to standard error
 *
 *     import time: self [us] | cumulative | imported package
 *     import time:       281 |        773 |   _frozen_importlib_external
 *
 * A module stands after those that it imported, which are two blanks deeper. What the program itself
 * wrote to standard error may stand between. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/text/text_end.h"

enum { MICROSECOND = 1000 };
#define NO_PARENT UINT32_MAX

static const struct span prefix = LITERAL("import time:");
static const struct span heading =
    LITERAL("import time: self [us] | cumulative | imported package");

struct import {
    str_id name;
    int64_t self; /* ns */
    uint32_t depth, parent;
};

struct imports {
    VECTOR(struct import);           /* in the order of the file: importers last */
    struct VECTOR_OF(uint32_t) open; /* those whose importer has not come yet */
};

/* "       281 |        773 |   _frozen_importlib_external" */
static bool read_import(struct builder *builder, struct span line, struct import *import)
{
    struct span self = span_trim(span_split(&line, '|'));
    uint64_t us, cumulative;
    size_t blanks = 0;

    if (!span_to_u64(self, &us) || !span_to_u64(span_trim(span_split(&line, '|')), &cumulative) ||
        us > INT64_MAX / MICROSECOND)
        return false;
    while (blanks < line.len && line.at[blanks] == ' ')
        blanks++;
    if (blanks == line.len || blanks == 0)
        return false;
    *import = (struct import){.name = builder_intern(builder, span_after(line, blanks)),
                              .self = (int64_t)us * MICROSECOND,
                              .depth = (uint32_t)((blanks - 1) / 2),
                              .parent = NO_PARENT};
    return true;
}

static bool read_lines(struct input *in, struct builder *builder, struct imports *imports,
                       struct error *err)
{
    uint64_t offset = input_offset(in);
    struct import import;
    struct span line;

    for (; input_line(in, &line); offset = input_offset(in)) {
        size_t at = span_find(line, prefix); /* a line of the program's may not have ended */

        if (at == SIZE_MAX || span_eq(span_after(line, at), heading))
            continue;
        if (!read_import(builder, span_after(line, at + prefix.len), &import)) {
            warning_count(builder_warnings(builder), WARNING_LOSS,
                          "lines of imports that cannot be read, left out", offset);
            continue;
        }
        /* what was imported since, and is deeper, was imported by this one */
        while (imports->open.count &&
               imports->list[imports->open.list[imports->open.count - 1]].depth > import.depth)
            imports->list[imports->open.list[--imports->open.count]].parent =
                (uint32_t)imports->count;
        vector_add(&imports->open, (uint32_t)imports->count);
        vector_add(imports, import);
    }
    return imports->count > 0 || error_set_at(err, offset, 0, "no import is in it");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};
    struct imports imports = {0};
    node_id *nodes;
    bool ok = builder_begin(builder, LEVEL_CALLTREE, values, 1, 0, err) &&
              read_lines(in, builder, &imports, err);

    if (ok) {
        if (imports.list[imports.count - 1].depth > 0) /* who imported it has no line */
            text_ends_within(builder, "an import");
        builder_producer(builder, "Python, -X importtime");
        builder_fact(builder, "modules", (int64_t)imports.count, UNIT_COUNT);
    }
    nodes = grow_zeroed(imports.count, sizeof(*nodes));
    for (size_t i = imports.count; ok && i-- > 0;) { /* importers come after what they imported */
        const struct import *import = &imports.list[i];
        struct frame frame = {.name = import->name, .module = import->name, .kind = KIND_PYTHON};

        nodes[i] = builder_child(builder_stacks(builder),
                                 import->parent == NO_PARENT ? 0 : nodes[import->parent],
                                 builder_frame(builder, &frame));
        builder_add(builder_stacks(builder), nodes[i], 0, import->self);
    }
    free(nodes);
    free(imports.list);
    free(imports.open.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    return sniff_text(head, is_all, span_find(head, heading) != SIZE_MAX);
}

const struct parser parser_importtime = {
    .name = "importtime",
    .title = "reports of -X importtime",
    .summary = "python -X importtime 2>FILE: what each module's import took",
    .tried = "Python 3.11",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
