/* SPDX-License-Identifier: Apache-2.0 */
/* text_stacks.h — stacks and call trees that other tools print: what the reader of a tool's text has to provide */
#ifndef PTK_PARSERS_TEXT_STACKS_TEXT_STACKS_H
#define PTK_PARSERS_TEXT_STACKS_TEXT_STACKS_H

#include "base/memory/memory.h"
#include "graph/build/builder.h"

enum { TEXT_VALUES_MAX = 3 };

/* A line of a call tree. Its caller is the last line above it that is indented less. */
struct text_row {
    size_t indent;
    struct frame frame;
    int64_t figures[TEXT_VALUES_MAX];
};

struct text_node {
    size_t indent;
    uint32_t parent; /* TEXT_NO_PARENT: none */
    struct frame frame;
    int64_t own[TEXT_VALUES_MAX];
    node_id place; /* in the builder's tree, once it is there */
};

#define TEXT_NO_PARENT UINT32_MAX

/* A text while it is read. A shape's reader uses what its kind of text needs of it. */
struct text_stacks {
    struct builder *builder;
    struct arena arena; /* for the texts of a line */
    const struct stack_shape *shape;
    struct value_name values[TEXT_VALUES_MAX];
    uint32_t value_count;
    bool has_shares;   /* the first figure is one, in thousandths */
    bool is_inclusive; /* the first figure of a row is with that of the rows below it */
    bool is_inside, has_ended, is_begun;
    struct error *err; /* why the reader of stacks ended, if it did */
    uint64_t left_out; /* parts of the text that are no stacks */
    int64_t stated;    /* the sum of the first figure, as the text says it; 0: it does not */
    struct VECTOR_OF(struct text_node) nodes; /* rows of a tree, callers first */
    struct VECTOR_OF(frame_id) stack;         /* a stack that is read, the leaf first, */
    struct VECTOR_OF(frame_id) outside; /* and what stands for all of it, the outermost first */
    int64_t period;                     /* of samples, ns */
    str_id module;                      /* of the rows that do not name theirs */
    size_t column, module_column;       /* of a table */
};

/* A tool's text. */
struct stack_shape {
    const char *producer;
    bool (*knows)(struct span line); /* only this tool writes such a line */

    /* Reads a line: adds a row, or adds to the stack and ends it. False where it cannot be understood. */
    bool (*read)(struct text_stacks *text, struct span line);

    bool is_tree;     /* rows of a tree; else stacks, each with a number */
    bool is_inverted; /* a tree of callers: the outermost rows are the leaves */
    bool has_end;     /* something stands behind the last row */
};

/* Where a row's figure is with those of the rows below it, its caller's is then without this one's. */
void text_row_add(struct text_stacks *text, const struct text_row *row);

/* Ends the stack that was read. */
void text_stack_end(struct text_stacks *text, int64_t amount);

/* Without the blanks that the line begins with, whose number goes to `indent`. */
struct span text_unindented(struct span line, size_t *indent);

/* The number at the front of `rest`, which is taken off. */
bool text_take_number(struct span *rest, int64_t *number);

/* The text before a mark, or all of it where there is none; and the text behind one, empty where there is none. */
struct span text_up_to(struct span text, struct span mark);
struct span text_behind(struct span text, struct span mark);

/* Code of that name. */
frame_id text_frame(struct text_stacks *text, struct span name, struct span module);

/* File and line of "main.c:12", "Main.hs:57:1-9" or "Main.hs:(117,5)-(118,43)"; none of anything else. */
void text_set_place(struct builder *builder, struct frame *frame, struct span place);

extern const struct stack_shape shape_dtrace, shape_bpftrace, shape_bpftrace_json,
    shape_rprof; /* stacks */
extern const struct stack_shape shape_sample, shape_deep_copy, shape_pmcstat, shape_ghc,
    shape_vtune; /* trees */

#endif
