/* protobuf_writer.h — protocol buffer messages on their way out: bytes that know how long they are */
#ifndef PTK_RENDER_WRITERS_PROTOBUF_WRITER_H
#define PTK_RENDER_WRITERS_PROTOBUF_WRITER_H

#include <stdio.h>

#include "base/text/span.h"

/* One message, or the inside of a packed field. Ready for use when zeroed. */
struct message {
    char *bytes;
    size_t len, cap;
};

void message_varint(struct message *message, uint64_t value);

/* A number field; 0, which is what an absent field means, is not written. */
void message_number(struct message *message, unsigned field, uint64_t value);

/* A packed list of numbers, or a message within: `inner` as it is. */
void message_inner(struct message *message, unsigned field, const struct message *inner);

/* Writes `inner` as a field of the outermost message, and empties it for the next. */
void message_flush(struct message *inner, unsigned field, FILE *out);

void message_free(struct message *message);

#endif
