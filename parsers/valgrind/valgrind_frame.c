/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/valgrind/valgrind_frame.h"

#include "parsers/stacks/language_names.h"

struct frame valgrind_frame(struct builder *builder, struct span text)
{
    struct frame frame = {.kind = KIND_HOST};
    struct span address = text, place = {0};
    size_t colon = span_find(text, SPAN(": ")), open;

    if (span_starts(text, SPAN("0x")) && colon != SIZE_MAX) {
        address.len = colon;
        text = span_after(text, colon + 2);
    }
    open = span_ends(text, SPAN(")")) ? span_rfind(text, '(') : SIZE_MAX;
    if (open != SIZE_MAX && open > 0 && text.at[open - 1] == ' ') {
        place = (struct span){text.at + open + 1, text.len - open - 2};
        text.len = open - 1;
    }
    if (span_starts(place, SPAN("in "))) {
        frame.module = builder_intern(builder, span_file_name(span_after(place, 3)));
    } else if (place.len) {
        int64_t line = 0; /* the one that ran: functions are distinguished without */

        frame.file = builder_intern(builder, place_file(place, &line));
        frame.line = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE ? line : 0;
    }
    frame.is_nameless = span_eq(text, SPAN("???"));
    frame.name = builder_intern(builder, frame.is_nameless ? address : text);
    return frame;
}
