/* SPDX-License-Identifier: Apache-2.0 */
/* frame.h — what a profile attributes its figures to: a function, an operator, a kernel … */
#ifndef PTK_GRAPH_MODEL_FRAME_H
#define PTK_GRAPH_MODEL_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/text/string_table.h"

typedef uint32_t frame_id; /* 0 is no frame: what stands above every stack */

/* Set by the parser, so that no pass matches on names. */
enum frame_kind {
    KIND_HOST,       /* native code on the CPU */
    KIND_PYTHON,     /* a Python function */
    KIND_OPERATOR,   /* a framework's operator: aten::mm, conv2d */
    KIND_ANNOTATION, /* a range that the user or the framework named */
    KIND_RUNTIME,    /* a call of the device's runtime or driver */
    KIND_KERNEL,
    KIND_MEMCPY,
    KIND_MEMSET,
    KIND_COMMUNICATION, /* a collective or a transfer between devices */
    KIND_SYNC,          /* waiting, not work */
    KIND_OTHER,
    KIND_COUNT
};

/* How finely the frames of one profile are distinguished. */
enum detail {
    DETAIL_FUNCTION, /* one a function: name, file, where it begins, module */
    DETAIL_FILE,     /* one a function's name and file, after grouping */
    DETAIL_LINE,     /* one a line of source: `line` is that one, not where the function begins */
    DETAIL_ADDRESS   /* and one an address of code */
};

/* Two frames are one when all parts are equal, and what they are grouped by (see struct frames). */
struct frame {
    str_id name;
    str_id file;   /* 0: none, as for a built-in */
    str_id module; /* a Python module, a library, a process; 0: not known */
    enum frame_kind kind : 8;
    bool is_nameless : 1; /* code that no symbol is known for; `name` is made from its place */
    bool shows_place : 1; /* its name does not tell it apart: people see its file as well */
    bool lacks_line : 1;  /* it is source, but where in its file is not known */
    bool is_inlined : 1;  /* with DETAIL_ADDRESS alone: its caller is at the same place */
    bool shows_column : 1; /* another function of its name begins in its line */
    int64_t line;         /* where the function begins; 0: not known */
    uint64_t address;     /* with DETAIL_ADDRESS alone; 0: not known */
    uint32_t column;      /* where in its line the function begins, of JavaScript; 0: not known */
};

struct frames {
    VECTOR(struct frame); /* by id */
    struct index index;
    enum detail detail;
    int64_t *begins_at;    /* of a finer detail than functions: the line of the frame's function */
    uint32_t begins_count; /* how many frames that is known of; 0 in it: not known */
    uint8_t *inlining;     /* a set of enum inlining */
    uint32_t inlining_count; /* how many frames that is known of */
    str_id *group;        /* what the frame's events belong to: a track, a step; NULL: not asked */
    uint32_t group_count; /* how many frames have one */
};

/* Frame 0 is there from the start, without a name. */
void frames_init(struct frames *frames);

/* The id of the frame, which is added on first use. */
frame_id frame_intern(struct frames *frames, const struct frame *frame);

/* One of the lines of a function that begins at `begins_at`, where frames are finer than functions:
 * two functions without a name may share a line. 0: where it begins is not known. */
frame_id frame_intern_in(struct frames *frames, const struct frame *frame, int64_t begins_at);

/* The frame once more, for those of its events that belong to `group`: a new one at each call, which
 * frame_intern() may take for the other. */
frame_id frame_split(struct frames *frames, frame_id id, str_id group);

/* What frame_split() said of it; 0: nothing. */
static inline str_id frame_group(const struct frames *frames, frame_id id)
{
    return id < frames->group_count ? frames->group[id] : 0;
}

/* Starts to fetch where frame_intern() will look first. */
void frame_prefetch(const struct frames *frames, const struct frame *frame);

/* Where the function of a frame begins; 0: not known. */
static inline int64_t frame_begins_at(const struct frames *frames, frame_id id)
{
    if (frames->detail == DETAIL_FUNCTION)
        return frames->list[id].line;
    return id < frames->begins_count ? frames->begins_at[id] : 0;
}

/* Where the code of a function stands, as far as the file says. */
enum inlining { IN_ITS_CALLERS = 1, ON_ITS_OWN = 2 };

/* A set of enum inlining; 0: not known. */
static inline uint8_t frame_inlining(const struct frames *frames, frame_id id)
{
    return id < frames->inlining_count ? frames->inlining[id] : 0;
}

/* Notes places of its code, a set, beside those before. */
void frame_add_inlining(struct frames *frames, frame_id id, uint8_t places);

/* "python", "kernel": as `--by kind` and the kind column show it. */
const char *frame_kind_name(enum frame_kind kind);

/* Runs on a device: kernels, copies and fills. */
bool frame_kind_is_device(enum frame_kind kind);

void frames_free(struct frames *frames);

#endif
