/* SPDX-License-Identifier: Apache-2.0 */
/* builder.h — the only way to make a graph; what a parser sees of it
 *
 * A parser can add to a graph but never read one. It says first which level its format holds
 * (builder_begin), then adds functions and calls, or tree nodes, or tracks and events, to the
 * builder of that level. What all levels share, such as names and frames, is `struct builder`'s. */
#ifndef PTK_GRAPH_BUILD_BUILDER_H
#define PTK_GRAPH_BUILD_BUILDER_H

#include <stdbool.h>

#include "base/checked.h"
#include "base/cli/cli.h"
#include "base/error/error.h"
#include "base/memory/span.h"
#include "base/symbols/symbols.h"
#include "base/text/string_table.h"
#include "base/text/unit.h"
#include "graph/classify/kernel_class.h"
#include "graph/model/graph.h"

struct builder;
struct callgraph_builder;
struct stack_builder;
struct timeline_builder;
struct counter_builder;

enum label_filter { LABEL_FOCUS, LABEL_IGNORE };

/* Which operators' inputs are wanted. */
enum inputs_wanted {
    INPUTS_OF_ALL,
    INPUTS_OF_WORK,  /* of operators whose bytes or FLOPs can be known */
    INPUTS_OF_FLOPS, /* and of their inputs only what their FLOPs depend on */
};

/* What the command wants of the file. */
struct builder_options {
    enum level need;     /* the least that is wanted: more need not be kept */
    const char *value;   /* the name of the value to select; NULL: the file's default */
    bool one_world;      /* of a trace with device work, without a value asked for: the device's */
    bool all_values;     /* keep every value's column, not only the selected one */
    uint64_t properties; /* of events: a set of property_bit() */
    enum inputs_wanted inputs;
    bool sample_times;   /* of samples when they were taken, as a timeline, where the file knows */
    bool launches;       /* link device work to the call that made it */
    bool flows;          /* and host events to what the file says led to them; with launches */
    bool categories;     /* keep each event's category */
    bool series;         /* keep counters */
    bool blocks;         /* keep the blocks of an allocator's segments */
    bool no_modules;     /* nobody will ask which module a function belongs to */
    bool no_extremes;    /* nobody will ask for the shortest and the longest call */
    enum detail detail;  /* how finely to tell frames apart, where the file can */
    bool spreads_python; /* do not fold the frames of Python's interpreter into one */
    struct symbols *symbols; /* names for addresses; borrowed, NULL: leave them without */
    bool drop_frames;        /* leave out what the file says is not worth seeing */
    bool labels;             /* count the labels of samples */
    const char *label_key;   /* make this label of samples a frame, the outermost; or NULL */
    bool label_is_leaf;      /* that is the innermost instead */
    bool label_sets;         /* keep all labels: calltree.sets */
    const struct option_values *label_filters; /* KEY=RE, tagged with enum label_filter; or NULL */
};

struct builder *builder_new(const struct builder_options *options);

/* ---- for every format ---- */

struct value_name {
    struct span name;
    enum unit unit;
};

/* States the level and the value types of the file, once, before anything is added. False with
 * ERROR_USAGE when the value that the user asked for is not among them. */
MUST_CHECK bool builder_begin(struct builder *builder, enum level level,
                              const struct value_name *values, uint32_t count, uint32_t standard,
                              struct error *err);

/* The same for a timeline of host and device work: its values are those of enum timeline_value. */
MUST_CHECK bool builder_begin_timeline(struct builder *builder, struct error *err);

/* Says that some events of the file have CPU times (PROP_CPU_TIME), so that TIMELINE_CPU is one of
 * its values. */
void builder_has_cpu_times(struct builder *builder);

/* Whether the file has the value that the user asked for, where only its events can tell. False
 * with ERROR_USAGE. */
MUST_CHECK bool builder_check_value(const struct builder *builder, struct error *err);

/* The index of the value that is selected: for levels that keep only that one's figures. */
uint32_t builder_value(const struct builder *builder);

/* The builders of the levels, which live as long as this one. */
struct callgraph_builder *builder_callgraph(struct builder *builder);
struct stack_builder *builder_stacks(struct builder *builder);
struct timeline_builder *builder_timeline(struct builder *builder);
struct counter_builder *builder_counters(struct builder *builder);

