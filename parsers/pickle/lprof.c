/* SPDX-License-Identifier: Apache-2.0 */
/* lprof.c — what line_profiler saves: a pickle of how often each line ran, and how long
 *
 *     LineStats: timings {(file, first line, name): [(line, hits, time), ...]}, unit in seconds
 *
 * A line's time is with all that it calls, and so is the sum over a function's lines: there is no
 * time without callees in such a file. */
#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/pickle/pickle.h"
#include "parsers/stacks/language_names.h"

/* A pickle can say that thousands of functions have one list of lines; line_profiler never does. */
enum { LINES_MIN = 100000, LISTS_SHARED = 4 };

enum { TAKEN_LINE = 1 };

/* What is read of (line, hits, time) on its way into a list: files have millions of them. */
struct lprof_line {
    int64_t line, hits;
    struct value time; /* as it stands: the unit may come later */
    uint32_t next;     /* of the same list, plus 1; 0: none */
};

struct lprof_list {
    uint32_t first, last; /* lines, plus 1 */
    uint32_t count;
};

struct lprof {
    struct builder *builder;
    struct callgraph_builder *callgraph;
    struct pickle pickle;
    struct idmap list_of; /* the pickle's lists */
    struct VECTOR_OF(struct lprof_list) lists;
    struct VECTOR_OF(struct lprof_line) lines;
    double tick;        /* ns */
    int64_t whole_tick; /* the same where it is whole; 0: it is not */
    bool by_line;
    int64_t *hits, *time; /* by function (or line), as the builder numbers them */
    size_t count, cap;
    uint64_t functions_with_time, odd, overlong;
    uint64_t lines_left, shared; /* one list may be the lines of many functions */
};

/* ---- figures ---- */

static bool is_number(const struct value *value)
{
    return value->kind == VALUE_INT || value->kind == VALUE_REAL;
}

static double real_of(const struct value *value)
{
    return value->kind == VALUE_INT ? (double)value->whole : value->real;
}

/* Ticks to ns; ticks with a fraction come from merging. */
static bool read_time(struct lprof *lprof, const struct value *value, int64_t *ns)
{
    static const double LONGEST = 9.2e18;
    double ticks = real_of(value);

    if (value->kind == VALUE_INT && lprof->whole_tick && value->whole != INT64_MAX &&
        !__builtin_mul_overflow(value->whole, lprof->whole_tick, ns))
        return true;
    if (!isfinite(ticks))
        return false;
    ticks *= lprof->tick;
    if (fabs(ticks) < LONGEST) {
        *ns = llround(ticks);
        return true;
    }
    *ns = ticks < 0 ? -INT64_MAX : INT64_MAX;
    lprof->overlong++;
    return true;
}

static void add_line(struct lprof *lprof, const struct frame *function, int64_t line, int64_t hits,
                     int64_t time)
{
    struct frame frame = *function;

    if (lprof->by_line)
        frame.line = line;

    size_t at =
        builder_function(lprof->callgraph, builder_frame_in(lprof->builder, &frame,
                                                            lprof->by_line ? function->line : 0));

    if (at >= lprof->cap) {
        lprof->cap = grow_cap(lprof->cap, at + 1);
        lprof->hits = grow_to(lprof->hits, lprof->cap, sizeof(*lprof->hits));
        lprof->time = grow_to(lprof->time, lprof->cap, sizeof(*lprof->time));
    }
    for (; lprof->count <= at; lprof->count++)
        lprof->hits[lprof->count] = lprof->time[lprof->count] = 0;
    lprof->hits[at] = checked_add(lprof->hits[at], hits);
    lprof->time[at] = checked_add(lprof->time[at], time);
}

/* ---- functions ---- */

