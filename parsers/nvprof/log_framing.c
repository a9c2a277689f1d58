/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/nvprof/log_framing.h"

enum { PREFIX_MAX = 80, MARKS = 2, MARKS_WITHOUT_PID = 6 };

static size_t count_marks(struct span text)
{
    size_t count = 0;

    while (count < text.len && text.at[count] == '=')
        count++;
    return count;
}

/* "==4711== ", "======== " and hand-copied "====== " */
static bool take_marks(struct span *text, int64_t *pid)
{
    size_t marks = count_marks(*text), digits = 0;
    struct span rest = span_after(*text, marks);

    *pid = 0;
    if (marks < MARKS)
        return false;
    while (digits < rest.len && rest.at[digits] >= '0' && rest.at[digits] <= '9')
        digits++;
    if (digits) {
        if (!span_to_i64((struct span){rest.at, digits}, pid))
            return false;
        rest = span_after(rest, digits);
        marks = count_marks(rest);
        rest = span_after(rest, marks);
    }
    *text = rest;
    return digits ? marks >= MARKS : marks >= MARKS_WITHOUT_PID;
}

bool framing_read(struct span line, struct framing *framing)
{
    size_t comma;

    line = span_trim(line);
    comma = span_find((struct span){line.at, line.len < PREFIX_MAX ? line.len : PREFIX_MAX},
                      SPAN(",=="));
    if (comma != SIZE_MAX && line.at[0] != '"')
        line = span_after(line, comma + 1);
    if (!take_marks(&line, &framing->pid) || !line.len || line.at[0] != ' ')
        return false;
    framing->text = span_trim(line);
    return framing->text.len > 0;
}

static bool starts_with_any(struct span text, const char *const *words)
{
    for (; *words; words++)
        if (span_starts(text, span_of(*words)))
            return true;
    return false;
}

bool framing_is_nvprof(struct span text)
{
    static const char *const starts[] = {"NVPROF is profiling",
                                         "PGPROF is profiling",
                                         "Profiling ",
                                         "Generated result file",
                                         "API calls:",
                                         "Metric result:",
                                         "Event result:",
                                         "NVTX result:",
                                         "OpenACC (",
                                         "Unified Memory profiling result",
                                         "CPU profiling result",
                                         "Warning: ",
                                         "Error: ",
                                         NULL};

    return starts_with_any(text, starts);
}

bool framing_is_empty_sentence(struct span line)
{
    line = span_trim(line);
    return span_ends(line, SPAN("No kernels were profiled.")) ||
           span_ends(line, SPAN("No API activities were profiled.")) ||
           span_ends(line, SPAN("No events/metrics were profiled."));
}
