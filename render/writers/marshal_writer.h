/* marshal_writer.h — Python objects as `marshal.dump` writes them, version 4, for Python 3.4 and
 * later */
#ifndef PTK_RENDER_WRITERS_MARSHAL_WRITER_H
#define PTK_RENDER_WRITERS_MARSHAL_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text/span.h"

/* An object that is written again can be a reference to the first time. Start zeroed but for
 * `out`. */
struct marshal_out {
    FILE *out;
    uint32_t objects; /* that can be referred to, so far */
};

/* 0: not written yet; else its number + 1. */
typedef uint32_t marshal_ref;

/* Writes a reference if there is something to refer to. */
bool marshal_again(struct marshal_out *marshal, marshal_ref ref);

void marshal_int(struct marshal_out *marshal, int64_t value);
void marshal_float(struct marshal_out *marshal, double value);

/* A str. Bytes that are not UTF-8 become lone surrogates, as surrogateescape reads them. */
marshal_ref marshal_text(struct marshal_out *marshal, struct span text);

/* A tuple of so many objects, which are written next. */
marshal_ref marshal_tuple(struct marshal_out *marshal, unsigned count);

/* A dict: keys and values are written next, in turn, then the end. */
void marshal_dict_begin(struct marshal_out *marshal);
void marshal_dict_end(struct marshal_out *marshal);

#endif