/* (file, first line, name) */
static bool read_key(struct lprof *lprof, value_id id, struct frame *frame)
{
    const struct values *values = &lprof->pickle.values;
    const struct value *tuple = value_of_kind(values, id, VALUE_TUPLE), *file, *line, *name;
    uint32_t cell = tuple ? tuple->first : 0;
    char room[PYTHON_MODULE_MAX];

    file = value_of_kind(values, value_next(values, &cell), VALUE_TEXT);
    line = value_of_kind(values, value_next(values, &cell), VALUE_INT);
    name = value_of_kind(values, value_next(values, &cell), VALUE_TEXT);
    if (!file || !line || !name)
        return false;
    *frame = (struct frame){
        .name = name->text, .file = file->text, .line = line->whole, .kind = KIND_PYTHON};
    frame->module = builder_intern(lprof->builder,
                                   python_module(builder_text(lprof->builder, file->text), room));
    return true;
}

/* (line, hits, time) */
static bool read_line(const struct values *values, value_id id, struct lprof_line *read)
{
    uint32_t cell = value_first(value_at(values, id));
    const struct value *line = value_of_kind(values, value_next(values, &cell), VALUE_INT),
                       *hits = value_of_kind(values, value_next(values, &cell), VALUE_INT);
    value_id time = value_next(values, &cell);

    if (!line || !hits || hits->whole < 0 || !time || !is_number(value_at(values, time)))
        return false;
    *read = (struct lprof_line){line->whole, hits->whole, *value_at(values, time), 0};
    return true;
}

/* What is no line stays in its list. What is named again is known by its number. */
static bool take_line(void *context, value_id list, value_id item)
{
    struct lprof *lprof = context;
    const struct value *value = value_at(&lprof->pickle.values, item);
    uint32_t *known;
    struct lprof_list *into;
    struct lprof_line line;

    if (value->kind == VALUE_TAKEN)
        line = lprof->lines.list[value->whole];
    else if (!read_line(&lprof->pickle.values, item, &line))
        return false;
    line.next = 0;
    vector_add(&lprof->lines, line);
    known = idmap_at(&lprof->list_of, list);
    if (*known == IDMAP_NONE) {
        *known = (uint32_t)lprof->lists.count;
        vector_add(&lprof->lists, (struct lprof_list){0});
    }
    into = &lprof->lists.list[*known];
    if (into->last)
        lprof->lines.list[into->last - 1].next = (uint32_t)lprof->lines.count;
    else
        into->first = (uint32_t)lprof->lines.count;
    into->last = (uint32_t)lprof->lines.count;
    into->count++;
    if (value->kind != VALUE_TAKEN)
        pickle_take(&lprof->pickle, item, TAKEN_LINE, (uint32_t)lprof->lines.count - 1);
    return true;
}

/* The line where a function begins has no time of its own, but is a line of the function. */
static void read_function(struct lprof *lprof, value_id key, value_id lines)
{
    const struct values *values = &lprof->pickle.values;
    const struct value *list = value_of_kind(values, lines, VALUE_LIST);
    uint32_t known = list ? idmap_find(&lprof->list_of, lines) : IDMAP_NONE;
    struct lprof_list taken = {0};
    struct frame frame;
    int64_t time, sum = 0;

    if (!list || !read_key(lprof, key, &frame)) {
        lprof->odd++;
        return;
    }
    add_line(lprof, &frame, frame.line, 0, 0);
    if (known != IDMAP_NONE)
        taken = lprof->lists.list[known];
    if (taken.count > lprof->lines_left) {
        lprof->shared++;
        return;
    }
    lprof->lines_left -= taken.count;
    lprof->odd += list->count;
    for (uint32_t at = taken.first; at; at = lprof->lines.list[at - 1].next) {
        const struct lprof_line *line = &lprof->lines.list[at - 1];

        if (!read_time(lprof, &line->time, &time)) {
            lprof->odd++;
            continue;
        }
        add_line(lprof, &frame, line->line, line->hits, time);
        sum = checked_add(sum, time);
    }
    lprof->functions_with_time += sum > 0;
}

/* ---- the whole ---- */

static bool read_unit(struct lprof *lprof, value_id id)
{
    const struct value *value = id ? value_at(&lprof->pickle.values, id) : NULL;
    double seconds = value && is_number(value) ? real_of(value) : 0;

    if (!isfinite(seconds) || seconds <= 0 || seconds > 1e9)
        return false;
    lprof->tick = seconds * 1e9;
    if (fabs(lprof->tick - round(lprof->tick)) < 1e-6 * lprof->tick)
        lprof->whole_tick = llround(lprof->tick);
    return true;
}