str_id builder_intern(struct builder *builder, struct span text);

/* Says that this text is interned soon: what that needs is fetched ahead. */
void builder_prefetch_text(const struct builder *builder, struct span text);

/* An interned text again: the one thing that a parser may read back. */
struct span builder_text(const struct builder *builder, str_id id);

frame_id builder_frame(struct builder *builder, const struct frame *frame);
struct span builder_frame_name(const struct builder *builder, frame_id frame);

/* One of the lines of a function, where frames are distinguished as finely; where the function begins, or
 * 0. */
frame_id builder_frame_in(struct builder *builder, const struct frame *frame, int64_t begins_at);

/* Where a binary was in memory, for who wants the code at frames' addresses. */
void builder_mapping(struct builder *builder, const struct code_mapping *mapping);

/* Whether the code of a function stood within its caller's, at one place of the file. */
void builder_inlining(struct builder *builder, frame_id frame, bool is_inlined);

/* How finely to tell frames apart: as the command asks, but no finer than the format can. */
enum detail builder_detail(struct builder *builder, enum detail most);

/* Whether to leave out the frames that the file itself wants left out. */
bool builder_drops_frames(const struct builder *builder);

/* Whether samples with times are to be a timeline, of TRACK_SAMPLES, and not a tree. */
bool builder_wants_times(const struct builder *builder);

/* Whether counters over time are. */
bool builder_wants_series(const struct builder *builder);

/* Whether the frames of Python's interpreter, in a native profile, are to be one. */
bool builder_folds_python(const struct builder *builder);

/* As builder_prefetch_text(), for a frame. */
void builder_prefetch_frame(const struct builder *builder, const struct frame *frame);

/* Where to look names up for addresses that the file has none for; NULL: nowhere. */
struct symbols *builder_symbols(const struct builder *builder);

/* The frame of a place that was found there. */
struct frame builder_place(struct builder *builder, const struct symbol_place *place,
                           str_id module);

/* For `ptk info`: what became of each binary that names were looked for in. */
void builder_symbol_facts(struct builder *builder);

/* For `ptk info`. `key` must be a literal; texts are copied. */
void builder_producer(struct builder *builder, const char *fmt, ...) PRINTF_LIKE(2, 3);
void builder_fact(struct builder *builder, const char *key, int64_t figure, enum unit unit);
void builder_fact_text(struct builder *builder, const char *key, struct span text);

/* The same for those that are asked for, too. */
void builder_known_fact(struct builder *builder, enum fact_id id, int64_t figure, enum unit unit);
void builder_known_text(struct builder *builder, enum fact_id id, struct span text);

/* The file contains no functions, but "only" this, and what to do with it: literals. */
void builder_instead(struct builder *builder, const char *only, const char *hint);

/* The file ends before its time: what is there is not all. */
void builder_truncated(struct builder *builder);

/* Where the parser reports what it repaired or dropped. Borrowed. */
struct warnings *builder_warnings(struct builder *builder);

void builder_device(struct builder *builder, const struct device *device);

/* The ranks of a process group, for collectives that only name it. */
void builder_group(struct builder *builder, const struct process_group *group);

/* ---- segments of an allocator's memory ---- */

/* Whether their blocks are kept; else only what they come to. */
bool builder_wants_blocks(const struct builder *builder);

/* Adds a segment, its blocks and sums 0; then a block of it, by address. `place`: what allocated it, or 0. What is
 * returned has the sums of its blocks so far, until the next segment is added. */
const struct allocator_segment *builder_segment(struct builder *builder, const struct allocator_segment *segment);
void builder_block(struct builder *builder, int64_t size, enum block_state state, str_id place);

/* What counters say of a kernel. `is_derived`: its time was not measured. */
void builder_counted(struct counter_builder *builder, const struct kernel_counts *counted,
                     bool is_derived);

/* ---- flat and call graph ---- */

struct call_figures {
    int64_t calls, primitive_calls; /* or UNKNOWN */
    int64_t self, cum;              /* or UNKNOWN, on a call only */
};

