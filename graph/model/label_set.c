/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

/* Each label is its key, its text, its unit and "n" or "t", each ended by a NUL. */
struct encoding {
    char *bytes;
    size_t len, cap;
};

static void append_escaped(struct encoding *encoding, struct span text)
{
    const char *end = text.len ? memchr(text.at, '\0', text.len) : NULL;
    size_t len = end ? (size_t)(end - text.at) : text.len;

    if (encoding->cap - encoding->len <= len) {
        encoding->cap = grow_cap(encoding->cap, encoding->len + len + 1);
        encoding->bytes = grow_to(encoding->bytes, encoding->cap, 1);
    }
    if (len)
        memcpy(encoding->bytes + encoding->len, text.at, len);
    encoding->len += len;
    encoding->bytes[encoding->len++] = '\0';
}

struct frame label_set_frame(struct strings *strings, const struct sample_label *labels,
                             uint32_t count)
{
    struct frame frame = {.kind = KIND_OTHER};
    struct encoding encoding = {0};

    for (uint32_t i = 0; i < count; i++) {
        append_escaped(&encoding, strings_get(strings, labels[i].key));
        append_escaped(&encoding, strings_get(strings, labels[i].text));
        append_escaped(&encoding, strings_get(strings, labels[i].unit));
        append_escaped(&encoding, labels[i].is_number ? SPAN("n") : SPAN("t"));
    }
    frame.name = strings_intern(strings, (struct span){encoding.bytes, encoding.len});
    free(encoding.bytes);
    return frame;
}

bool label_set_next(struct span *rest, struct set_label *label)
{
    if (rest->len == 0)
        return false;
    label->key = span_split(rest, '\0');
    label->text = span_split(rest, '\0');
    label->unit = span_split(rest, '\0');
    label->is_number = span_eq(span_split(rest, '\0'), SPAN("n"));
    return true;
}
