/* SPDX-License-Identifier: Apache-2.0 */
/* jfr.h — a Java Flight Recorder file while it is read: what its events come to, by stack */
#ifndef PTK_PARSERS_JFR_JFR_H
#define PTK_PARSERS_JFR_JFR_H

#include "parsers/jfr/jfr_chunk.h"
#include "parsers/stacks/stack_tree.h"
#include "parsers/stacks/timed_samples.h"

/* ---- what events come to ---- */

enum { JFR_AMOUNTS = 2, JFR_KINDS_MAX = 128 };

/* What is no kind: events of the recorder's own, and those of more kinds than are kept. */
enum { JFR_NO_KIND = UINT8_MAX - 1, JFR_BEYOND };

struct jfr_amount {
    const char *name; /* of the value; NULL: there is none */
    enum unit unit;
    enum jfr_field field;
};

/* What events of a class come to. A class that is not in the table counts its events, under its own
 * name. */
struct jfr_rule {
    const char *event, *count; /* `count`: the value's name; NULL: none */
    struct jfr_amount amounts[JFR_AMOUNTS];
};

/* The rules' places in the table; those of kinds are the same. */
enum jfr_known {
    JFR_SAMPLE,
    JFR_WALL,
    JFR_NATIVE,
    JFR_CPU_TIME,
    JFR_ALLOCATION,
    JFR_TLAB,
    JFR_OUTSIDE_TLAB,
    JFR_LIVE,
    JFR_MALLOC,
    JFR_MONITOR,
    JFR_PARK,
    JFR_MONITOR_WAIT,
    JFR_SLEEP,
    JFR_FILE_READ,
    JFR_FILE_WRITE,
    JFR_SOCKET_READ,
    JFR_SOCKET_WRITE,
    JFR_COLLECTION,
    JFR_PAUSE,
    JFR_LOAD, /* shares of processors, which jfr_plant() makes time */
    JFR_RULES
};

extern const struct jfr_rule jfr_rules[JFR_RULES];

/* Equal stacks of one kind of event, with equal labels, are one row. */
struct jfr_row {
    uint32_t node;         /* of the stacks; 0: none */
    uint32_t kind, labels; /* labels 0: none */
    int64_t count, amounts[JFR_AMOUNTS];
};

struct jfr_labels {
    str_id thread, state;
};

struct jfr_kind {
    str_id name; /* of one that no rule is for */
    bool is_there, has_stacks;
    uint32_t of_count, of_amount[JFR_AMOUNTS]; /* values, from 1; 0: none */
};

/* One sample of a kind that is time, where times are asked for. */
struct jfr_timed {
    int64_t time, thread_id;
    str_id thread;
    uint32_t node, kind;
};

/* What the JVM used of all processors, as shares of them times ns. */
struct jfr_load {
    double user, system, seen; /* `seen`: ns for which it is known, */
    int64_t last;              /* ... until when */
    int64_t processors;
};

/* Frames that were seen not long ago, by what tells them apart. */
enum { JFR_RECENT_BITS = 12 };

struct jfr_recent {
    uint64_t key; /* 0: none */
    frame_id frame;
};

struct jfr {
    struct builder *builder;
    struct input *in;
    bool by_line, wants_labels, wants_times;
    struct VECTOR_OF(struct jfr_timed) timed;
    struct stack_tree stacks; /* of all chunks */
    struct VECTOR_OF(struct jfr_row) rows;
    struct idmap row_of;                        /* by node, and by labels and kind */
    struct VECTOR_OF(struct jfr_labels) labels; /* of number 1, 2, … */
    struct idmap labels_of;                     /* by thread and state */
    struct jfr_kind kinds[JFR_KINDS_MAX];       /* those of the rules first */
    uint32_t kind_count;
    struct VECTOR_OF(frame_id) path; /* of a stack, the leaf first */
    struct VECTOR_OF(uint32_t) last; /* nodes of the stack before, the root first */
    uint64_t chunks, events, unknown, broken, cut, beyond;
    int64_t duration; /* ns */
    str_id jvm;
    struct jfr_load load;
    struct jfr_text text, more;

    /* of the chunk */
    struct idmap stack_of;  /* by number, the node */
    struct idmap thread_of; /* by number, the name */
    struct jfr_recent recent[1 << JFR_RECENT_BITS];
    uint32_t recent_class; /* the class of frames that these are of */
    struct idmap frame_of; /* by type, method and line */
    bool has_c_frames;     /* "Native" is a function of C */
};

/* ---- stacks (jfr_stacks.c) ---- */

/* The node of the event's stack; 0 where it has none. */
uint32_t jfr_stack_of(struct jfr *jfr, const struct jfr_chunk *chunk,
                      const struct jfr_value *event);

/* The child of a node that is named by itself, as what a collector does is. */
uint32_t jfr_named_node(struct jfr *jfr, uint32_t parent, struct span name);

/* ---- samples (jfr_samples.c) ---- */

/* Which kind events of a class are, JFR_NO_KIND or JFR_BEYOND. */
uint32_t jfr_kind_of(struct jfr *jfr, struct span class_name);

/* Adds an event to its row. */
void jfr_add(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event,
             uint32_t kind, uint32_t node);

/* Adds what the processors did until an event of JFR_LOAD. */
void jfr_add_load(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event);

/* Hands all rows to the builder, which begins with it. */
MUST_CHECK bool jfr_plant(struct jfr *jfr, struct error *err);

#endif
