/* SPDX-License-Identifier: Apache-2.0 */
/* gperf_threads.c — what threads are doing: "--- threadz", and Go's "goroutine profile: total N" */
#include "base/checked.h"
#include "parsers/gperftools/gperftools.h"
#include "parsers/text/text_end.h"

/* ---- threadz: "--- Thread HEX (name: NAME/ID) stack: ---", then lines with addresses ---- */

bool threads_know(struct span head)
{
    return span_starts(head, SPAN("--- threadz "));
}

/* "  PC: 0x400100 0x400200", or with names, one a line: "  0x00400300: main". */
static void push_found(struct legacy *legacy, struct span line)
{
    struct span rest = line;
    uint64_t address;

    while (rest.len) {
        struct span word = span_split(&rest, ' ');

        if (!span_starts(word, SPAN("0x")) || !hex_take(&word, &address) || word.len > 1)
            continue;
        if (legacy->stacks.rows.list[legacy->stacks.rows.count - 1].count && address)
            address--;
        stacks_push(&legacy->stacks, address);
        if (word.len) { /* a colon: what follows is its name */
            struct span name = span_trim(rest);

            if (name.len && stacks_begin_symbol(&legacy->stacks, address))
                stacks_add_name(&legacy->stacks,
                                (struct frame){.name = builder_intern(legacy->builder, name),
                                               .kind = KIND_HOST});
            return;
        }
    }
}

static const int64_t one[STACK_VALUES_MAX] = {1};

bool threads_parse(struct legacy *legacy, struct error *err)
{
    struct span line;

    legacy->values[0] = (struct value_name){SPAN("thread"), UNIT_COUNT};
    legacy->value_count = 1;
    if (!input_line(legacy->in, &line))
        return error_set_at(err, 0, 0, "the first line has no end");
    while (input_line(legacy->in, &line) && !legacy_is_maps_title(line)) {
        size_t count = legacy->stacks.rows.count;
        struct stack_row *last = count ? &legacy->stacks.rows.list[count - 1] : NULL;

        line = span_trim(line);
        if (span_starts(line, SPAN("--- Thread ")))
            stacks_begin_row(&legacy->stacks, one);
        else if (span_starts(line, SPAN("---- no stack trace for")))
            break;
        else if (!last)
            continue;
        else if (span_find(line, SPAN("[same as previous thread]")) == SIZE_MAX)
            push_found(legacy, line);
        else if (count > 1 && !last->count) {
            legacy->stacks.rows.count--;
            last[-1].values[0]++;
        }
    }
    return true;
}

/* ---- Go: "goroutine profile: total 3", then rows "N @ ADDRESSES" ---- */

bool counts_know(struct span head)
{
    size_t at =
        span_find((struct span){head.at, head.len < 80 ? head.len : 80}, SPAN(" profile: total "));

    return at != SIZE_MAX && at > 0 &&
           span_find((struct span){head.at, at}, SPAN("\n")) == SIZE_MAX;
}

static bool read_count_row(struct legacy *legacy, struct span line, int64_t *found,
                           struct error *err)
{
    int64_t values[STACK_VALUES_MAX] = {0};
    struct span rest = line;

    if (!legacy_take_int(&rest, &values[0]) || values[0] == INT64_MIN)
        return legacy_line_fault(legacy, line, "count profile", err);
    rest = span_trim(rest);
    if (!span_starts(rest, SPAN("@")))
        return legacy_line_fault(legacy, line, "count profile", err);
    *found = checked_add(*found, values[0]);
    stacks_begin_row(&legacy->stacks, values);
    return legacy_push_addresses(legacy, span_after(rest, 1), false) ||
           legacy_line_fault(legacy, line, "count profile", err);
}

bool counts_parse(struct legacy *legacy, struct error *err)
{
    struct comment_run run = {0};
    struct span line, title;
    int64_t stated = 0, found = 0;

    if (!input_line(legacy->in, &line))
        return error_set_at(err, 0, 0, "the first line has no end");
    title = builder_text(legacy->builder, builder_intern(legacy->builder, span_split(&line, ' ')));
    line = span_after(line, sizeof("profile: total ") - 1);
    (void)!span_to_i64(span_word(&line), &stated);
    legacy->values[0] = (struct value_name){title, UNIT_COUNT};
    legacy->value_count = 1;
    while (input_line(legacy->in, &line) && !legacy_is_maps_title(line)) {
        line = span_trim(line);
        if (span_starts(line, SPAN("#"))) {
            legacy_comment(legacy, line, &run);
            continue;
        }
        comment_run_end(&run, line);
        if (line.len && !read_count_row(legacy, line, &found, err))
            return false;
    }
    comment_run_check(&run, legacy);
    text_check_total(legacy->builder, "stacks", stated, found, 0, UNIT_COUNT);
    return true;
}
