/* SPDX-License-Identifier: Apache-2.0 */
/* xml_tags.h — the tags of an XML document, one after the other, however long it is */
#ifndef PTK_PARSERS_XCTRACE_XML_TAGS_H
#define PTK_PARSERS_XCTRACE_XML_TAGS_H

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"

/* Ready for use with an input. All spans are valid until the next tag is read. */
struct xml_tags {
    struct input *in;
    struct span before;     /* the text between the tag before and this one, with its entities */
    struct span name;       /* of the element */
    struct span attributes; /* as they stand */
    bool is_end, is_empty;  /* "</a>", "<a/>" */
};

/* The next tag of an element: comments and declarations are passed over. False at the end, which may be within a tag. */
bool xml_next_tag(struct xml_tags *tags);

/* The value of an attribute of the tag, with its entities; empty where it has none of that name. */
struct span xml_attribute(const struct xml_tags *tags, struct span name);

/* A text with its entities undone. One without any is not copied. */
struct span xml_plain(struct span text, struct arena *arena);

#endif
