/* SPDX-License-Identifier: Apache-2.0 */
/* parser.h — what a format has to provide, and the list of all formats */
#ifndef PTK_PARSERS_PARSER_H
#define PTK_PARSERS_PARSER_H

#include "base/io/io.h"
#include "graph/build/builder.h"

enum sniff {
    SNIFF_NO,
    SNIFF_MORE,  /* cannot tell from so few bytes */
    SNIFF_ASK,   /* so do other texts: only the user knows */
    SNIFF_MAYBE, /* nothing speaks against it */
    SNIFF_YES,   /* a magic number, or a beginning that only this format has */
};

/* Of a text that may have anything before what tells its format (`is_found`), within this much. */
static inline enum sniff sniff_text(struct span head, bool is_all, bool is_found)
{
    enum { FAR = 1 << 16 };

    if (memchr(head.at, '\0', head.len))
        return SNIFF_NO;
    if (is_found)
        return SNIFF_YES;
    return is_all || head.len > FAR ? SNIFF_NO : SNIFF_MORE;
}

struct parser {
    const char *name;    /* what --from takes: "pstats" */
    const char *title;   /* in a sentence, plural: "pstats dumps" */
    const char *summary; /* who writes it: one line for `ptk formats` */
    const char *tried;   /* versions of which the tests have files */
    const char *omitted; /* what it can hold and is not read; NULL: nothing that is known */
    enum level level;    /* the richest that it can fill */

    /* Judges by the first bytes, already unpacked. `is_all`: the input has no more. */
    enum sniff (*sniff)(struct span head, bool is_all);

    /* Reads all of `in` into `builder`. On false, `err` says where and why. What could be read
     * of a damaged file is kept, with a warning, wherever that is sound. */
    bool (*parse)(struct input *in, struct builder *builder, struct error *err);
};

extern const struct parser *const parsers[]; /* ends with NULL */

/* The parser for what the input holds: the first that says YES, else the only one that says
 * MAYBE. NULL with ERROR_INPUT otherwise. */
const struct parser *parser_sniff(struct input *in, struct error *err);

/* Whether nothing but a lack of others made it this one. Before the input is read. */
bool parser_is_guess(const struct parser *parser, struct input *in);

/* By name; NULL with ERROR_USAGE. */
const struct parser *parser_named(const char *name, struct error *err);

#endif
