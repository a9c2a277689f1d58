/* SPDX-License-Identifier: Apache-2.0 */
/* gperftools.c — which of the legacy profiles of gperftools and Go a file is, its symbols and its comments */
#include "parsers/gperftools/gperftools.h"

#include "parsers/stacks/language_names.h"
#include "parsers/text/text_end.h"

bool legacy_is_maps_title(struct span line)
{
    return span_starts(line, SPAN("MAPPED_LIBRARIES:")) ||
           span_starts(line, SPAN("--- Memory map: ---"));
}

bool legacy_push_addresses(struct legacy *legacy, struct span text, bool is_leaf_exact)
{
    uint64_t address;
    bool is_first = true;

    for (text = span_trim(text); text.len; text = span_trim(text)) {
        if (!hex_take(&text, &address))
            return false;
        if (address && !(is_first && is_leaf_exact) && !legacy->has_caller_places)
            address--;
        stacks_push(&legacy->stacks, address);
        is_first = false;
    }
    return true;
}

static struct frame go_frame(struct legacy *legacy, struct span name, struct span place)
{
    struct frame frame = {.kind = KIND_HOST};
    size_t plus = span_rfind(name, '+'); /* "runtime.main+0x211" */

    if (plus != SIZE_MAX && span_starts(span_after(name, plus), SPAN("+0x")))
        name.len = plus;
    frame.name = builder_intern(legacy->builder, name);
    frame.file = builder_intern(legacy->builder, place_file(place, &frame.line));
    if (legacy->stacks.detail == DETAIL_FUNCTION)
        frame.line = 0;
    return frame;
}

void legacy_comment(struct legacy *legacy, struct span line, struct comment_run *run)
{
    struct span rest = span_trim(span_after(line, 1)), name;
    struct frame frame;
    uint64_t address;

    if (!span_starts(rest, SPAN("0x")) || !hex_take(&rest, &address))
        return;
    rest = span_trim(rest);
    name = span_trim(span_split(&rest, '\t'));
    if (name.len == 0)
        return;
    run->has_names = run->is_open = true;
    if (address != run->address || !run->address) {
        run->address = address;
        run->is_kept = stacks_begin_symbol(&legacy->stacks, address);
    }
    if (!run->is_kept)
        return;
    frame = go_frame(legacy, name, span_trim(rest));
    stacks_add_name(&legacy->stacks, frame);
}

void comment_run_end(struct comment_run *run, struct span line)
{
    *run = (struct comment_run){.has_names = run->has_names, .is_open = line.len > 0};
}

void comment_run_check(const struct comment_run *run, struct legacy *legacy)
{
    if (run->has_names && run->is_open)
        text_ends_within(legacy->builder, "a stack");
}

bool legacy_take_int(struct span *text, int64_t *value)
{
    struct span number = *text = span_trim(*text);

    number.len = 0;
    while (number.len < text->len &&
           (is_digit(text->at[number.len]) || (number.len == 0 && text->at[0] == '-')))
        number.len++;
    *text = span_after(*text, number.len);
    return span_to_i64(number, value);
}

bool legacy_line_fault(struct legacy *legacy, struct span line, const char *format,
                       struct error *err)
{
    return error_set_at(err, input_offset(legacy->in) - line.len - 1, 0, "not a line of a %s",
                        format);
}

/* ---- the profiles of gperftools (and of yep, which uses it) and Go's debug=1 texts ---- */

/* Google's Perl pprof puts the symbols in front with --raw: "--- symbol", lines "0xADDR
 * OUTER--INLINED--INNERMOST", "---", "--- profile", and then any of the others. */

/* More inlined functions at one place than any compiler makes: a file must not multiply itself. */
enum { INLINED_MAX = 256 };

enum { HEAD = 256 };

static bool is_symbolized(struct span head)
{
    return span_starts(head, SPAN("--- symbol\n"));
}

static enum sniff sniff(struct span head, bool is_all)
{
    if (cpu_form(head).size || is_symbolized(head) || heap_knows(head) || java_knows(head) ||
        contention_knows(head) || threads_know(head) || counts_know(head))
        return SNIFF_YES;
    return !is_all && head.len < HEAD ? SNIFF_MORE : SNIFF_NO;
}

/* Names are from the outermost function inwards; the frames go the other way. */
static void add_inlined(struct legacy *legacy, struct span names)
{
    for (int i = 0; i < INLINED_MAX && names.len; i++) {
        struct frame frame = {.kind = KIND_HOST};
        struct span name = names;
        size_t dashes = names.len;

        while (dashes > 1 && !(names.at[dashes - 1] == '-' && names.at[dashes - 2] == '-'))
            dashes--;
        if (dashes > 2) {
            name = span_after(names, dashes);
            names.len = dashes - 2;
        } else {
            names.len = 0;
        }
        frame.name = builder_intern(legacy->builder, name);
        stacks_add_name(&legacy->stacks, frame);
    }
}

static bool read_symbols(struct legacy *legacy, struct error *err)
{
    struct span line;
    uint64_t address;

    while (input_line(legacy->in, &line) && !span_eq(line, SPAN("--- profile"))) {
        if (!span_starts(line, SPAN("0x")) || !hex_take(&line, &address))
            continue;
        line = span_trim(line);
        if (line.len && stacks_begin_symbol(&legacy->stacks, address))
            add_inlined(legacy, line);
    }
    legacy->has_caller_places = true;
    if (!input_has(legacy->in, 1))
        return error_set_at(err, input_offset(legacy->in), 0, "symbols without a profile");
    return true;
}

static bool read_profile(struct legacy *legacy, struct error *err)
{
    struct span head = input_peek(legacy->in, HEAD);

    if (cpu_form(head).size)
        return cpu_parse(legacy, err);
    if (java_knows(head))
        return java_parse(legacy, err);
    if (heap_knows(head))
        return heap_parse(legacy, err);
    if (contention_knows(head))
        return contention_parse(legacy, err);
    if (threads_know(head))
        return threads_parse(legacy, err);
    if (counts_know(head))
        return counts_parse(legacy, err);
    return error_set_at(err, input_offset(legacy->in), 0, "not a profile of gperftools");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct legacy legacy = {.in = in, .builder = builder, .stacks = {.builder = builder}};
    struct span line;
    bool ok;

    legacy.stacks.detail = builder_detail(builder, DETAIL_ADDRESS);
    ok = (!is_symbolized(input_peek(in, HEAD)) || read_symbols(&legacy, err)) &&
         read_profile(&legacy, err) &&
         builder_begin(builder, LEVEL_CALLTREE, legacy.values, legacy.value_count,
                       legacy.value_count - 1, err);
    while (ok && input_line(in, &line))
        stacks_map(&legacy.stacks, line);
    if (ok) {
        stacks_plant(&legacy.stacks);
        builder_sample_facts(builder_stacks(builder));
    }
    stacks_free(&legacy.stacks);
    return ok;
}

const struct parser parser_gperftools = {
    .name = "gperftools",
    .title = "gperftools profiles",
    .summary = "gperftools and yep: CPU, heap, growth, contention, threads; Go's debug=1 texts",
    .tried = "gperftools 2.10, yep, Go 1.19",
    .omitted = "thread lists without stacks",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
