/* SPDX-License-Identifier: Apache-2.0 */
/* memory_copy.c — between which memories a copy goes, which collective an operation is, and which counters count
 * bytes, by their names */
#include "graph/classify/event_class.h"

#include "base/checked.h"
#include "graph/classify/function_class.h"
#include "graph/model/graph.h"

/* ---- between which memories a copy goes, and of what kind they are ---- */

enum copy_direction copy_direction_of(struct span abbreviation)
{
    static const struct {
        const char *text;
        enum copy_direction direction;
    } known[] = {
        {"HtoD", COPY_HOST_TO_DEVICE},
        {"DtoH", COPY_DEVICE_TO_HOST},
        {"DtoD", COPY_DEVICE_TO_DEVICE},
        {"HtoH", COPY_HOST_TO_HOST},
        {"PtoP", COPY_PEER_TO_PEER},
        {"HtoA", COPY_WITH_ARRAY},
        {"AtoH", COPY_WITH_ARRAY},
        {"DtoA", COPY_WITH_ARRAY},
        {"AtoD", COPY_WITH_ARRAY},
        {"AtoA", COPY_WITH_ARRAY},
        {NULL, COPY_UNKNOWN},
    };

    return LOOKUP(known, abbreviation).direction;
}

/* Abbreviations stand inside longer words, too, so a name must be one of a copy. */
enum copy_direction copy_direction_of_name(struct span name)
{
    static const struct {
        const char *part; /* in lower case */
        enum copy_direction direction;
    } parts[] = {
        {"htod", COPY_HOST_TO_DEVICE},
        {"dtoh", COPY_DEVICE_TO_HOST},
        {"dtod", COPY_DEVICE_TO_DEVICE},
        {"htoh", COPY_HOST_TO_HOST},
        {"ptop", COPY_PEER_TO_PEER},
        {"h2d", COPY_HOST_TO_DEVICE},
        {"d2h", COPY_DEVICE_TO_HOST},
        {"d2d", COPY_DEVICE_TO_DEVICE},
        {"p2p", COPY_PEER_TO_PEER},
        {"peer", COPY_PEER_TO_PEER},
        {"host-to-device", COPY_HOST_TO_DEVICE},
        {"device-to-host", COPY_DEVICE_TO_HOST},
        {"device-to-device", COPY_DEVICE_TO_DEVICE},
        {"host-to-host", COPY_HOST_TO_HOST},
        {"host_to_device", COPY_HOST_TO_DEVICE},
        {"device_to_host", COPY_DEVICE_TO_HOST},
        {"device_to_device", COPY_DEVICE_TO_DEVICE},
        {"host_to_host", COPY_HOST_TO_HOST},
        {"hosttodevice", COPY_HOST_TO_DEVICE},
        {"devicetohost", COPY_DEVICE_TO_HOST},
        {"devicetodevice", COPY_DEVICE_TO_DEVICE},
        {"hosttohost", COPY_HOST_TO_HOST},
        {"htoa", COPY_WITH_ARRAY},
        {"atoh", COPY_WITH_ARRAY},
        {"dtoa", COPY_WITH_ARRAY},
        {"atod", COPY_WITH_ARRAY},
        {"atoa", COPY_WITH_ARRAY},
    };

    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (span_find_word(name, span_of(parts[i].part)) != SIZE_MAX)
            return parts[i].direction;
    return COPY_UNKNOWN;
}

enum memory_kind memory_kind_of(struct span text)
{
    static const struct {
        const char *word; /* in lower case */
        enum memory_kind kind;
    } known[] = {
        {"pageable", MEMORY_PAGEABLE}, {"pinned", MEMORY_PINNED},   {"device", MEMORY_DEVICE},
        {"array", MEMORY_ARRAY},       {"managed", MEMORY_MANAGED}, {"unified", MEMORY_MANAGED},
        {"host", MEMORY_HOST},
    };

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (text.len == strlen(known[i].word) && span_find_word(text, span_of(known[i].word)) == 0)
            return known[i].kind;
    return MEMORY_UNKNOWN;
}

