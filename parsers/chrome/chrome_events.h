/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_events.h — events of a Chrome trace: their fields, classes, rows, names and pairs */
#ifndef PTK_PARSERS_CHROME_CHROME_EVENTS_H
#define PTK_PARSERS_CHROME_CHROME_EVENTS_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "graph/classify/event_class.h"
#include "parsers/chrome/scan/scanner.h"
#include "parsers/json/json.h"

/* ---- from a list as it stands in the file to the graph's text, at one look a list ---- */

struct cached_text {
    struct span raw; /* what stood in the file */
    str_id id;       /* of the same with one space after each comma and colon */
};

/* Ready for use when zeroed. */
struct text_cache {
    struct index index;
    VECTOR(struct cached_text); /* by the index' id - 1 */
    struct arena raw;           /* of those that are spaced otherwise */
};

/* A string without its escapes; anything else as it is, but for the spaces. */
str_id text_cache_find(struct text_cache *text_cache, struct builder *builder, struct token token);

void text_cache_free(struct text_cache *text_cache);

/* ---- from an event's name as it stands in the file to its frame, at one look a name ---- */

enum { NO_STEP = -1 };

struct chrome_name {
    uint64_t hash;   /* the same for the same name in all of the process */
    struct span raw; /* what stood in the file */
    frame_id frame;
    enum frame_kind asked, kind; /* the category's, and what the name makes of it */
    int64_t step;                /* of "ProfilerStep#3": 3; else NO_STEP */
    enum input_need inputs;      /* as builder_input_need() */
};

/* Ready for use when zeroed. */
struct names {
    struct index index;
    VECTOR(struct chrome_name); /* by the index' id - 1 */
    struct arena raw;           /* of the names that hold escapes */
};

/* Valid until the next call. A name that is missing or null is empty. */
const struct chrome_name *names_find(struct names *names, struct builder *builder,
                                     struct token token, enum frame_kind kind);

void names_free(struct names *names);

/* ---- the members of args that mean something to ptk, and which of them a command wants ---- */

enum argument {
    ARG_CORRELATION = FIELD_FIRST_ARG,
    ARG_EXTERNAL_ID, /* of the operator around it */
    ARG_COLLECTIVE,
    ARG_DEVICE,
    ARG_DEVICE_TYPE,
    ARG_DEVICE_ID,
    ARG_START_TIME,
    ARG_XLA_DETAILS,
    ARG_EARLY_CALL,
    ARG_PROPERTY, /* from here on: properties */
    ARG_END = ARG_PROPERTY + PROP_COUNT,
};
_Static_assert((int)ARG_END <= (int)FIELD_COUNT, "an event has room for all members of args");

/* How an argument's value becomes a property's. */
enum argument_kind {
    ARGUMENT_NUMBER,
    ARGUMENT_TEXT,    /* a string's text, or any other value as it stands */
    ARGUMENT_PPM,     /* a number of units */
    ARGUMENT_PERCENT, /* a number of hundredths */
    ARGUMENT_PACK3,   /* [x, y, z] */
    ARGUMENT_GB_PER_SECOND,
};

/* For a field from ARG_PROPERTY on. */
enum argument_kind argument_kind(enum field field);

static inline enum property argument_property(enum field field)
{
    return (enum property)(field - ARG_PROPERTY);
}

static inline enum field property_field(enum property property)
{
    return (enum field)(ARG_PROPERTY + property);
}

/* Which of them a command wants. */
struct wanted_args {
    bool fields[FIELD_COUNT];
    bool any;          /* of them but ARG_COLLECTIVE */
    bool of_operators; /* any that PyTorch's operators have, of which most traces are, */
    bool of_python;    /* or its Python functions */
};

void wanted_args_init(struct wanted_args *args, const struct builder *builder);

/* What the scanner is to ask; `args` must outlive it. */
struct wanted wanted_args(const struct wanted_args *args);

/* What an event says beside its time: the graph's properties and links, samples of
 * counters. */

/* ---- what the name of a copy says of it: "Memcpy HtoD (Pageable -> Device)" ---- */

/* Gives the event, by its number, PROP_COPY_KIND, PROP_SRC_KIND and PROP_DST_KIND, as far as the
 * name tells and somebody wants them. */
void copy_name_add(struct builder *builder, uint32_t event, struct span name);

/* ---- counter events: every member of one's args is a sample of a series of its own ---- */

/* Ready for use when zeroed. */
struct counters {
    struct idmap series; /* by hash of pid, name, id and key */
};

/* Members that are no numbers are left out. `time` in ns. */
void counters_add(struct counters *counters, struct builder *builder, const struct event *event,
                  int64_t time);

void counters_free(struct counters *counters);

/* ---- an event's args as the graph's properties and links ---- */

