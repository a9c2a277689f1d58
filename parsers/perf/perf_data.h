/* SPDX-License-Identifier: Apache-2.0 */
/* perf_data.h — what the readers of perf.data share: its events, samples and what ran where
 *
 * perf_data.c takes the file apart into records; perf_samples.c and perf_records.c keep what they say,
 * in columns and in the order of the file; perf_replay.c goes through that in the order of time, finds out what each
 * address was then, and gives the stacks to the builder. perf_maps.c knows what lies where in memory,
 * perf_names.c and perf_kernel.c what it is called, perf_unwind.c who called where a sample has bytes of the stack alone. */
#ifndef PTK_PARSERS_PERF_PERF_DATA_H
#define PTK_PARSERS_PERF_PERF_DATA_H

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/symbols/unwind.h"
#include "base/text/string_table.h"
#include "base/text/unit.h"
#include "graph/build/builder.h"

/* ---- bytes in the recorder's order ---- */

/* What is read behind the end is 0, and `is_cut` from then on. */
struct bytes {
    const char *at;
    size_t left;
    bool is_big_endian, is_cut;
};

struct span bytes_take(struct bytes *bytes, uint64_t count);
uint64_t bytes_u64(struct bytes *bytes);
uint32_t bytes_u32(struct bytes *bytes);
uint16_t bytes_u16(struct bytes *bytes);

/* Up to the first NUL of what is left. */
struct span bytes_text(const struct bytes *bytes);

/* Passes over bytes, however many; false where there are fewer. */
bool perf_skip(struct input *in, uint64_t count);

/* ---- events: struct perf_event_attr ---- */

enum sample_bit { /* of sample_type; the fields of a sample are in another order */
                  SAMPLE_IP,
                  SAMPLE_TID,
                  SAMPLE_TIME,
                  SAMPLE_ADDR,
                  SAMPLE_READ,
                  SAMPLE_CALLCHAIN,
                  SAMPLE_ID,
                  SAMPLE_CPU,
                  SAMPLE_PERIOD,
                  SAMPLE_STREAM_ID,
                  SAMPLE_RAW,
                  SAMPLE_BRANCH_STACK,
                  SAMPLE_REGS_USER,
                  SAMPLE_STACK_USER,
                  SAMPLE_WEIGHT,
                  SAMPLE_DATA_SRC,
                  SAMPLE_IDENTIFIER,
                  SAMPLE_TRANSACTION,
                  SAMPLE_REGS_INTR,
                  SAMPLE_PHYS_ADDR,
                  SAMPLE_AUX,
                  SAMPLE_CGROUP,
                  SAMPLE_DATA_PAGE_SIZE,
                  SAMPLE_CODE_PAGE_SIZE,
                  SAMPLE_WEIGHT_STRUCT,
};

enum read_bit { READ_ENABLED, READ_RUNNING, READ_ID, READ_GROUP, READ_LOST };

struct recorded_event {
    uint32_t type;
    uint64_t config, period; /* or the frequency */
    uint64_t sample_type, read_format, branch_type, user_registers, registers;
    bool is_inherited, has_sample_ids;
    str_id name;      /* 0: the file has none */
    uint64_t samples; /* that are counted */
};

static inline bool has_bit(uint64_t set, unsigned bit)
{
    return set >> bit & 1;
}

/* ---- what the records say ---- */

enum step_kind { STEP_SAMPLE, STEP_MAP, STEP_KERNEL_SYMBOL, STEP_COMMAND, STEP_FORK };

/* One record that matters, in the order of the file. */
struct perf_step {
    uint64_t time;
    enum step_kind kind;
    uint32_t item; /* a sample, a mapping or a thread */
};

/* A file, or anonymous memory, at a place in memory. */
struct perf_mapping {
    uint64_t start, end, offset;
    uint32_t process;
    bool is_kernel, is_function; /* the latter: `path` is the name of a function of the kernel's */
    str_id path, build_id;
};

/* A thread that has got a name, or has begun. */
struct thread_record {
    uint32_t process, thread, parent_process, parent_thread;
    str_id name;
    bool is_exec;
};

struct perf_sample {
    uint32_t event, process, thread, cpu;
    uint32_t chain; /* in struct chains */
    uint32_t first_reading, readings;
    int64_t period;
};

/* A counter's value, as a sample of its group's leader has it. */
struct counter_reading {
    uint32_t event;
    uint64_t counter, value;
};

/* Addresses, each once: a caller's is that of the call, not of the return. */
struct code_place {
    uint64_t address;
    bool is_kernel;
};

/* Call chains as a tree of addresses: a node is a place and what called it, 0 is no chain. */
struct chains {
    struct VECTOR_OF(struct code_place) places;
    struct VECTOR_OF(uint64_t) nodes; /* caller and place */
    struct idmap place_ids[2], node_ids;
};

/* A sample whose user part comes in a record of its own. */
struct waiting_sample {
    uint32_t sample, next;
};

struct perf_data {
    struct input *in;
    struct builder *builder;
    struct arena arena;
    bool is_big_endian, is_pipe;

    struct VECTOR_OF(struct recorded_event) events;
    struct idmap event_of_id, build_id_of_path;
    str_id release; /* of the kernel; 0: not known */

