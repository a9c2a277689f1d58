/* SPDX-License-Identifier: Apache-2.0 */
/* valgrind_frame.h — a line of a stack, as valgrind's tools write it */
#ifndef PTK_PARSERS_VALGRIND_VALGRIND_FRAME_H
#define PTK_PARSERS_VALGRIND_VALGRIND_FRAME_H

#include "parsers/parser.h"

/* "0x1102F0: allocate (new_allocator.h:137)", "0x48FC7B9: ??? (in /usr/lib/libstdc++.so.6)". The
 * line of code is that which ran, and left out: functions are distinguished without. */
struct frame valgrind_frame(struct builder *builder, struct span text);

#endif
