/* SPDX-License-Identifier: Apache-2.0 */
/* tree_shapes.c — call trees as text, a function a line, the callers above: sample of macOS, Instruments, pmcstat,
 * GHC, VTune */
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/text_stacks/text_stacks.h"

enum { NS_PER_MS = 1000000, NS_PER_US = 1000, MS = 6, SECONDS = 9 };

static struct span before(struct span text, struct span mark)
{
    size_t at = span_find(text, mark);

    return at == SIZE_MAX ? text : (struct span){text.at, at};
}

/* What stands behind a mark; empty where there is none. */
static struct span behind(struct span text, struct span mark)
{
    size_t at = span_find(text, mark);

    return at == SIZE_MAX ? (struct span){0} : span_after(text, at + mark.len);
}

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
    struct span every = behind(line, SPAN(" every ")), rest = line, in, place;

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
    in = behind(rest, SPAN("  (in "));
    place = span_trim(behind(in, SPAN("]  ")));
    row.frame.name = builder_intern(
        text->builder, span_trim(before(before(rest, SPAN("  (in ")), SPAN("   DispatchQueue_"))));
    row.frame.module = builder_intern(text->builder, before(in, SPAN(")")));
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
 * What is its own has its own column, or is what the rows below leave of it. Figures have three digits. */

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

/* ---- pmcstat -G ----
 *
 *     @ inst_retired.any [35705 samples]
 *     20.86%  [7447]     zfs_lz4_compress @ /boot/kernel/zfs.ko
 *      100.0%  [7447]      zio_compress_data
 *
 * The rows below one are its callers. A module is that of the row above unless it is said. */

static bool knows_pmcstat(struct span line)
{
    return span_starts(line, SPAN("@ ")) && span_ends(line, SPAN(" samples]"));
}

static bool read_pmcstat(struct text_stacks *text, struct span line)
{
    struct text_row row = {.frame.kind = KIND_HOST};
    struct span rest = text_unindented(line, &row.indent),
                name = span_trim(behind(rest, SPAN("]"))), module;

    text->is_inclusive = true;
    if (knows_pmcstat(line)) {
        struct span count = behind(line, SPAN(" ["));

        text->has_ended = text->nodes.count > 0; /* another event, counted in its own unit */
        text->left_out += text->has_ended;
        if (!text->has_ended && text_take_number(&count, &text->stated))
            builder_fact_text(text->builder, "event", before(span_after(line, 2), SPAN(" [")));
        return true;
    }
    if (!name.len)
        return !span_trim(line).len;
    rest = behind(rest, SPAN("%"));
    rest = behind(rest, SPAN("["));
    if (!text_take_number(&rest, &row.figures[0]))
        return false;
    module = span_trim(behind(name, SPAN(" @ ")));
    if (module.len)
        text->module = builder_intern(text->builder, module);
    row.frame.name = builder_intern(text->builder, span_trim(before(name, SPAN(" @ "))));
    row.frame.module = text->module;
    text_row_add(text, &row);
    return true;
}

const struct stack_shape shape_pmcstat = {.producer = "pmcstat",
                                          .knows = knows_pmcstat,
                                          .read = read_pmcstat,
                                          .is_tree = true,
                                          .is_inverted = true};

/* ---- GHC's .prof ----
 *
 *             total time  =        0.02 secs   (23 ticks @ 1000 us, 1 processor)
 *     COST CENTRE  MODULE   SRC            no.  entries  %time %alloc   %time %alloc  ticks  bytes
 *     MAIN         MAIN     <built-in>     337        0    0.0    0.0   100.0  100.0      0    648
 *      main        Main     Main.hs:3:1-9  675        1   30.4    9.4    30.4    9.4      7   5617
 *
 * Ticks and bytes are there with -P and -pa, but not in rows that have none. Else shares are all that is known. */

enum { GHC_WORDS = 8, GHC_SHARES = 6, PERMILLE = 1000 };

static bool knows_ghc(struct span line)
{
    return span_find(line, SPAN("Time and Allocation Profiling Report")) != SIZE_MAX;
}

/* The numbers that a row ends in, the last first; what stands before them is left in `row`. */
static size_t take_last_numbers(struct span *row, struct span *numbers)
{
    size_t count = 0;

    for (; count < GHC_WORDS; count++) {
        size_t blank;
        int64_t ignored;

        *row = span_trim(*row);
        blank = span_rfind(*row, ' ');
        numbers[count] = span_after(*row, blank == SIZE_MAX ? 0 : blank + 1);
        if (blank == SIZE_MAX || !is_digit(*numbers[count].at) ||
            !decimal_scaled(numbers[count], 0, &ignored))
            break;
        row->len = blank;
    }
    return count;
}

