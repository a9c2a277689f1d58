/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_lines.c — the fields of a line in a text of Linux's ftrace
 *
 *     my app 3-1021    (   1000) [000] d..2. 5000000.000715: tracing_mark_write: B|1000|decode
 *
 * Commands may contain blanks, brackets and every separator, so a field is found by the text behind it. Times
 * are decimal texts of up to 16 digits, which a double would not keep. */
#include "base/text/decimal.h"
#include "graph/model/graph.h"
#include "parsers/ftrace/ftrace.h"

enum { SECONDS_TO_NS = 9, CPU_DIGITS = 5, PLACE_WITHIN = 256 };

static struct span before(struct span text, size_t end)
{
    return span_trim((struct span){text.at, end});
}

/* Where the last `word` begins; SIZE_MAX. */
static size_t find_last(struct span text, struct span word)
{
    for (size_t at = text.len < word.len ? 0 : text.len - word.len + 1; at-- > 0;)
        if (memcmp(text.at + at, word.at, word.len) == 0)
            return at;
    return SIZE_MAX;
}

/* "COMM-PID", which may have "(TGID)" behind it. */
static bool read_thread(struct span text, struct ftrace_line *line)
{
    size_t digits = 0, open;

    line->process = 0;
    if (span_ends(text, SPAN(")")) && (open = span_rfind(text, '(')) != SIZE_MAX) {
        if (!span_to_i64(span_trim((struct span){text.at + open + 1, text.len - open - 2}),
                         &line->process))
            line->process = 0;
        text = before(text, open);
    }
    while (digits < text.len && is_digit(text.at[text.len - 1 - digits]))
        digits++;
    if (!digits || digits + 1 >= text.len || text.at[text.len - 1 - digits] != '-')
        return false;
    line->command = before(text, text.len - 1 - digits);
    return span_to_i64(span_after(text, text.len - digits), &line->pid);
}

/* "[CPU]" with a thread before it; `rest` is the text behind it. */
static bool read_place(struct span text, struct ftrace_line *line, struct span *rest)
{
    for (size_t at = 1; at + 2 < text.len && at < PLACE_WITHIN; at++) {
        size_t digits = text.at[at] == '[' ? span_digits(span_after(text, at + 1)) : 0;
        uint64_t cpu;

        if (!digits || digits > CPU_DIGITS || !is_space(text.at[at - 1]) ||
            at + 1 + digits >= text.len || text.at[at + 1 + digits] != ']' ||
            !span_to_u64((struct span){text.at + at + 1, digits}, &cpu) ||
            !read_thread(before(text, at), line))
            continue;
        line->cpu = (uint32_t)cpu;
        *rest = span_after(text, at + digits + 2);
        return true;
    }
    return false;
}

static bool read_time(struct span word, int64_t *time)
{
    if (!span_ends(word, SPAN(":")) || !is_digit(word.at[0]))
        return false;
    word.len--;
    return memchr(word.at, '.', word.len) && decimal_fits(word, SECONDS_TO_NS, time) &&
           time_is_possible(*time);
}

bool ftrace_read_line(struct span text, struct ftrace_line *line)
{
    struct span rest;
    size_t end;

    if (!read_place(text, line, &rest))
        return false;
    if (!read_time(span_word(&rest), &line->time) && /* flags, which old kernels do not write */
        !read_time(span_word(&rest), &line->time))
        return false;
    end = span_find(rest, SPAN(":"));
    if (end == SIZE_MAX)
        return false;
    line->event = (struct span){rest.at, end};
    line->arguments = span_trim(span_after(rest, end + 1));
    return line->event.len > 0;
}

/* ---- arguments ---- */

/* "KEY=COMMAND PIDKEY=PID"; `rest` is the text behind it. */
static bool read_keys(struct span text, struct span key, struct span pid_key, struct span *command,
                      int64_t *pid, struct span *rest)
{
    size_t at = find_last(text, pid_key);

    if (!span_starts(text, key) || at == SIZE_MAX || at < key.len)
        return false;
    *command = (struct span){text.at + key.len, at - key.len};
    *rest = span_after(text, at + pid_key.len);
    return span_to_i64(span_word(rest), pid);
}

/* "COMMAND:PID [PRIORITY]", likewise: trace-cmd's own form. */
static bool read_brief(struct span text, struct span *command, int64_t *pid, struct span *rest)
{
    size_t end = find_last(text, SPAN(" [")), colon;

    if (end == SIZE_MAX)
        return false;
    *rest = span_after(text, end);
    text = before(text, end);
    colon = span_rfind(text, ':');
    if (colon == SIZE_MAX)
        return false;
    *command = before(text, colon);
    return span_to_i64(span_after(text, colon + 1), pid);
}

bool ftrace_read_switch(struct span arguments, struct ftrace_switch *to)
{
    size_t at = span_find(arguments, SPAN(" ==> next_comm="));
    bool is_brief = at == SIZE_MAX;
    struct span left, right, rest, state;

    if (is_brief)
        at = span_find(arguments, SPAN(" ==> "));
    if (at == SIZE_MAX)
        return false;
    left = (struct span){arguments.at, at};
    right = span_after(arguments, at + strlen(" ==> "));
    if (is_brief ? !read_brief(right, &to->to, &to->to_pid, &rest) ||
                       !read_brief(left, &to->from, &to->from_pid, &rest)
                 : !read_keys(right, SPAN("next_comm="), SPAN(" next_pid="), &to->to, &to->to_pid,
                              &rest) ||
                       !read_keys(left, SPAN("prev_comm="), SPAN(" prev_pid="), &to->from,
                                  &to->from_pid, &rest))
        return false;
    at = is_brief ? span_rfind(rest, ']') : find_last(rest, SPAN("prev_state="));
    if (at == SIZE_MAX)
        return false;
    state = span_trim(span_after(rest, at + (is_brief ? 1 : strlen("prev_state="))));
    to->is_runnable = span_starts(state, SPAN("R"));
    return true;
}

bool ftrace_read_woken(struct span arguments, struct span *command, int64_t *pid)
{
    struct span rest;

    return read_keys(arguments, SPAN("comm="), SPAN(" pid="), command, pid, &rest) ||
           read_brief(arguments, command, pid, &rest);
}