/* The function's index: the first mention of a frame adds it, as one that is only named. */
uint32_t builder_function(struct callgraph_builder *builder, frame_id frame);

/* Whether every value is wanted; and a function's own figures of each, after builder_begin(). */
bool builder_wants_all_values(const struct builder *builder);
void builder_list_values(struct callgraph_builder *builder, uint32_t function, const int64_t *self);

/* Gives a function its own figures. The first time also decides its place in the file's order;
 * again replaces them. */
void builder_list(struct callgraph_builder *builder, uint32_t function,
                  const struct call_figures *figures);

/* Says that the function's cumulative figure is an estimate. */
void builder_estimate_cum(struct callgraph_builder *builder, uint32_t function);

/* A row of that name with nothing but its time, of what no function is known. */
void builder_list_time(struct builder *builder, const char *name, int64_t time);

/* The shortest and the longest of its calls; once for each function, or for none. */
void builder_extremes(struct callgraph_builder *builder, uint32_t function, int64_t min,
                      int64_t max);

/* Adds an edge, once for each pair. */
void builder_call(struct callgraph_builder *builder, uint32_t caller, uint32_t callee,
                  const struct call_figures *figures);

/* Says that calls by `caller` come soon: what they add to is fetched ahead. */
void builder_prefetch_call(const struct callgraph_builder *builder, uint32_t caller);

/* The file has every function's calls and primitive calls the wrong way round. */
void builder_swap_call_counts(struct callgraph_builder *builder);

/* Drops the edges to `callee` added so far: the file says it all again, differently. */
void builder_forget_callers(struct callgraph_builder *builder, uint32_t callee);

/* ---- call tree ---- */

/* The child of `parent` with that frame, made on first use. The root is node 0. */
node_id builder_child(struct stack_builder *builder, node_id parent, frame_id frame);

/* Adds to the node's own figure of one value type. */
void builder_add(struct stack_builder *builder, node_id node, uint32_t value, int64_t amount);

/* Whether labels of samples are wanted; and those of the stack that is added next. Borrowed. */
bool builder_wants_labels(const struct stack_builder *builder);
void builder_labels(struct stack_builder *builder, const struct sample_label *labels,
                    uint32_t count);

/* Adds one record: a stack of `depth` frames, the leaf first, and a figure of each value type. What
 * has no frames is in no function, but in the total.
 * Where only the flat level is wanted no tree grows, so a parser that calls this must not call
 * builder_child() as well. */
void builder_stack(struct stack_builder *builder, const frame_id *frames, uint32_t depth,
                   const int64_t *values);

/* Says that the stack which is added next sums so many records. */
void builder_records(struct stack_builder *builder, int64_t count);

/* Says that what functions have as their own is with all that they call. */
void builder_inclusive(struct builder *builder);

/* Tells how many samples the stacks so far were of, where a value type counts them, and in how many
 * records. */
void builder_sample_facts(struct stack_builder *builder);

/* ---- timeline ---- */

/* Adds a track; its events, lane and counts are filled in at the end. */
uint32_t builder_track(struct timeline_builder *builder, const struct track *track);

/* Says that its events' times are rounded: by `tolerance` ns at most, if not more already. */
void builder_tolerance(struct timeline_builder *builder, uint32_t track, int64_t tolerance);

/* Before the first event: at most so many events will come, mostly track by track. Their columns are then not copied. */
void builder_expect(struct timeline_builder *builder, uint32_t events);

/* Adds an event and returns its number in file order. A negative duration is shown as 0 and
 * counted. */
uint32_t builder_event(struct timeline_builder *builder, uint32_t track, int64_t start,
                       int64_t duration, frame_id frame);

/* Says of which operation an event of an asynchronous track is a part, by any number but 0 that
 * tells the file's apart. The events of one nest; those of two never do, whenever they ran. */
void builder_set_operation(struct timeline_builder *builder, uint32_t event, int64_t operation);

/* When an event, by its number in file order, starts. */
int64_t builder_event_start(struct timeline_builder *builder, uint32_t event);

/* Gives an event, by its number in file order, its duration after all. */
void builder_set_duration(struct timeline_builder *builder, uint32_t event, int64_t duration);

/* Puts an event, by its number in file order, into another track and gives it another name or
 * kind, since later events tell what it was. */