static bool read_profile(struct lprof *lprof, value_id root, struct error *err)
{
    const struct values *values = &lprof->pickle.values;
    const struct value *object = value_of_kind(values, root, VALUE_OBJECT), *timings;
    uint32_t cell = object ? object->first : 0;
    value_id state = value_next(values, &cell);

    timings = value_of_kind(values, value_member(values, state, SPAN("timings")), VALUE_DICT);
    if (!timings || value_next(values, &cell) ||
        !read_unit(lprof, value_member(values, state, SPAN("unit"))))
        return error_set_at(err, 0, 0, "a pickle, but none of line_profiler's LineStats");
    lprof->lines_left = LINES_MIN + (uint64_t)LISTS_SHARED * lprof->lines.count;
    cell = timings->first;
    for (value_id key; (key = value_next(values, &cell));)
        read_function(lprof, key, value_next(values, &cell));
    return true;
}

static void hand_over(struct lprof *lprof)
{
    struct warnings *warnings = builder_warnings(lprof->builder);

    for (uint32_t i = 0; i < lprof->count; i++) {
        struct call_figures figures = {UNKNOWN, UNKNOWN, lprof->time[i], lprof->time[i]};

        if (lprof->by_line)
            figures.calls = figures.primitive_calls = lprof->hits[i];
        builder_list(lprof->callgraph, i, &figures);
    }
    warning_count_many(warnings, WARNING_LOSS,
                       "functions or lines whose figures are none, left out", lprof->odd);
    warning_count_many(warnings, WARNING_LOSS,
                       "functions without their lines, which they share with too many others",
                       lprof->shared);
    warning_count_many(warnings, WARNING_LOSS,
                       "times past 64 bits of nanoseconds, read as the largest that fits",
                       lprof->overlong);
    if (lprof->functions_with_time > 1)
        warning_say(
            warnings, WARNING_NOTE,
            "times are inclusive, by line: functions that call each other both have what the "
            "inner one takes, and nothing can be added up");
    builder_inclusive(lprof->builder);
    builder_producer(lprof->builder, "line_profiler");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};
    static const struct pickled_class classes[] = {{"_line_profiler", "LineStats"},
                                                   {"line_profiler._line_profiler", "LineStats"},
                                                   {"line_profiler.line_profiler", "LineStats"},
                                                   {NULL, NULL}};
    struct lprof lprof = {.builder = builder,
                          .callgraph = builder_callgraph(builder),
                          .pickle = {.in = in,
                                     .builder = builder,
                                     .classes = classes,
                                     .take = take_line,
                                     .takes = VALUE_TUPLE}};
    value_id root;
    bool ok;

    if (!builder_begin(builder, LEVEL_FLAT, values, 1, 0, err))
        return false;
    lprof.by_line = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;
    lprof.pickle.context = &lprof;
    root = pickle_read(&lprof.pickle, err);
    ok = root && read_profile(&lprof, root, err);
    if (ok)
        hand_over(&lprof);
    pickle_free(&lprof.pickle);
    idmap_free(&lprof.list_of);
    free(lprof.lists.list);
    free(lprof.lines.list);
    free(lprof.hits);
    free(lprof.time);
    return ok;
}

/* A pickle: of protocol 2 to 5, or of the older ones that begin with the class. */
static enum sniff sniff(struct span head, bool is_all)
{
    if (head.len < 2)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    if ((unsigned char)head.at[0] == 0x80 && head.at[1] >= 2 && head.at[1] <= 5)
        return SNIFF_YES;
    return span_starts(head, SPAN("ccopy_reg\n")) || span_starts(head, SPAN("ccopyreg\n"))
               ? SNIFF_YES
               : SNIFF_NO;
}

const struct parser parser_lprof = {
    .name = "lprof",
    .title = "line_profiler files",
    .summary = "Python, line by line: line_profiler, kernprof -l (.lprof)",
    .tried = "line_profiler 1 and later, Python 2.7 and 3",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
