/* SPDX-License-Identifier: Apache-2.0 */
/* chrome.c — traces in the Trace Event Format: PyTorch, Paddle, Chrome, Node, clang … */
#include "base/parallel/parallel_for.h"
#include "parsers/chrome/chrome_reader.h"
#include "parsers/chrome/event_args.h"
#include "parsers/parser.h"

enum { PART_MIN = 4 << 20 };

static struct span after_blanks(struct span head)
{
    if (span_starts(head, SPAN("\xEF\xBB\xBF")))
        head = span_after(head, 3);
    return span_trim(head);
}

static bool has_word(struct span head, const char *word)
{
    return span_find(head, span_of(word)) != SIZE_MAX;
}

/* An array of objects with a phase, or an object with one of the members that go with events. */
static enum sniff sniff(struct span head, bool is_all)
{
    struct span text = after_blanks(head);

    if (text.len == 0)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    if (text.at[0] != '[' && text.at[0] != '{')
        return SNIFF_NO;
    if (has_word(text, "\"traceEvents\"") || has_word(text, "\"ph\""))
        return SNIFF_YES;
    if (has_word(text, "\"schemaVersion\"") || has_word(text, "\"deviceProperties\""))
        return SNIFF_MAYBE;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct sink sink;
    struct reader reader = {.array = {.in = in, .sink = &sink, .scan = scanner_select()},
                            .threads = thread_budget(),
                            .part_min = PART_MIN};
    bool is_read;

    if (!builder_begin_timeline(builder, err))
        return false;
    input_read_ahead(in);
    sink_init(&sink, builder);
    wanted_args_init(&reader.wanted, builder);
    reader.array.scanner.wanted = wanted_args(&reader.wanted);
    is_read = reader_read(&reader, err);
    if (is_read)
        sink_finish(&sink, input_bytes_read(in));
    shapes_free(&reader.array.scanner.shapes);
    sink_free(&sink);
    return is_read;
}

const struct parser parser_chrome = {
    .name = "chrome",
    .title = "Chrome traces",
    .summary = "Trace Event Format: PyTorch, Paddle, Chrome, Node, clang -ftime-trace ...",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
