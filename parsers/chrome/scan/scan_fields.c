/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/scan/scan_fields.h"

struct key {
    const char *name;
    enum field field;
};

static const struct key event_keys[] = {
    {"ph", FIELD_PH},           {"name", FIELD_NAME},
    {"cat", FIELD_CAT},         {"pid", FIELD_PID},
    {"tid", FIELD_TID},         {"ts", FIELD_TS},
    {"dur", FIELD_DUR},         {"args", FIELD_ARGS},
    {"id", FIELD_ID},           {"id2", FIELD_ID2},
    {"bp", FIELD_BP},           {"sf", FIELD_SF},
    {"scope", FIELD_SCOPE},     {"bind_id", FIELD_BIND_ID},
    {"flow_in", FIELD_FLOW_IN}, {"flow_out", FIELD_FLOW_OUT},
};

#define PROPERTY(property) (enum field)(ARG_PROPERTY + (property))

/* Kineto's names of several years, and Paddle's. */
static const struct key arg_keys[] = {
    {"correlation", ARG_CORRELATION},
    {"correlation id", ARG_CORRELATION},
    {"correlation_id", ARG_CORRELATION},
    {"Collective name", ARG_COLLECTIVE},
    {"device", ARG_DEVICE},
    {"Device", ARG_DEVICE},
    {"Device Type", ARG_DEVICE_TYPE},
    {"Device Id", ARG_DEVICE_ID},
    {"start_time", ARG_START_TIME},
    {"kernel_details", ARG_XLA_DETAILS},
    {"memcpy_details", ARG_XLA_DETAILS},
    {"memset_details", ARG_XLA_DETAILS},
    {"bytes", PROPERTY(PROP_BYTES)},
    {"Bytes", PROPERTY(PROP_BYTES)},
    {"increase_bytes", PROPERTY(PROP_BYTES)},
    {"mem_bytes", PROPERTY(PROP_BYTES)},
    {"kernel_flop", PROPERTY(PROP_FLOP)},
    {"flops", PROPERTY(PROP_FLOP)},
    {"grid", PROPERTY(PROP_GRID)},
    {"block", PROPERTY(PROP_BLOCK)},
    {"registers per thread", PROPERTY(PROP_REGISTERS)},
    {"shared memory", PROPERTY(PROP_SHARED_MEMORY)},
    {"blocks per SM", PROPERTY(PROP_BLOCKS_PER_SM)},
    {"warps per SM", PROPERTY(PROP_WARPS_PER_SM)},
    {"est. achieved occupancy %", PROPERTY(PROP_OCCUPANCY)},
    {"theoretical achieved occupancy %", PROPERTY(PROP_OCCUPANCY)},
    {"stream", PROPERTY(PROP_STREAM)},
    {"context", PROPERTY(PROP_CONTEXT)},
    {"Input Dims", PROPERTY(PROP_SHAPES)},
    {"Input dims", PROPERTY(PROP_SHAPES)},
    {"input_shapes", PROPERTY(PROP_SHAPES)},
    {"Input type", PROPERTY(PROP_TYPES)},
    {"Input Type", PROPERTY(PROP_TYPES)},
    {"input_dtypes", PROPERTY(PROP_TYPES)},
    {"Input Strides", PROPERTY(PROP_STRIDES)},
    {"Concrete Inputs", PROPERTY(PROP_CONCRETE)},
    {"Call stack", PROPERTY(PROP_CALL_STACK)},
    {"callstack", PROPERTY(PROP_CALL_STACK)},
    {"Sequence number", PROPERTY(PROP_SEQUENCE)},
    {"Fwd thread id", PROPERTY(PROP_FORWARD_THREAD)},
    {"Python module id", PROPERTY(PROP_MODULE_ID)},
    {"Python id", PROPERTY(PROP_PYTHON_ID)},
    {"Python parent id", PROPERTY(PROP_PYTHON_PARENT)},
    {"dtype", PROPERTY(PROP_DTYPE)},
    {"In msg nelems", PROPERTY(PROP_IN_ELEMENTS)},
    {"Out msg nelems", PROPERTY(PROP_OUT_ELEMENTS)},
    {"Group size", PROPERTY(PROP_GROUP_SIZE)},
    {"Process Group Name", PROPERTY(PROP_GROUP)},
    {"Process Group Ranks", PROPERTY(PROP_GROUP_RANKS)},
    {"Process Group Description", PROPERTY(PROP_GROUP_USE)},
    {"Src Rank", PROPERTY(PROP_SRC_RANK)},
    {"Dst Rank", PROPERTY(PROP_DST_RANK)},
    {"Seq", PROPERTY(PROP_COLLECTIVE_SEQ)},
    {"seq_id", PROPERTY(PROP_COLLECTIVE_SEQ)},
    {"step", PROPERTY(PROP_IN_STEP)},
    {"model_chunk", PROPERTY(PROP_MODEL_CHUNK)},
    {"cuda_sync_kind", PROPERTY(PROP_SYNC_KIND)},
    {"wait_on_stream", PROPERTY(PROP_WAIT_STREAM)},
    {"wait_on_cuda_event_record_corr_id", PROPERTY(PROP_WAIT_LAUNCH)},
    {"Addr", PROPERTY(PROP_ADDRESS)},
    {"addr", PROPERTY(PROP_ADDRESS)},
    {"Total Allocated", PROPERTY(PROP_ALLOCATED)},
    {"current_allocated", PROPERTY(PROP_ALLOCATED)},
    {"Total Reserved", PROPERTY(PROP_RESERVED)},
    {"current_reserved", PROPERTY(PROP_RESERVED)},
    {"peak_allocated", PROPERTY(PROP_PEAK_ALLOCATED)},
    {"peak_reserved", PROPERTY(PROP_PEAK_RESERVED)},
    {"place", PROPERTY(PROP_PLACE)},
    {"detail", PROPERTY(PROP_DETAIL)},
    {"graph node id", PROPERTY(PROP_GRAPH_NODE)},
    {"memory bandwidth (GB/s)", PROPERTY(PROP_THROUGHPUT)},
};

static enum field field_of_key(const struct key *keys, size_t count, struct span key)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i].name[0] == key.at[0] && strlen(keys[i].name) == key.len &&
            memcmp(keys[i].name, key.at, key.len) == 0)
            return keys[i].field;
    return FIELD_OTHER;
}

enum field field_of_event(struct span key)
{
    return key.len ? field_of_key(event_keys, COUNT_OF(event_keys), key) : FIELD_OTHER;
}

enum field field_of_args(struct span key)
{
    return key.len ? field_of_key(arg_keys, COUNT_OF(arg_keys), key) : FIELD_OTHER;
}

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