/* Gives the event of that number what its args say. */
void arguments_add(struct builder *builder, struct text_cache *text_cache,
                   const struct event *event, const struct chrome_name *name, uint32_t number);

/* What kind of work an event is, from its category, never from where it ran;
 * and in which row it stands. */

/* ---- what kind of work an event is: from its category, never from where it ran ---- */

/* A category as one file has it. */
struct class
{
    str_id name;
    uint16_t category; /* its number with the builder */
    enum frame_kind kind;
    enum row_role role;
    bool is_by_row; /* where it ran says more */
    uint64_t events;
};

struct classes {
    struct class *list; /* 0 is that of events without a category */
    uint32_t count;
    struct idmap by_hash;
};

void classes_init(struct classes *classes, struct timeline_builder *builder);

/* The index of the event's class. Known categories have their kinds; all others are host work. */
uint32_t classes_find(struct classes *classes, struct builder *builder, struct token category);

/* Adds what another reader has counted. `texts`: by its ids, those of builder. */
void classes_absorb(struct classes *classes, struct builder *builder, const struct classes *part,
                    const str_id *texts);

void classes_free(struct classes *classes);

/* ---- what kind of work an event is, and in which row it stands ---- */

/* Events of one shape mostly come from one thread, so both are remembered with the shape, and
 * found again only where the thread is another one. */

struct classified_event {
    uint32_t class, row;
    enum frame_kind kind;
    enum row_role role;
    uint16_t category;
    bool is_by_row; /* kind and role come from the row */
};

enum { PLACE_TEXT_MAX = 24 };

/* By shape: that of its last event, and by what the next is known to stand there, too. */
struct place {
    struct classified_event classified;
    bool is_known, may_change; /* when the row is named */
    uint8_t pid_len, tid_len;
    char pid[PLACE_TEXT_MAX], tid[PLACE_TEXT_MAX]; /* as they stand in the file */
};

/* Ready for use when zeroed. */
struct places {
    struct place of_shape[SHAPES_MAX + 1];
};

struct chrome_rows;

/* Counts the event with its class. ROW_THREAD stands for the role that the class has. Valid until the
 * next call. */
const struct classified_event *classify_event(struct places *places, struct chrome_rows *rows,
                                              struct classes *classes, struct builder *builder,
                                              const struct event *event, enum row_role role);

/* ---- the rows of a trace, (pid, tid) and role, which become the tracks of the timeline ---- */

struct producer;

/* An event as its producer's hook gets it. */
struct added_event {
    uint32_t event, row;
    int64_t start, duration; /* ns */
    frame_id
        range; /* the hook's: what it is called where it turns out to be one; 0: it has not looked */
    size_t flows; /* the hook's: points of flows before it in the file */
};

/* Number and text that look alike are one: 12 and "12". */
struct chrome_row {
    str_id pid, tid;
    enum row_role role;
    int64_t last_end;                /* ns; the latest that any of its events ends */
    const struct producer *producer; /* who calls devices so; NULL: several, or it is none */
    struct added_event last_added;   /* the producer's */
};

/* Ready for use when zeroed. A row's index is its track's. */
struct chrome_rows {
    struct chrome_row *list;
    uint32_t count;
    size_t cap;
    struct idmap by_hash;
    struct idmap names; /* (pid, tid) → text; tid 0: of the process, UINT32_MAX: its labels */
    bool has_planes;    /* some process says what it is; see producers.h */
    bool has_numbered;  /* some is one stream of a device */
    bool has_fractions; /* some time was finer than a microsecond */
    int64_t quantum;    /* ns by which times are uncertain all the same */
    int64_t entering;   /* ns: see track.entering */
    const struct producer *producer; /* who calls processes so; NULL: nobody known */
};

uint32_t rows_find(struct chrome_rows *rows, struct builder *builder, struct token pid,
                   struct token tid, enum row_role role);

/* Which thread of its process a row is, as text. */
struct span rows_thread(struct token pid, struct token tid, enum row_role role);

/* Whether names, or an id that is one, may say what the process is: quick, for it is asked of every
 * event. */
bool rows_may_be_plane(const struct chrome_rows *rows, struct token pid);

/* An event's class where its category tells little: by where it ran, if that is a device; a call on
 * the host that has a correlation is the runtime's. */
struct class rows_class(const struct chrome_rows *rows, struct builder *builder,
                        const struct event *event, struct class class);

/* The same row, by the texts; IDMAP_NONE when it has no events. */
uint32_t rows_known(const struct chrome_rows *rows, struct span process, struct span thread,
                    enum row_role role);

/* Reads a metadata event ("M"): names of processes and threads. All others are left alone: they
 * may hold anything. */
void rows_name(struct chrome_rows *rows, struct builder *builder, struct token what,
               struct token pid, struct token tid, struct token args);

