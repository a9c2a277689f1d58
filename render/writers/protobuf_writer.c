#include "render/writers/protobuf_writer.h"

#include <stdlib.h>

#include "base/memory/grow.h"

enum { VARINT_MAX = 10, TYPE_VARINT = 0, TYPE_BYTES = 2 };

static void make_room(struct message *message, size_t more)
{
    if (message->cap - message->len >= more)
        return;
    message->cap = grow_cap(message->cap, message->len + more);
    message->bytes = grow_to(message->bytes, message->cap, 1);
}

static size_t put_varint(char *at, uint64_t value)
{
    size_t len = 0;

    for (; value >= 0x80; value >>= 7)
        at[len++] = (char)(value | 0x80);
    at[len++] = (char)value;
    return len;
}

void message_varint(struct message *message, uint64_t value)
{
    make_room(message, VARINT_MAX);
    message->len += put_varint(message->bytes + message->len, value);
}

void message_number(struct message *message, unsigned field, uint64_t value)
{
    if (value == 0)
        return;
    message_varint(message, field << 3 | TYPE_VARINT);
    message_varint(message, value);
}

/* The fields of another message, after its own. */
static void message_append(struct message *message, const struct message *fields)
{
    make_room(message, fields->len);
    if (fields->len)
        memcpy(message->bytes + message->len, fields->bytes, fields->len);
    message->len += fields->len;
}

void message_inner(struct message *message, unsigned field, const struct message *inner)
{
    message_varint(message, field << 3 | TYPE_BYTES);
    message_varint(message, inner->len);
    message_append(message, inner);
}

void message_flush(struct message *inner, unsigned field, FILE *out)
{
    char head[2 * VARINT_MAX];
    size_t len = put_varint(head, field << 3 | TYPE_BYTES);

    len += put_varint(head + len, inner->len);
    fwrite(head, 1, len, out);
    if (inner->len)
        fwrite(inner->bytes, 1, inner->len, out);
    inner->len = 0;
}

void message_free(struct message *message)
{
    free(message->bytes);
    *message = (struct message){0};
}
