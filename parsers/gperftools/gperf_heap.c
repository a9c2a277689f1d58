/* SPDX-License-Identifier: Apache-2.0 */
/* gperf_heap.c — heap profiles as text: gperftools' and tcmalloc's, growth, and Go's debug=1
 *
 * "heap profile: N: BYTES [N: BYTES] @ KIND/RATE", then rows "N: BYTES [N: BYTES] @ ADDRESSES" of
 * what is in use and of all that was allocated. A sampled row stands for more than itself: an
 * allocation of s bytes is seen with the probability 1 - exp(-s / RATE), so the row's figures are
 * divided by that of its mean size. */
#include <math.h>

#include "base/checked.h"
#include "parsers/gperftools/gperftools.h"
#include "parsers/text/text_end.h"

struct gperf_heap {
    struct legacy *legacy;
    double rate;           /* mean bytes between samples; 0: every allocation is there */
    bool has_history;      /* the bracket says something of its own */
    int64_t stated, found; /* bytes of all allocations, as the first line says, and of the rows */
};

struct heap_figures {
    int64_t count, bytes, all_count, all_bytes;
};

bool heap_knows(struct span head)
{
    return span_starts(head, SPAN("heap profile:"));
}

static bool take_literal(struct span *text, const char *literal)
{
    struct span word = span_of(literal);

    *text = span_trim(*text);
    if (!span_starts(*text, word))
        return false;
    *text = span_after(*text, word.len);
    return true;
}

/* "N: BYTES [N: BYTES]", the bracket not always. */
static bool take_figures(struct span *text, struct heap_figures *figures)
{
    if (!legacy_take_int(text, &figures->count) || !take_literal(text, ":") ||
        !legacy_take_int(text, &figures->bytes))
        return false;
    figures->all_count = figures->count;
    figures->all_bytes = figures->bytes;
    if (!take_literal(text, "["))
        return true;
    return legacy_take_int(text, &figures->all_count) && take_literal(text, ":") &&
           legacy_take_int(text, &figures->all_bytes) && take_literal(text, "]");
}

/* "heap_v2/524288", "heapprofile", "growthz" … */
static bool read_kind(struct gperf_heap *heap, struct span kind)
{
    struct span rest = kind, name = span_trim(span_split(&rest, '/'));
    int64_t rate = 0;

    if (rest.len && !legacy_take_int(&rest, &rate))
        return false;
    if (span_eq(name, SPAN("heap_v2")) || span_eq(name, SPAN("heapz_v2")))
        heap->rate = (double)rate;
    else if (span_eq(name, SPAN("heap")))
        heap->rate = (double)rate / 2;
    else
        return span_eq(name, SPAN("heapprofile")) || span_eq(name, SPAN("growth")) ||
               span_eq(name, SPAN("growthz")) || span_eq(name, SPAN("fragmentation")) ||
               span_eq(name, SPAN("fragmentationz"));
    return true;
}

static bool read_header(struct gperf_heap *heap, struct error *err)
{
    struct legacy *legacy = heap->legacy;
    struct heap_figures f;
    struct span line, rest;

    if (!input_line(legacy->in, &line))
        return error_set_at(err, 0, 0, "the first line has no end");
    rest = span_after(line, sizeof("heap profile:") - 1);
    if (!take_figures(&rest, &f))
        return legacy_line_fault(legacy, line, "heap profile", err);
    if (!take_literal(&rest, "@") || !read_kind(heap, span_trim(rest)))
        return error_set_at(err, 0, 1, "a heap profile of a kind that is not known");
    heap->stated = f.all_bytes;
    heap->has_history =
        (f.all_count || f.all_bytes) && (f.all_count != f.count || f.all_bytes != f.bytes);
    return true;
}

static void name_values(struct gperf_heap *heap)
{
    static const struct value_name both[] = {{LITERAL("alloc_objects"), UNIT_COUNT},
                                             {LITERAL("alloc_space"), UNIT_BYTES},
                                             {LITERAL("inuse_objects"), UNIT_COUNT},
                                             {LITERAL("inuse_space"), UNIT_BYTES}};
    static const struct value_name one[] = {{LITERAL("objects"), UNIT_COUNT},
                                            {LITERAL("space"), UNIT_BYTES}};
    struct legacy *legacy = heap->legacy;

    legacy->value_count = heap->has_history ? 4 : 2;
    for (uint32_t i = 0; i < legacy->value_count; i++)
        legacy->values[i] = heap->has_history ? both[i] : one[i];
}

static int64_t scaled(int64_t value, double scale)
{
    return checked_whole((double)value * scale);
}

void heap_unsample(double rate, int64_t *count, int64_t *bytes)
{
    double scale;

    if (*count == 0 || *bytes == 0 || rate <= 1)
        return;
    scale = 1 / (1 - exp(-((double)*bytes / (double)*count) / rate));
    *count = scaled(*count, scale);
    *bytes = scaled(*bytes, scale);
}

static bool read_row(struct gperf_heap *heap, struct span line, struct error *err)
{
    struct legacy *legacy = heap->legacy;
    struct span rest = line;
    struct heap_figures f;
    int64_t block;

    if (!take_figures(&rest, &f) || !take_literal(&rest, "@") || (f.count == 0 && f.bytes != 0))
        return legacy_line_fault(legacy, line, "heap profile", err);
    heap->found = checked_add(heap->found, f.all_bytes);
    block = f.count ? f.bytes / f.count : f.all_count ? f.all_bytes / f.all_count : 0;
    heap_unsample(heap->rate, &f.count, &f.bytes);
    heap_unsample(heap->rate, &f.all_count, &f.all_bytes);
    if (heap->has_history)
        stacks_begin_row(&legacy->stacks,
                         (int64_t[STACK_VALUES_MAX]){f.all_count, f.all_bytes, f.count, f.bytes});
    else
        stacks_begin_row(&legacy->stacks, (int64_t[STACK_VALUES_MAX]){f.count, f.bytes});
    stacks_label_block(&legacy->stacks, block);
    return legacy_push_addresses(legacy, rest, false) ||
           legacy_line_fault(legacy, line, "heap profile", err);
}

bool heap_parse(struct legacy *legacy, struct error *err)
{
    struct gperf_heap heap = {.legacy = legacy};
    struct comment_run run = {0};
    struct span line;

    if (!read_header(&heap, err))
        return false;
    name_values(&heap);
    while (input_line(legacy->in, &line) && !legacy_is_maps_title(line)) {
        struct span trimmed = span_trim(line);

        if (span_starts(trimmed, SPAN("#")))
            legacy_comment(legacy, trimmed, &run);
        else if (trimmed.len && (run = (struct comment_run){0}, !read_row(&heap, line, err)))
            return false;
    }
    text_check_total(legacy->builder, "of allocations", heap.stated, heap.found, 0, UNIT_BYTES);
    return true;
}
