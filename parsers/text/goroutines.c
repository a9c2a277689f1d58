/* SPDX-License-Identifier: Apache-2.0 */
/* goroutines.c — the stacks of Go's goroutines, one by one: pprof's goroutine?debug=2, and what a
 * panic or SIGQUIT prints
 *
 *     goroutine 6 [semacquire, 2 minutes]:
 *     sync.(*Mutex).Lock(0xc00008a3d0)
 *             /usr/lib/go/src/sync/mutex.go:90 +0x25
 *     created by main.main in goroutine 1
 *             /srv/app/main.go:121 +0x465
 *
 * One goroutine counts one. Its state is a label, and so is for how many minutes it has waited. */
#include <ctype.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"
#include "parsers/text/text_end.h"

enum { LABELS_MAX = 3 };

static const struct span created = LITERAL("created by ");

struct goroutine_dump {
    struct builder *builder;
    struct stack_builder *stacks;
    struct VECTOR_OF(frame_id) frames; /* of the goroutine at hand, the leaf first */
    struct frame frame;                /* whose place has not come yet; name 0: none */
    struct sample_label labels[LABELS_MAX];
    uint32_t label_count;
    uint64_t goroutines;
    enum detail detail;
    bool is_inside;
    bool awaits_place; /* of the call that started the goroutine */
};

/* ---- goroutines ---- */

static void end_frame(struct goroutine_dump *dump)
{
    if (!dump->frame.name)
        return;
    vector_add(&dump->frames, builder_frame(dump->builder, &dump->frame));
    dump->frame = (struct frame){0};
}

static void end_goroutine(struct goroutine_dump *dump)
{
    static const int64_t one[] = {1};

    end_frame(dump);
    if (dump->is_inside) {
        builder_labels(dump->stacks, dump->labels, dump->label_count);
        builder_stack(dump->stacks, dump->frames.list, (uint32_t)dump->frames.count, one);
    }
    dump->is_inside = dump->awaits_place = false;
    dump->frames.count = 0;
}

static void add_label(struct goroutine_dump *dump, const char *key, struct span text,
                      const char *unit)
{
    dump->labels[dump->label_count++] =
        (struct sample_label){.key = builder_intern(dump->builder, span_of(key)),
                              .text = builder_intern(dump->builder, text),
                              .unit = builder_intern(dump->builder, span_of(unit)),
                              .is_number = *unit != '\0'};
}

/* "goroutine 6 [semacquire, 2 minutes, locked to thread]:"; older ones have "gp=0x… m=0" between. */
static bool begins_goroutine(struct span line, struct span *states)
{
    size_t open = span_find(line, SPAN(" [")), close = span_find(line, SPAN("]:"));

    if (!span_starts(line, SPAN("goroutine ")) || line.len < 11 ||
        !isdigit((unsigned char)line.at[10]) || open == SIZE_MAX || close == SIZE_MAX ||
        close < open + 2)
        return false;
    *states = (struct span){line.at + open + 2, close - open - 2};
    return true;
}

static void begin_goroutine(struct goroutine_dump *dump, struct span states)
{
    end_goroutine(dump);
    dump->is_inside = true;
    dump->goroutines++;
    dump->label_count = 0;
    add_label(dump, "state", span_trim(span_split(&states, ',')), "");
    while (states.len && dump->label_count < LABELS_MAX) {
        struct span word = span_trim(span_split(&states, ','));

        if (span_ends(word, SPAN(" minutes")))
            add_label(dump, "waiting", (struct span){word.at, word.len - 8}, "minutes");
        else
            add_label(dump, "mark", word, "");
    }
}

/* ---- frames ---- */

/* "main.(*T).Get[...](0xc000, {0x1, 0x2})" without its arguments, which are the last parentheses. */
static struct span without_arguments(struct span line)
{
    size_t depth = 0, at = line.len;

    if (!span_ends(line, SPAN(")")))
        return line;
    while (at-- > 0) {
        depth += line.at[at] == ')';
        depth -= line.at[at] == '(';
        if (depth == 0)
            return at ? (struct span){line.at, at} : line;
    }
    return line;
}

/* "\t/srv/app/main.go:121 +0x465" */
static void read_place(struct goroutine_dump *dump, struct span line)
{
    struct span place = span_trim(line);
    size_t blank = span_find(place, SPAN(" +0x"));
    int64_t number;

    if (blank != SIZE_MAX)
        place.len = blank;
    dump->frame.file = builder_intern(dump->builder, place_file(place, &number));
    /* where it stands, not where the function begins: only lines are distinguished by it */
    dump->frame.line = dump->detail == DETAIL_LINE ? number : 0;
    end_frame(dump);
}

static void read_line(struct goroutine_dump *dump, struct span line)
{
    struct span states;

    if (begins_goroutine(line, &states)) {
        begin_goroutine(dump, states);
    } else if (span_trim(line).len == 0) {
        end_goroutine(dump);
    } else if (!dump->is_inside) {
        return; /* what the program wrote, or why it died */
    } else if (line.at[0] == '\t' || line.at[0] == ' ') {
        dump->awaits_place = false;
        if (dump->frame.name)
            read_place(dump, line);
    } else if (span_ends(line, SPAN(")")) && !span_starts(line, created)) {
        end_frame(dump);
        dump->frame = (struct frame){.name = builder_intern(dump->builder, without_arguments(line)),
                                     .kind = KIND_HOST};
    } else {
        end_frame(dump); /* who started the goroutine, frames left out, or the end of it all */
        dump->awaits_place = span_starts(line, created);
    }
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("goroutines"), UNIT_COUNT}};
    struct goroutine_dump dump = {.builder = builder, .stacks = builder_stacks(builder)};
    bool ok = builder_begin(builder, LEVEL_CALLTREE, values, 1, 0, err);
    struct span line;

    dump.detail = builder_detail(builder, DETAIL_LINE);
    while (ok && input_line(in, &line))
        read_line(&dump, line);
    if (ok) {
        if (dump.is_inside && (dump.frame.name || dump.awaits_place || dump.frames.count == 0))
            text_ends_within(builder, "the stack of a goroutine");
        end_goroutine(&dump);
        builder_producer(builder, "Go, stacks of goroutines");
        builder_fact(builder, "goroutines", (int64_t)dump.goroutines, UNIT_COUNT);
        if (dump.goroutines == 0)
            ok = error_set_at(err, input_offset(in), 0, "no goroutine is in it");
    }
    free(dump.frames.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span rest = head, states;
    bool is_found = false;

    while (rest.len && !is_found)
        is_found = begins_goroutine(span_split(&rest, '\n'), &states);
    return sniff_text(head, is_all, is_found);
}

const struct parser parser_goroutines = {
    .name = "goroutines",
    .title = "dumps of goroutines",
    .summary = "Go's goroutine?debug=2, SIGQUIT and panics: where each goroutine is",
    .tried = "Go 1.19",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
