/* SPDX-License-Identifier: Apache-2.0 */
/* picture_chapter.h — pictures of a chapter, drawn into memory */
#ifndef PTK_CMD_REPORT_PICTURE_CHAPTER_H
#define PTK_CMD_REPORT_PICTURE_CHAPTER_H

#include <stdio.h>

#include "cmd/report/chapters.h"

enum { PICTURE_WIDTH = 1200 };

/* Adds a picture to the chapter; what is written to the stream is it, once that is closed. One at a
 * time. */
FILE *chapter_picture_open(struct chapter_content *content);
void chapter_picture_close(struct chapter_content *content, FILE *out);

/* Adds the report's chart, if it has one, without the lines: those stand below the picture on the
 * page. */
void chapter_draw_chart(struct chapter_content *content);

uint32_t at_most(uint32_t count, uint32_t most);

#endif
