/* SPDX-License-Identifier: Apache-2.0 */
/* block.h — findings as text: a numbered sentence with what it gives at the right, then where, fix and why */
#ifndef PTK_RENDER_FORMS_BLOCK_H
#define PTK_RENDER_FORMS_BLOCK_H

#include <stdint.h>
#include <stdio.h>

#include "base/memory/span.h"

enum { BLOCK_LINES_MAX = 4, BLOCK_WIDTH = 80 };

/* 1. Title                                       right
 *    where   text, wrapped
 *    why     text                               [rule]
 *
 * Texts may be from a file: they are escaped here. NULL or empty: there is none. */
struct text_block {
    const char *title, *right, *rule;
    struct {
        const char *key, *text;
    } lines[BLOCK_LINES_MAX];
};

/* Wrapped to `width` cells between words; 0: the width is not known. */
void blocks_write(const struct text_block *blocks, uint32_t count, uint32_t width, FILE *out);

/* A plain text wrapped between words, with an end of line. The first line begins at a column, others are indented. */
void prose_write(struct span plain, uint32_t column, uint32_t indent, uint32_t width, FILE *out);

#endif