/* Takes another reader's rows and names. `texts`: by its ids, those of builder. Returns, by its
 * rows' indices, those here: the caller's to free. */
uint32_t *rows_absorb(struct chrome_rows *rows, struct builder *builder,
                      const struct chrome_rows *part, const str_id *texts);

/* Makes a track of every row, in their order, with the names that the file gives or made ones. */
void rows_finish(struct chrome_rows *rows, struct builder *builder);

void rows_free(struct chrome_rows *rows);

/* Which events belong together: by their ids, as beginning and end, at the ends of
 * an arrow. */

/* ---- which events belong together: those with the same id, however it is written ---- */

/* 31, "31" and "0x1f" are the same one. A member that is not there counts as an empty one. */
uint64_t id_hash(struct token id, uint64_t seed);

/* An operation's, or a flow's, which are also known by name. Ids are of a category, and of a
 * process where they say so. */
uint64_t id_group(const struct event *event, bool by_name);

/* What "bind_id" says: events of any name and category. */
uint64_t id_binding(const struct event *event);

/* ---- events that a file writes as two: where they begin, and where they end ---- */

/* Beginnings are events at once, without a duration yet. All marks are kept and joined at the end,
 * by time: neither the order in a file nor how it was split among threads matters. */

struct mark {
    uint64_t group; /* marks of one group and name nest: a row, or an async id */
    int64_t time;
    uint32_t event; /* what begins here; NO_EVENT: something ends here */
    uint32_t row;
    uint64_t name; /* a key of what an async end names; 0 on rows */
};

/* Ready for use when zeroed. */
struct marks {
    VECTOR(struct mark);
    struct property_column cpu; /* by index of a mark: its thread's CPU clock, ns, where it says */
};

void marks_add(struct marks *marks, const struct mark *mark);

/* Takes another reader's marks, whose events and rows have moved on to these. */
void marks_absorb(struct marks *marks, const struct marks *part, uint32_t first_event,
                  const uint32_t *row_of);

/* Gives the events their durations. What has no end lasts until its row's last, and is counted,
 * as are ends without a beginning. */
void marks_finish(struct marks *marks, const struct chrome_rows *rows, struct builder *builder);

void marks_free(struct marks *marks);

/* ---- the arrows of a trace: each point stands in a row, at a time, and belongs to an id ---- */

/* Which of a row's tracks is meant is known only when all events have been read. */

struct flow {
    struct flow_point point;
    str_id pid;        /* and tid: unless the point is an event */
    str_id tid[2];     /* as a host thread's row has it, and as a stream's */
    bool is_forgotten; /* it is bound to nothing */
};

/* Ready for use when zeroed. */
struct flows {
    VECTOR(struct flow);
};

/* Keeps a point; its track is left open. */
void flows_add(struct flows *flows, struct builder *builder, const struct event *event,
               const struct flow_point *point);

/* Keeps a point that is an event, by its number. */
void flows_bind(struct flows *flows, const struct flow_point *point);

/* Takes another reader's points. `first_event`: the number here of its first one; `texts`: by its
 * ids, those here. */
void flows_absorb(struct flows *flows, const struct flows *part, uint32_t first_event,
                  const str_id *texts);

/* Hands the points over that are events, or whose row has some. */
void flows_finish(const struct flows *flows, const struct chrome_rows *rows,
                  struct builder *builder);

/* Takes back an end at `time`, if that is the last of the first `count` points. */
void flows_forget(struct flows *flows, size_t count, int64_t time);

void flows_free(struct flows *flows);

/* ---- what CUPTI counted, kernel by kernel, in a trace of PyTorch ---- */

/* Kineto's range profiler runs each kernel again and again to count, so it has no times of kernels: it
 * lays the ranges one behind the other in the order of the launches. They are counters, not work. */

struct profiler_range {
    str_id kernel, device;
    int64_t start; /* ns */
};

struct range_metric {
    uint32_t range; /* whose it is */
    str_id name;
    int64_t total;
};

struct profiler_ranges {
    struct VECTOR_OF(struct profiler_range) list;
    struct VECTOR_OF(struct range_metric) metrics;
};

bool is_profiler_range(const struct event *event);

/* Keeps the metrics that stand as numbers in the event's args. */
void profiler_ranges_add(struct profiler_ranges *ranges, struct builder *builder,
                         const struct event *event, int64_t start);

/* Takes another reader's, which come after these. */
void profiler_ranges_absorb(struct profiler_ranges *ranges, const struct profiler_ranges *part,
                            const str_id *texts);

/* Gives them to the builder as launches, in the order of their starts. */
void profiler_ranges_finish(struct profiler_ranges *ranges, struct builder *builder);

void profiler_ranges_free(struct profiler_ranges *ranges);

#endif
