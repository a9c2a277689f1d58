/* SPDX-License-Identifier: Apache-2.0 */
/* apple_trees.c — call trees of macOS as text: of sample, and copied out of Instruments */
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/text_stacks/text_stacks.h"

enum { NS_PER_MS = 1000000 };

/* ---- sample ----
 *
 *     Analysis of sampling app (pid 77) every 1 millisecond
 *     Call graph:
 *         176 Thread_11   DispatchQueue_1: com.apple.main-thread  (serial)
 *         + 176 main  (in app) + 4,18,...  [0x1000,0x1010,...]  main.c:12
 *         + ! 84 memcpy  (in libsystem_platform.dylib) + 2  [0x7fff2]
 *     Total number in stack (recursive counted multiple, when >=5): */

static bool knows_sample(struct span line)
{
    return span_starts(line, SPAN("Analysis of sampling ")) ||
           span_starts(line, SPAN("Call graph:"));
}

static bool read_sample(struct text_stacks *text, struct span line)
{
    static const char *const ends[] = {"Total number in stack", "Sort by top of stack",
                                       "Binary Images", NULL};
    struct text_row row = {.frame.kind = KIND_HOST};
    struct span every = text_behind(line, SPAN(" every ")), rest = line, in, place;

    text->is_inclusive = true;
    if (!text->is_inside) {
        if (span_starts(line, SPAN("Analysis of sampling ")) &&
            text_take_number(&every, &text->period))
            text->period = checked_mul(text->period, NS_PER_MS);
        text->is_inside = span_starts(line, SPAN("Call graph:"));
        return true;
    }
    text->has_ended = span_starts_any(line, ends);
    if (text->has_ended || !span_trim(line).len)
        return true;
    while (row.indent < line.len && strchr(" +!:|", line.at[row.indent]))
        row.indent++;
    rest = span_after(line, row.indent);
    if (!text_take_number(&rest, &row.figures[0]) || !span_trim(rest).len)
        return false;
    in = text_behind(rest, SPAN("  (in "));
    place = span_trim(text_behind(in, SPAN("]  ")));
    row.frame.name = builder_intern(
        text->builder,
        span_trim(text_up_to(text_up_to(rest, SPAN("  (in ")), SPAN("   DispatchQueue_"))));
    row.frame.module = builder_intern(text->builder, text_up_to(in, SPAN(")")));
    if (builder_detail(text->builder, DETAIL_LINE) == DETAIL_LINE)
        text_set_place(text->builder, &row.frame, place);
    if (!in.at)
        row.frame.kind = KIND_OTHER; /* a thread */
    text_row_add(text, &row);
    return true;
}

const struct stack_shape shape_sample = {.producer = "sample of macOS",
                                         .knows = knows_sample,
                                         .read = read_sample,
                                         .is_tree = true,
                                         .has_end = true};

/* ---- Instruments' deep copies ----
 *
 *     Weight<tab>Self Weight<tab>Symbol Names
 *     4.93 s  100.0%<tab>0 s<tab>   start
 *     797.00 ms   0.0%<tab>786.00 ms<tab>    alpha()
 *
 * A row's own weight has a column, or is what the rows below it leave of its weight. */

static const struct weight_unit {
    const char *name;
    enum unit unit;
    int64_t factor;
} weight_units[] = {
    {"s", UNIT_NS, 1000000000},     {"ms", UNIT_NS, 1000000},    {"us", UNIT_NS, 1000},
    {"\xc2\xb5s", UNIT_NS, 1000},   {"ns", UNIT_NS, 1},          {"min", UNIT_NS, 60000000000},
    {"h", UNIT_NS, 3600000000000},  {"Bytes", UNIT_BYTES, 1},    {"KB", UNIT_BYTES, 1 << 10},
    {"MB", UNIT_BYTES, 1 << 20},    {"GB", UNIT_BYTES, 1 << 30}, {"cycles", UNIT_COUNT, 1},
    {"c", UNIT_COUNT, 1},           {"Kc", UNIT_COUNT, 1000},    {"Mc", UNIT_COUNT, 1000000},
    {"Gc", UNIT_COUNT, 1000000000}, {NULL, UNIT_COUNT, 0}};

/* "1,234.5 ms", "4273.0ms   99.9%", "-"; a number alone is in `standard`. */
static const struct weight_unit *read_weight(struct span text, const char *standard,
                                             int64_t *weight)
{
    enum { DIGITS = 32, THOUSANDTHS = 1000 };
    const struct weight_unit *unit;
    char digits[DIGITS];
    size_t len = 0, letters = 0;
    int64_t number;

    text = span_trim(text);
    *weight = 0;
    if (span_starts(text, SPAN("-")))
        return &LOOKUP(weight_units, span_of(standard));
    for (; text.len && (is_digit(*text.at) || *text.at == '.' || *text.at == ',');
         text = span_after(text, 1))
        if (*text.at != ',' && len < DIGITS)
            digits[len++] = *text.at;
    text = span_trim(text);
    while (letters < text.len && !is_space(text.at[letters]))
        letters++;
    unit = &LOOKUP(weight_units, letters ? ((struct span){text.at, letters}) : span_of(standard));
    if (!unit->name || !decimal_scaled((struct span){digits, len}, 3, &number))
        return NULL;
    *weight = unit->factor % THOUSANDTHS ? checked_mul(number, unit->factor) / THOUSANDTHS
                                         : checked_mul(number, unit->factor / THOUSANDTHS);
    return unit;
}

static bool knows_deep_copy(struct span line)
{
    static const char *const begins[] = {"Weight\t", "Running Time\t", "Bytes Used\t", NULL};

    return span_starts_any(line, begins) && span_find(line, SPAN("\tSymbol Name")) != SIZE_MAX;
}

static bool read_deep_copy(struct text_stacks *text, struct span line)
{
    struct text_row row = {.frame.kind = KIND_HOST};
    struct span weight = span_split(&line, '\t'), own = span_split(&line, '\t'), name;
    const struct weight_unit *unit;
    size_t last = span_rfind(line, '\t');
    int64_t self;

    if (knows_deep_copy(weight) || span_starts(line, SPAN("\tSymbol Name")) ||
        span_starts(line, SPAN("Symbol Name"))) {
        text->is_inclusive = !span_starts(own, SPAN("Self"));
        return true;
    }
    name = text_unindented(last == SIZE_MAX ? line : span_after(line, last + 1), &row.indent);
    unit = read_weight(weight, "", &row.figures[0]);
    if (!unit || !name.len)
        return false;
    if (!text->nodes.count)
        text->values[0] = (struct value_name){unit->unit == UNIT_NS      ? SPAN("time")
                                              : unit->unit == UNIT_BYTES ? SPAN("bytes")
                                                                         : SPAN("cycles"),
                                              unit->unit};
    row.frame.name = builder_intern(text->builder, span_trim(name));
    if (!text->is_inclusive && !read_weight(own, "ms", &self))
        return false;
    if (!text->nodes.count || row.indent <= text->nodes.list[0].indent)
        text->stated = checked_add(text->stated, row.figures[0]);
    if (!text->is_inclusive)
        row.figures[0] = self;
    text_row_add(text, &row);
    return true;
}

const struct stack_shape shape_deep_copy = {
    .producer = "Instruments", .knows = knows_deep_copy, .read = read_deep_copy, .is_tree = true};
