/* SPDX-License-Identifier: Apache-2.0 */
/* Which members of args there are, and which of them a command wants. */
#include "parsers/chrome/chrome_events.h"

#include "base/checked.h"

/* Kineto's names of several years, and Paddle's. */
static const struct {
    const char *name;
    int field;
} members[] = {
    {"correlation", ARG_CORRELATION},
    {"correlation id", ARG_CORRELATION},
    {"correlation_id", ARG_CORRELATION},
    {"External id", ARG_EXTERNAL_ID},
    {"Collective name", ARG_COLLECTIVE},
    {"device", ARG_DEVICE},
    {"Device", ARG_DEVICE},
    {"Device Type", ARG_DEVICE_TYPE},
    {"Device Id", ARG_DEVICE_ID},
    {"start_time", ARG_START_TIME},
    {"kernel_details", ARG_XLA_DETAILS},
    {"memcpy_details", ARG_XLA_DETAILS},
    {"memset_details", ARG_XLA_DETAILS},
    {"launched before by", ARG_EARLY_CALL},
    {"bytes", ARG_PROPERTY + PROP_BYTES},
    {"Bytes", ARG_PROPERTY + PROP_BYTES},
    {"increase_bytes", ARG_PROPERTY + PROP_BYTES},
    {"mem_bytes", ARG_PROPERTY + PROP_BYTES},
    {"kernel_flop", ARG_PROPERTY + PROP_FLOP},
    {"flops", ARG_PROPERTY + PROP_FLOP},
    {"grid", ARG_PROPERTY + PROP_GRID},
    {"block", ARG_PROPERTY + PROP_BLOCK},
    {"registers per thread", ARG_PROPERTY + PROP_REGISTERS},
    {"shared memory", ARG_PROPERTY + PROP_SHARED_MEMORY},
    {"blocks per SM", ARG_PROPERTY + PROP_BLOCKS_PER_SM},
    {"warps per SM", ARG_PROPERTY + PROP_WARPS_PER_SM},
    {"est. achieved occupancy %", ARG_PROPERTY + PROP_OCCUPANCY},
    {"theoretical achieved occupancy %", ARG_PROPERTY + PROP_OCCUPANCY},
    {"stream", ARG_PROPERTY + PROP_STREAM},
    {"context", ARG_PROPERTY + PROP_CONTEXT},
    {"Input Dims", ARG_PROPERTY + PROP_SHAPES},
    {"Input dims", ARG_PROPERTY + PROP_SHAPES},
    {"input_shapes", ARG_PROPERTY + PROP_SHAPES},
    {"Input type", ARG_PROPERTY + PROP_TYPES},
    {"Input Type", ARG_PROPERTY + PROP_TYPES},
    {"input_dtypes", ARG_PROPERTY + PROP_TYPES},
    {"Input Strides", ARG_PROPERTY + PROP_STRIDES},
    {"Concrete Inputs", ARG_PROPERTY + PROP_CONCRETE},
    {"Call stack", ARG_PROPERTY + PROP_CALL_STACK},
    {"callstack", ARG_PROPERTY + PROP_CALL_STACK},
    {"Sequence number", ARG_PROPERTY + PROP_SEQUENCE},
    {"Fwd thread id", ARG_PROPERTY + PROP_FORWARD_THREAD},
    {"Python module id", ARG_PROPERTY + PROP_MODULE_ID},
    {"Python id", ARG_PROPERTY + PROP_PYTHON_ID},
    {"Python parent id", ARG_PROPERTY + PROP_PYTHON_PARENT},
    {"dtype", ARG_PROPERTY + PROP_DTYPE},
    {"In msg nelems", ARG_PROPERTY + PROP_IN_ELEMENTS},
    {"Out msg nelems", ARG_PROPERTY + PROP_OUT_ELEMENTS},
    {"Group size", ARG_PROPERTY + PROP_GROUP_SIZE},
    {"Process Group Name", ARG_PROPERTY + PROP_GROUP},
    {"Process Group Ranks", ARG_PROPERTY + PROP_GROUP_RANKS},
    {"Process Group Description", ARG_PROPERTY + PROP_GROUP_USE},
    {"Src Rank", ARG_PROPERTY + PROP_SRC_RANK},
    {"Dst Rank", ARG_PROPERTY + PROP_DST_RANK},
    {"Seq", ARG_PROPERTY + PROP_COLLECTIVE_SEQ},
    {"seq_id", ARG_PROPERTY + PROP_COLLECTIVE_SEQ},
    {"step", ARG_PROPERTY + PROP_IN_STEP},
    {"model_chunk", ARG_PROPERTY + PROP_MODEL_CHUNK},
    {"cuda_sync_kind", ARG_PROPERTY + PROP_SYNC_KIND},
    {"wait_on_stream", ARG_PROPERTY + PROP_WAIT_STREAM},
    {"wait_on_cuda_event_record_corr_id", ARG_PROPERTY + PROP_WAIT_LAUNCH},
    {"Addr", ARG_PROPERTY + PROP_ADDRESS},
    {"addr", ARG_PROPERTY + PROP_ADDRESS},
    {"Total Allocated", ARG_PROPERTY + PROP_ALLOCATED},
    {"current_allocated", ARG_PROPERTY + PROP_ALLOCATED},
    {"Total Reserved", ARG_PROPERTY + PROP_RESERVED},
    {"current_reserved", ARG_PROPERTY + PROP_RESERVED},
    {"peak_allocated", ARG_PROPERTY + PROP_PEAK_ALLOCATED},
    {"peak_reserved", ARG_PROPERTY + PROP_PEAK_RESERVED},
    {"place", ARG_PROPERTY + PROP_PLACE},
    {"detail", ARG_PROPERTY + PROP_DETAIL},
    {"graph node id", ARG_PROPERTY + PROP_GRAPH_NODE},
    {"module_fqn", ARG_PROPERTY + PROP_NODE_MODULE},
    {"name", ARG_PROPERTY + PROP_NODE_LABEL},
    {"kernel", ARG_PROPERTY + PROP_KERNEL_NAME},
    {"memory bandwidth (GB/s)", ARG_PROPERTY + PROP_THROUGHPUT},
    {NULL, FIELD_OTHER},
};

