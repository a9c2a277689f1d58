/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/transfer_name.h"

#include "base/attr.h"
#include "graph/classify/name_words.h"
#include "graph/model/graph.h"

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
    {{"allreduce", 9}, TRAFFIC_REDUCE_ALL},
    {{"reducescatter", 13}, TRAFFIC_SCATTER},
    {{"allgather", 9}, TRAFFIC_GATHER},
    {{"alltoall", 8}, TRAFFIC_ALL},
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
        {{"Float8", 6}, 1}, {{"BFloat16", 8}, 2}, {{"Half", 4}, 2},  {{"Float", 5}, 4},
        {{"Double", 6}, 8}, {{"Int8", 4}, 1},     {{"Short", 5}, 2}, {{"Int", 3}, 4},
        {{"Long", 4}, 8},   {{"Byte", 4}, 1},     {{"Char", 4}, 1},  {{"Bool", 4}, 1},
    };

    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (span_starts(name, types[i].start))
            return types[i].size;
    return UNKNOWN;
}