/* Before the tree: its totals, a table of what costs most, the tree's heading. */
static void read_ghc_head(struct text_stacks *text, struct span line)
{
    struct span total = behind(line, SPAN("total time ")), ticks = behind(total, SPAN("(")),
                tick = behind(ticks, SPAN(" @ "));
    int64_t number;

    if (total.len && text_take_number(&ticks, &number) && text_take_number(&tick, &text->period)) {
        text->stated = number;
        text->period = checked_mul(text->period, NS_PER_US);
    }
    text->is_inside =
        span_starts(line, SPAN("COST CENTRE")) && span_find(line, SPAN("entries")) != SIZE_MAX;
    text->has_shares = text->is_inside && span_find(line, SPAN("ticks")) == SIZE_MAX;
    if (text->has_shares) {
        text->period = checked_mul(text->stated, text->period) / PERMILLE;
        text->stated = 0;
    }
    text->values[0].name = text->has_shares ? SPAN("permille") : SPAN("ticks");
    text->values[2] = (struct value_name){SPAN("bytes"), UNIT_BYTES};
}

static bool read_ghc(struct text_stacks *text, struct span line)
{
    struct text_row row = {.frame.kind = KIND_HOST};
    struct span rest = text_unindented(line, &row.indent), numbers[GHC_WORDS], name, module;
    struct arena arena = {0};
    size_t count;

    if (!text->is_inside) {
        read_ghc_head(text, line);
        return true;
    }
    count = take_last_numbers(&rest, numbers);
    name = span_word(&rest);
    module = span_word(&rest);
    if (!span_trim(line).len)
        return true;
    if (count < GHC_SHARES || !module.len)
        return false;
    if (text->has_shares) {
        (void)!decimal_scaled(numbers[GHC_SHARES - 3], 1, &row.figures[0]);
    } else if (count == GHC_WORDS) { /* else it took nothing */
        (void)!decimal_scaled(numbers[1], 0, &row.figures[0]);
        (void)!decimal_scaled(numbers[0], 0, &row.figures[2]);
    }
    row.frame.name = builder_intern(text->builder, JOINED(&arena, module, SPAN("."), name));
    row.frame.module = builder_intern(text->builder, module);
    arena_free(&arena);
    text_set_place(text->builder, &row.frame, span_trim(rest));
    text_row_add(text, &row);
    return true;
}

const struct stack_shape shape_ghc = {
    .producer = "GHC", .knows = knows_ghc, .read = read_ghc, .is_tree = true};

/* ---- VTune: -report top-down -format csv ----
 *
 *     Function Stack,CPU Time:Self,Module
 *     Total,0.0,[Unknown]
 *      "std::rt::lang_start<core::result::Result<(), E>>",0.015,app.exe
 *
 * The blanks that tell the depth stand before the quote. */

static bool knows_vtune(struct span line)
{
    return span_starts(line, SPAN("Function Stack,"));
}

/* Takes a field and the comma behind it; its quotes are taken off. */
static struct span take_field(struct span *rest)
{
    struct span field = *rest;
    size_t end = 0;
    bool is_quoted = rest->len && *rest->at == '"', is_inside = false;

    for (; end < rest->len && (is_inside || rest->at[end] != ','); end++)
        is_inside ^= rest->at[end] == '"';
    field.len = end;
    *rest = span_after(*rest, end + 1);
    if (is_quoted && field.len > 1 && span_ends(field, SPAN("\"")))
        field = (struct span){field.at + 1, field.len - 2};
    return field;
}

static void read_vtune_titles(struct text_stacks *text, struct span line)
{
    text->is_inside = true;
    text->values[0] = (struct value_name){SPAN("time"), UNIT_NS};
    for (size_t i = 0; line.len; i++) {
        struct span title = take_field(&line);

        if (!text->column && span_starts(title, SPAN("CPU Time:Self")))
            text->column = i;
        if (span_eq(title, SPAN("Module")))
            text->module_column = i;
    }
}

static bool read_vtune(struct text_stacks *text, struct span line)
{
    struct text_row row = {.frame.kind = KIND_HOST};
    struct span rest = text_unindented(line, &row.indent), name;
    bool has_figure = false;

    if (knows_vtune(line))
        read_vtune_titles(text, line);
    if (knows_vtune(line) || !text->is_inside || !span_trim(line).len)
        return true;
    name = take_field(&rest);
    for (size_t i = 1; rest.len; i++) {
        struct span field = take_field(&rest);

        if (i == text->column)
            has_figure = decimal_scaled(span_trim(field), SECONDS, &row.figures[0]);
        if (i == text->module_column)
            row.frame.module = builder_intern(text->builder, field);
    }
    if (!has_figure)
        return false;
    row.frame.name = builder_intern(text->builder, name);
    text_row_add(text, &row);
    return true;
}

const struct stack_shape shape_vtune = {
    .producer = "VTune", .knows = knows_vtune, .read = read_vtune, .is_tree = true};