enum argument_kind argument_kind(enum field field)
{
    switch (argument_property(field)) {
    case PROP_GRID:
    case PROP_BLOCK:
        return ARGUMENT_PACK3;
    case PROP_OCCUPANCY:
        return ARGUMENT_PERCENT;
    case PROP_THROUGHPUT:
        return ARGUMENT_GB_PER_SECOND;
    default:
        break;
    }
    switch (property_kind(argument_property(field))) {
    case PROPERTY_TEXT:
        return ARGUMENT_TEXT;
    case PROPERTY_PPM:
        return ARGUMENT_PPM;
    case PROPERTY_NUMBER:
        break;
    }
    return ARGUMENT_NUMBER;
}

/* ---- what a command wants ---- */

/* Neither PyTorch's operators nor its Python functions launch anything themselves: what links
 * events is not among what they say. */
static const enum property of_operators[] = {
    PROP_SHAPES,         PROP_TYPES,       PROP_STRIDES,        PROP_CONCRETE,    PROP_CALL_STACK,
    PROP_SEQUENCE,       PROP_MODULE_ID,   PROP_FORWARD_THREAD, PROP_FLOP,        PROP_BYTES,
    PROP_GRID,           PROP_BLOCK,       PROP_STREAM,         PROP_DTYPE,       PROP_GROUP,
    PROP_GROUP_SIZE,     PROP_GROUP_RANKS, PROP_COLLECTIVE,     PROP_IN_ELEMENTS, PROP_OUT_ELEMENTS,
    PROP_COLLECTIVE_SEQ, PROP_GROUP_USE,   PROP_SRC_RANK,       PROP_DST_RANK,    PROP_DETAIL};
static const enum property of_python[] = {PROP_PYTHON_ID, PROP_PYTHON_PARENT, PROP_MODULE_ID,
                                          PROP_CALL_STACK};

static bool wants_any(const struct builder *builder, const enum property *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (builder_wants(builder, list[i]))
            return true;
    return false;
}

void wanted_args_init(struct wanted_args *args, const struct builder *builder)
{
    *args = (struct wanted_args){0};
    args->fields[ARG_COLLECTIVE] = true;
    for (unsigned p = 0; p < PROP_COUNT; p++)
        args->fields[ARG_PROPERTY + p] = builder_wants(builder, (enum property)p);
    args->fields[ARG_DEVICE_TYPE] = args->fields[ARG_DEVICE_ID] =
        builder_wants(builder, PROP_PLACE);
    for (unsigned f = FIELD_FIRST_ARG; f < FIELD_COUNT; f++)
        args->any |= args->fields[f] && f != ARG_COLLECTIVE;
    args->any |= builder_wants_launches(builder) || builder_wants(builder, PROP_CORRELATION);
    args->fields[ARG_XLA_DETAILS] = args->any;
    args->fields[ARG_EXTERNAL_ID] = args->fields[ARG_EARLY_CALL] = builder_wants_launches(builder);
    args->fields[ARG_CORRELATION] = args->any; /* it tells calls of XLA's host, too */
    args->of_operators = wants_any(builder, of_operators, COUNT_OF(of_operators));
    args->of_python = wants_any(builder, of_python, COUNT_OF(of_python));
}

static enum field wanted_field(const void *context, struct span key)
{
    const struct wanted_args *args = context;
    enum field field = (enum field)LOOKUP(members, key).field;

    return field != FIELD_OTHER && args->fields[field] ? field : FIELD_OTHER;
}

static bool has_members(const void *context, const struct event *event)
{
    const struct wanted_args *args = context;
    struct token cat = event->field[FIELD_CAT];

    if (token_is(cat, SPAN("cpu_op")))
        return args->of_operators;
    if (token_is(cat, SPAN("python_function")))
        return args->of_python;
    return args->any || token_is(cat, SPAN("kernel")) || token_is(cat, SPAN("Kernel"));
}

/* Those of clang's totals tell them from what is only called so; CUPTI's are metrics by name. */
static bool has_whole(const void *context, const struct event *event)
{
    (void)context;
    return span_starts(token_raw_text(event->field[FIELD_NAME]), SPAN("Total ")) ||
           is_profiler_range(event);
}

struct wanted wanted_args(const struct wanted_args *args)
{
    return (struct wanted){args, wanted_field, has_members, has_whole};
}
