/* SPDX-License-Identifier: Apache-2.0 */
/* gperf_java.c — heap and contention profiles that Google's Java tools write, and what stands
 * behind the addresses of all of Java's
 *
 * "--- heapz 1 ---" or "--- contentionz 1 ---", lines KEY = VALUE of which one is "format = java",
 * rows "BYTES COUNT @ IDS", then a line for each id. */
#include "base/checked.h"
#include "parsers/gperftools/gperftools.h"
#include "parsers/stacks/language_names.h"

/* Mean bytes between the samples of a heap profile: the format does not say. */
enum { SAMPLING_RATE = 524288 };

struct java {
    struct legacy *legacy;
    bool is_heap;
    int64_t period; /* contentions a recorded one stands for; 0: not said */
    int64_t scale;  /* of what is measured, to the base unit */
};

bool java_knows(struct span head)
{
    return (span_starts(head, SPAN("--- heapz ")) || span_starts(head, SPAN("--- contentionz "))) &&
           span_find(head, SPAN("\nformat = java")) != SIZE_MAX;
}

/* ---- what an id stands for ---- */

void java_symbol(struct legacy *legacy, struct span line)
{
    struct frame frame = {.kind = KIND_HOST};
    uint64_t address;
    size_t bracket;

    line = span_trim(line);
    if (!span_starts(line, SPAN("0x")) || !hex_take(&line, &address) ||
        !stacks_begin_symbol(&legacy->stacks, address))
        return;
    line = span_trim(line);
    bracket = span_ends(line, SPAN(")")) ? span_rfind(line, '(') : SIZE_MAX;
    if (bracket != SIZE_MAX && bracket > 0 && line.at[bracket - 1] == ' ') {
        struct span place = {line.at + bracket + 1, line.len - bracket - 2};

        frame.file = builder_intern(legacy->builder, place_file(place, &frame.line));
        if (legacy->stacks.detail == DETAIL_FUNCTION)
            frame.line = 0;
        line.len = bracket - 1;
    }
    if (span_eq(line, SPAN("generated stub/JIT")))
        line = SPAN("STUB");
    frame.name = builder_intern(legacy->builder, span_trim(line));
    stacks_add_name(&legacy->stacks, frame);
}

/* ---- rows ---- */

static bool read_setting(struct java *java, struct span line, struct error *err)
{
    struct span rest = line, key = span_trim(span_split(&rest, '='));

    rest = span_trim(rest);
    if (span_eq(key, SPAN("sampling period")))
        return legacy_take_int(&rest, &java->period) ||
               legacy_line_fault(java->legacy, line, "Java profile", err);
    if (span_eq(key, SPAN("resolution")))
        java->scale = span_eq(rest, SPAN("microseconds"))   ? 1000
                      : span_eq(rest, SPAN("milliseconds")) ? 1000000
                      : span_eq(rest, SPAN("seconds"))      ? 1000000000
                                                            : 1;
    return true;
}

static int64_t scaled(int64_t figure, int64_t by)
{
    int64_t product;

    return __builtin_mul_overflow(figure, by, &product) || product == INT64_MIN ? INT64_MAX
                                                                                : product;
}

static bool read_row(struct java *java, struct span line, struct error *err)
{
    struct legacy *legacy = java->legacy;
    int64_t values[STACK_VALUES_MAX] = {0}, block, period = java->period > 0 ? java->period : 1;
    struct span rest = line;

    if (!legacy_take_int(&rest, &values[1]) || !legacy_take_int(&rest, &values[0]) ||
        values[0] < 0 || values[1] < 0)
        return legacy_line_fault(legacy, line, "Java profile", err);
    rest = span_trim(rest);
    block = java->is_heap && values[0] ? values[1] / values[0] : 0;
    if (!span_starts(rest, SPAN("@")) || (java->is_heap && !values[0] && values[1]))
        return legacy_line_fault(legacy, line, "Java profile", err);
    if (java->is_heap)
        heap_unsample(SAMPLING_RATE, &values[0], &values[1]);
    values[0] = scaled(values[0], java->is_heap ? 1 : period);
    values[1] = scaled(scaled(values[1], java->scale), java->is_heap ? 1 : period);
    stacks_begin_row(&legacy->stacks, values);
    stacks_label_block(&legacy->stacks, block);
    return legacy_push_addresses(legacy, span_after(rest, 1), true) ||
           legacy_line_fault(legacy, line, "Java profile", err);
}

static bool read_line(struct java *java, struct span line, struct error *err)
{
    if (line.len == 0)
        return true;
    if (span_starts(line, SPAN("0x"))) {
        java_symbol(java->legacy, line);
        return true;
    }
    if (span_find(line, SPAN("@")) != SIZE_MAX)
        return read_row(java, line, err);
    if (span_find(line, SPAN("=")) != SIZE_MAX)
        return read_setting(java, line, err);
    return legacy_line_fault(java->legacy, line, "Java profile", err);
}

/* Behind the rows each id has a line. */
static void check_ids(const struct legacy *legacy)
{
    const struct gperf_stacks *stacks = &legacy->stacks;
    uint64_t nameless = 0;

    for (size_t i = 0; i < stacks->addresses.count; i++)
        nameless += idmap_find(&stacks->symbol_of, stacks->addresses.list[i]) == IDMAP_NONE;
    warning_count_many(builder_warnings(legacy->builder), WARNING_LOSS,
                       "frames whose id no line names, because the file is cut short", nameless);
}

bool java_parse(struct legacy *legacy, struct error *err)
{
    struct java java = {.legacy = legacy, .scale = 1};
    struct span line;

    if (!input_line(legacy->in, &line))
        return error_set_at(err, 0, 0, "the first line has no end");
    java.is_heap = span_starts(line, SPAN("--- heapz "));
    legacy->values[0] =
        (struct value_name){java.is_heap ? SPAN("inuse_objects") : SPAN("contentions"), UNIT_COUNT};
    legacy->values[1] = java.is_heap ? (struct value_name){SPAN("inuse_space"), UNIT_BYTES}
                                     : (struct value_name){SPAN("delay"), UNIT_NS};
    legacy->value_count = 2;
    legacy->has_caller_places = true;
    while (input_line(legacy->in, &line))
        if (!read_line(&java, span_trim(line), err))
            return false;
    check_ids(legacy);
    return true;
}
