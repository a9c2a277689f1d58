/* picture.h — pictures of a chapter, drawn into memory */
#ifndef PTK_CMD_CHAPTERS_PICTURE_H
#define PTK_CMD_CHAPTERS_PICTURE_H

#include <stdio.h>

#include "cmd/chapters/chapters.h"

enum { PICTURE_WIDTH = 1200 };

/* Adds a picture to the chapter; what is written to the stream is it, once that is closed. */
FILE *chapter_picture_open(struct chapter_content *content);
void chapter_picture_close(FILE *out);

/* For a chart: the lines stand below the picture on the page, not in it as well. */
struct report report_without_lines(const struct report *report);

uint32_t at_most(uint32_t count, uint32_t most);

#endif
