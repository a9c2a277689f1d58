/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace.c — texts of Linux's ftrace: of the kernel, atrace and trace-cmd, and Android's pages of systrace
 *
 * The scheduler records which thread each processor runs, and which threads wait for one. Programs write marks.
 * A thread's row shows its marked ranges and, outside of them, when it ran. Within a range this is its CPU time.
 * Processors have rows of their own, and so have the waits of each thread for a processor. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/ftrace/ftrace_events.h"
#include "parsers/parser.h"

/* ---- lines without an event ---- */

/* "CPU:1 [LOST 4212 EVENTS]" or "##### CPU 2 buffer started ####": which thread ran there is not known. */
static bool read_gap(struct ftrace *ftrace, struct span text)
{
    struct span rest = text;
    int64_t cpu, lost = 0;
    size_t at;

    if (span_starts(text, SPAN("CPU:"))) {
        rest = span_after(text, strlen("CPU:"));
        if (!span_to_i64(span_word(&rest), &cpu) || !span_starts(rest, SPAN("[LOST ")))
            return false;
        rest = span_after(rest, strlen("[LOST "));
        if (span_to_i64(span_word(&rest), &lost))
            ftrace->lost = checked_add(ftrace->lost, not_negative(lost));
    } else {
        at = span_starts(text, SPAN("##### CPU ")) ? strlen("##### CPU ") : text.len;
        rest = span_after(text, at);
        if (!span_to_i64(span_word(&rest), &cpu))
            return false;
    }
    ftrace_forget_processor(ftrace, (uint64_t)cpu);
    return true;
}

/* Pages from before 2015 have the lines in a text of JavaScript. */
static struct span without_escape(struct span text)
{
    static const struct span escape = LITERAL("\\n\\");

    if (span_ends(text, escape))
        text.len -= escape.len;
    return text;
}

static bool is_page(struct span head)
{
    return span_is_word((struct span){head.at, head.len < 5 ? head.len : 5}, "<html") ||
           span_is_word((struct span){head.at, head.len < 9 ? head.len : 9}, "<!doctype");
}

/* ---- the whole ---- */

static bool read_lines(struct ftrace *ftrace, struct input *in, struct error *err)
{
    bool is_in_page = is_page(span_trim(input_peek(in, 64)));
    uint64_t offset = input_offset(in), lines = 0;
    struct ftrace_line line;
    struct span text;

    for (; input_line(in, &text); offset = input_offset(in)) {
        text = without_escape(text);
        if (ftrace_read_line(text, &line)) {
            ftrace_add(ftrace, &line);
            lines++;
            continue;
        }
        text = span_trim(text);
        if (!read_gap(ftrace, text) && !is_in_page && lines && text.len && text.at[0] != '#')
            warning_count(builder_warnings(ftrace->builder), WARNING_LOSS,
                          "lines that are cut or garbled, left out", offset);
    }
    if (lines)
        return true;
    error_set_at(err, 0, 0, "no line of an event that ftrace wrote");
    return error_hint(err, "was anything recorded? ptk does not read output of atrace -z: omit -z");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct ftrace ftrace = {.builder = builder, .timeline = builder_timeline(builder)};
    bool ok = builder_begin_timeline(builder, err) && read_lines(&ftrace, in, err);

    if (ok) {
        ftrace_end(&ftrace);
        ok = builder_check_value(builder, err);
    }
    builder_producer(builder, "ftrace");
    ftrace_free(&ftrace);
    return ok;
}

/* A head of ftrace's; a page with a trace, which may be far behind the viewer; or lines of this form. */
static enum sniff sniff(struct span head, bool is_all)
{
    enum { ENOUGH = 3, LOOKED_AT = 64 };
    struct span start = span_trim(head), rest = head;
    struct ftrace_line line;
    int found = 0;

    if (is_page(start))
        return span_find(head, SPAN("\"trace-data\"")) != SIZE_MAX ||
                       span_find(head, SPAN("linuxPerfData")) != SIZE_MAX ||
                       span_find(head, SPAN("<title>Android System Trace")) != SIZE_MAX
                   ? SNIFF_YES
               : is_all ? SNIFF_NO
                        : SNIFF_MORE;
    if (span_starts(start, SPAN("# tracer:")) || span_starts(start, SPAN("TRACE:\n")) ||
        span_starts(start, SPAN("TRACE:\r\n")))
        return SNIFF_YES;
    for (int i = 0; i < LOOKED_AT && rest.len && found < ENOUGH; i++)
        found += ftrace_read_line(span_split(&rest, '\n'), &line);
    return found == ENOUGH || (found && is_all && !memchr(head.at, '\0', head.len)) ? SNIFF_YES
                                                                                    : SNIFF_NO;
}

const struct parser parser_ftrace = {
    .name = "ftrace",
    .title = "texts of ftrace",
    .summary = "Linux: ftrace, trace-cmd report, atrace; Android's systrace (text and page)",
    .tried = "made texts of seven forms; systrace of 2012 and 2015",
    .omitted = "interrupts, frequencies, functions (the function tracers)",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