void builder_reassign(struct timeline_builder *builder, uint32_t event, uint32_t track,
                      frame_id frame);

/* A call that makes the device work, and the work that it made, know each other by a number that
 * the file gives to both. Several events may be launched by one call. Dropped unless
 * builder_options.launches. Of several calls with one number the last counts. */
void builder_launches(struct timeline_builder *builder, uint32_t event, int64_t correlation);
void builder_launched(struct timeline_builder *builder, uint32_t event, int64_t correlation);

/* The name of the runtime's call that launched an event of a device before the recording began. */
void builder_launched_early(struct builder *builder, uint32_t event, str_id call);

/* One end of an arrow that a file draws between two places in time. */
struct flow_point {
    uint64_t flow; /* points of one flow follow each other by time */
    int64_t time;
    uint32_t track;   /* unless the point is an event */
    uint32_t event;   /* its number in file order */
    bool is_of_event; /* it is `event`, which starts at `time` */
    bool is_start;
    bool is_next;   /* means the next event of the track, not the one around `time` */
    bool is_branch; /* the flow's next point follows the one before this */
};

/* The event at each point but a flow's start was made to run by that at the point before it, unless
 * a correlation says better. Dropped like launches. */
void builder_flow(struct timeline_builder *builder, const struct flow_point *point);

/* Whether anybody wants a property: ask before work is spent on one. */
bool builder_wants(const struct builder *builder, enum property property);

/* Whether it is for any event that the file said so far. */
bool builder_has(const struct builder *builder, enum property property);

/* What is wanted of the inputs of operators with this name; of INPUTS_NONE not their types either. A
 * parser gives one operator's shapes in any case, because it says something that the file has them. */
enum input_need builder_input_need(const struct builder *builder, struct span name);

/* What an interned text says of an operator's inputs, which is copied; no inputs where it says
 * nothing that can be read. Once for each text: see parsers/device/operator_input_text.h. */
void builder_inputs(struct builder *builder, str_id text, const struct operator_inputs *inputs);
bool builder_has_inputs(const struct builder *builder, enum property property, str_id text);

/* The same for links from device work to the calls that launched it. */
bool builder_wants_launches(const struct builder *builder);

/* And for the modules of frames, where a parser has to make them up from something else. */
bool builder_wants_modules(const struct builder *builder);

/* Gives an event, by its number in file order, a property; dropped when nobody wants it. */
void builder_property(struct timeline_builder *builder, uint32_t event, enum property property,
                      int64_t value);

/* The number of a category by its name, which is added on first use; 0 of none, and where nobody
 * keeps them. */
uint16_t builder_category_number(struct timeline_builder *builder, str_id name);

/* The category of the event added last, by its number. */
void builder_category(struct timeline_builder *builder, uint16_t category);

/* A counter, and its samples in any order. */
uint32_t builder_series(struct timeline_builder *builder, str_id name, str_id process,
                        int32_t device);
void builder_sample(struct timeline_builder *builder, uint32_t series, int64_t time, double value);

/* What starts count from: ns since the epoch of the file's clock. */
void builder_origin(struct timeline_builder *builder, int64_t origin);

/* ---- parts, for parsers that read with several threads ---- */

/* An empty builder that wants the same; for one thread alone. builder_begin() is not called. */
struct builder *builder_part(const struct builder *builder);

/* Takes a part's texts, in the order in which they were interned. Returns, by the part's ids, those
 * here: the caller's to free. */
str_id *builder_absorb_texts(struct builder *builder, const struct builder *part);

/* Takes all of a part's events, with their frames, properties and links, as if they had been added
 * now; frees the part. `texts`: what builder_absorb_texts() returned. `tracks`: by the part's
 * track, the builder's. */
void builder_absorb(struct builder *builder, struct builder *part, const str_id *texts,
                    const uint32_t *tracks);

/* How many events have been added. */
uint32_t builder_event_count(const struct timeline_builder *builder);

/* ---- the end ---- */

/* Hands the finished graph over and frees the builder. */
void builder_finish(struct builder *builder, struct graph *graph);

/* Frees the builder and all it holds, after a failed parse. */
void builder_abandon(struct builder *builder);

#endif