/* ---- what moves data between devices, as names tell ---- */

/* Paddle goes by the first three. The local ones: aten::broadcast_to, broadcast_tensors,
 * BroadcastTo. */
static const struct name_word words[] = {
    {"allreduce", NAMED_TRANSFER},
    {"broadcast", NAMED_TRANSFER},
    {"rpc", NAMED_TRANSFER},
    {"broadcast_to", NAMED_LOCAL},
    {"broadcastto", NAMED_LOCAL},
    {"broadcast_tensors", NAMED_LOCAL},
    {"broadcast_in_dim", NAMED_LOCAL},
    {"nccl", NAMED_COLLECTIVE},
    {"xccl", NAMED_COLLECTIVE},
    {"memcpy", NAMED_MANIPULATION},
    {"memorycopy", NAMED_MANIPULATION},
    {"memset", NAMED_MANIPULATION},
};

enum name_mark name_marks(struct span name)
{
    struct name_words finder;
    uint64_t marks;

    name_words_init(&finder, words, COUNT_OF(words));
    marks = name_words_in(&finder, name);
    return (enum name_mark)(span_starts(name, SPAN("aten::")) ? marks | NAMED_LOCAL : marks);
}

/* ---- collectives ---- */

/* PyTorch's names, and with all but letters taken out Paddle's and NCCL's. */
static const struct {
    struct span part;
    enum traffic traffic;
} operations[] = {
    {LITERAL("allreduce"), TRAFFIC_REDUCE_ALL},
    {LITERAL("reducescatter"), TRAFFIC_SCATTER},
    {LITERAL("allgather"), TRAFFIC_GATHER},
    {LITERAL("alltoall"), TRAFFIC_ALL},
};

/* The letters of a name, in lower case. */
static struct span letters_of(struct span name, char *room, size_t size)
{
    size_t length = 0;

    for (size_t i = 0; i < name.len && length < size; i++) {
        char c = name.at[i];

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c >= 'a' && c <= 'z')
            room[length++] = c;
    }
    return (struct span){room, length};
}

bool traffic_ends_together(enum traffic traffic)
{
    return traffic >= TRAFFIC_REDUCE_ALL && traffic <= TRAFFIC_ALL;
}

enum traffic traffic_of_operation(struct span operation)
{
    char room[64];
    struct span letters = letters_of(operation, room, sizeof(room));

    if (span_eq(operation, SPAN("send")))
        return TRAFFIC_SEND;
    if (span_eq(operation, SPAN("recv")))
        return TRAFFIC_RECEIVE;
    for (size_t i = 0; i < COUNT_OF(operations); i++)
        if (span_find(letters, operations[i].part) != SIZE_MAX)
            return operations[i].traffic;
    return TRAFFIC_PLAIN;
}

/* By what they begin with. */
int64_t scalar_type_size(struct span name)
{
    static const struct {
        struct span start;
        int64_t size;
    } types[] = {
        {LITERAL("Float8"), 1}, {LITERAL("BFloat16"), 2}, {LITERAL("Half"), 2},
        {LITERAL("Float"), 4},  {LITERAL("Double"), 8},   {LITERAL("Int8"), 1},
        {LITERAL("Short"), 2},  {LITERAL("Int"), 4},      {LITERAL("Long"), 8},
        {LITERAL("Byte"), 1},   {LITERAL("Char"), 1},     {LITERAL("Bool"), 1},
    };

    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (span_starts(name, types[i].start))
            return types[i].size;
    return UNKNOWN;
}

/* ---- counters over time ---- */

enum unit series_unit(struct span name)
{
    return span_find_word(name, SPAN("bytes")) != SIZE_MAX ? UNIT_BYTES : UNIT_COUNT;
}