    struct VECTOR_OF(struct perf_step) steps;
    struct VECTOR_OF(struct perf_sample) samples;
    struct VECTOR_OF(struct perf_mapping) mappings;
    struct VECTOR_OF(struct thread_record) threads;
    struct VECTOR_OF(struct counter_reading) readings;
    struct VECTOR_OF(struct waiting_sample) waiting;
    struct VECTOR_OF(uint32_t) chain; /* of the record at hand: places, the leaf first */
    struct idmap waiting_of_cookie;
    struct chains chains;

    enum machine machine;
    struct perf_unwinding *unwinding; /* NULL: no sample has bytes of the stack */

    uint64_t records, lost, lost_samples, throttled;
    uint64_t first_time, last_time;
};

#define PERF_NOBODY UINT32_MAX /* no process, no thread, no event */

enum { /* of a record's misc: whose code an address is in */
       MODE_MASK = 7,
       MODE_KERNEL = 1,
       MODE_USER = 2,
       MODE_GUEST_KERNEL = 4,
};

/* ---- perf_samples.c ---- */

/* An event from its attribute, of which recorders write more or less; its ids follow apart. */
void perf_add_event(struct perf_data *perf, struct bytes attribute);
void perf_add_event_id(struct perf_data *perf, uint64_t id, uint32_t event);

/* A sample of an event. */
void perf_read_sample(struct perf_data *perf, unsigned misc, struct bytes payload, uint32_t owner,
                      uint64_t offset);

/* Adds the caller to perf->chain; a call's address is one before that which it returns to. */
void perf_push_address(struct perf_data *perf, uint64_t address, unsigned mode);

/* A sample's chain becomes perf->chain, and the other way round. */
void perf_take_chain(struct perf_data *perf, uint32_t sample);
void perf_store_chain(struct perf_data *perf, uint32_t sample);

/* The user's part of the chains of all samples of a thread that wait for it. */
void perf_complete_chains(struct perf_data *perf, struct bytes payload, uint32_t thread,
                          uint64_t offset);

/* ---- perf_records.c ---- */

/* What the kernel wrote: types below 64. */
void perf_kernel_record(struct perf_data *perf, unsigned type, unsigned misc, struct bytes payload,
                        uint64_t offset);

/* A binary's build id, as its record and the feature have it. */
void perf_build_id(struct perf_data *perf, unsigned misc, struct bytes record);

/* ---- perf_names.c: what addresses are called ---- */

struct perf_names;

struct perf_names *perf_names_new(struct perf_data *perf);

/* The frames at a place, by its index in chains.places, in a mapping or NO_MAPPING; the innermost
 * inlined function first, at least one. Valid until the next call. */
const frame_id *perf_names_find(struct perf_names *names, uint32_t mapping, uint32_t place,
                                uint32_t *count);

void perf_names_free(struct perf_names *names);

/* "/usr/lib/libc.so.6 (deleted)" → "libc.so.6"; "[vdso]" is one already. */
struct span perf_module(struct span path);

/* "py::name:/dir/file.py", as Python calls its code under `-X perf`: fills in name, file and kind. */
bool perf_python_frame(struct builder *builder, struct span name, struct frame *frame);

/* "cpu-clock:u": the software clocks count nanoseconds. */
enum unit perf_event_unit(struct span event);

/* The binary that is mapped there, or NULL: it is none, or none may be read. */
struct symbol_binary *perf_binary(struct perf_data *perf, const struct perf_mapping *map);

/* ---- perf_unwind.c: the callers of samples that have registers and bytes of the stack ---- */

/* Bytes are kept until what was mapped at their time is known: rounds of records end with a mark, behind
 * which nothing is older than what was before the last one. */

struct stack_dump {
    uint64_t abi, set;   /* 2: 64 bits; the registers by perf's numbers */
    struct bytes values; /* of the registers */
    struct span stack;
};

/* Of the next sample, whose user's part of the chain comes from these. */
void perf_dump(struct perf_data *perf, const struct stack_dump *dump);

void perf_unwind_round(struct perf_data *perf);

/* What is left; tells how it went. */
void perf_unwind_end(struct perf_data *perf);

/* ---- perf_replay.c ---- */

/* Everything, when all records were read. */
bool perf_replay(struct perf_data *perf, struct error *err);

/* ---- perf_features.c ---- */

/* One of the things that a file has behind its records, and a pipe among them: false when the file has
 * no samples, by what it says. */
MUST_CHECK bool perf_read_feature(struct perf_data *perf, unsigned bit, struct bytes bytes,
                                  struct error *err);

/* The tracepoints' formats as they lie in tracefs, which a pipe has behind a record: names of events. */
void perf_read_formats(struct perf_data *perf, struct span formats);

/* ---- perf_maps.c: which mapping an address was in ---- */

struct perf_maps;

#define NO_MAPPING UINT32_MAX

struct perf_maps *perf_maps_new(const struct perf_data *perf);

/* What a step that is no sample changes: a mapping hides whatever lay at the place before, a child has
 * what its parent has, and a process that has begun another program has none. */
void perf_maps_step(struct perf_maps *maps, const struct perf_step *step);

/* An index of perf_data.mappings, or NO_MAPPING. */
uint32_t perf_maps_find(const struct perf_maps *maps, uint32_t process,
                        const struct code_place *place);

/* How many maps were not copied on a fork, since all together would take too much. */
uint64_t perf_maps_dropped(const struct perf_maps *maps);

void perf_maps_free(struct perf_maps *maps);

#endif
