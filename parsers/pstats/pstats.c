/* SPDX-License-Identifier: Apache-2.0 */
/* pstats.c — the dumps of Python's cProfile, profile and hotshot, and of tools that imitate them
 *
 * One marshalled dict: (file, line, name) → (cc, nc, tt, ct, callers), where callers is a dict of
 * the same keys to (nc, cc, tt, ct) or to a plain count. cc are primitive calls, nc all calls, in
 * the opposite order in the two places. Times are seconds.
 *
 * A reader makes batches of functions out of bytes, and a store puts them into the graph; in a
 * dump of more than one batch they work at the same time. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/parallel/parallel.h"
#include "parsers/parser.h"
#include "parsers/pstats/pstats.h"

enum { BATCHES = 3 };

struct pstats_dump {
    struct pstats_reader reader;
    struct store store;
    struct batch batches[BATCHES];
    struct VECTOR_OF(struct batch *) first; /* those before it is known who wrote the dump */
};

/* ---- what the file says of itself ---- */

static const char *python_of(const struct pstats_dump *dump)
{
    if (dump->store.is_pypy)
        return "PyPy";
    if (dump->reader.marshal.is_python2)
        return "Python 2";
    if (dump->reader.is_sampled)
        return "Python 3.15 or later";
    return dump->reader.marshal.refs.count ? "Python 3.4 or later" : "Python of unknown version";
}

static const char *tool_of(const struct pstats_dump *dump)
{
    if (dump->reader.is_sampled)
        return "profiling.sampling";
    if (dump->store.reversed)
        return "yappi";
    if (dump->store.unknown_counts)
        return "pyinstrument";
    return dump->reader.plain_callers ? "profile or hotshot" : "cProfile";
}

static void report(struct pstats_dump *dump, struct builder *builder)
{
    struct warnings *warnings = builder_warnings(builder);

    builder_producer(builder, "%s, %s", tool_of(dump), python_of(dump));
    /* the counts of its callers are right */
    if (dump->store.reversed)
        builder_swap_call_counts(builder_callgraph(builder));
    if (dump->store.reversed && !dump->store.has_builtins) /* yappi's default */
        builder_known_text(builder, FACT_BUILTINS, SPAN("not recorded"));
    if (dump->store.reversed)
        warning_say(warnings, WARNING_NOTE,
                    "%llu functions have more primitive calls than calls, as yappi writes them; "
                    "the two are swapped in the whole file",
                    (unsigned long long)dump->store.reversed);
    if (dump->store.has_other_threads)
        warning_say(warnings, WARNING_LOSS,
                    "calls of several threads are mixed on one stack, as Python 3.12 and later "
                    "record them: callers and recursion may be wrong");
    warning_count_many(warnings, WARNING_NOTE, "negative call counts, shown as unknown",
                       dump->store.unknown_counts);
    if (!dump->reader.is_sampled)
        warning_count_many(warnings, WARNING_NOTE,
                           "callers with a count but no times (their share of time is estimated)",
                           dump->reader.plain_callers);
    warning_count_many(warnings, WARNING_NOTE, "callers with several groups of figures, added up",
                       dump->reader.merged_callers);
}

/* ---- the whole ---- */

static bool fill_batch(void *context, size_t slot)
{
    struct pstats_dump *dump = context;

    return reader_fill(&dump->reader, &dump->batches[slot]);
}

static bool has_call_times(const struct batch *batch)
{
    for (size_t i = 0; i < batch->callers.count; i++)
        if (batch->callers.list[i].figures.cum != UNKNOWN)
            return true;
    return false;
}

/* A sampling profiler says at the end of the dump that it is one. Its callers have no times: most
 * dumps have some in their first batch, which is the only one then. */
static bool read_first(struct pstats_dump *dump)
{
    struct batch *batch;
    bool is_more;

    do {
        batch = grow_zeroed(1, sizeof(*batch));
        vector_add(&dump->first, batch);
        is_more = reader_fill(&dump->reader, batch);
    } while (is_more && !has_call_times(batch));
    return is_more;
}

static void read_others(struct pstats_dump *dump)
{
    struct spsc_ring *ring = thread_budget() > 1 ? ring_start(BATCHES, fill_batch, dump) : NULL;
    bool is_more = !ring;
    size_t slot = 0;

    while (ring && ring_take(ring, &slot)) {
        store_batch(&dump->store, &dump->batches[slot]);
        ring_release(ring);
    }
    if (ring)
        ring_stop(ring);
    while (is_more) {
        is_more = fill_batch(dump, 0);
        store_batch(&dump->store, &dump->batches[0]);
    }
}

static bool read_batches(struct pstats_dump *dump, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {
        [SAMPLED_TIME] = {LITERAL("time"), UNIT_NS},
        [SAMPLED_SAMPLES] = {LITERAL("samples"), UNIT_COUNT},
    };
    bool is_more = read_first(dump), is_sampled = dump->reader.is_sampled && !is_more;

    if (!builder_begin(builder, LEVEL_CALLGRAPH, values, is_sampled ? SAMPLED_VALUES : 1, 0, err))
        return false;
    store_begin(&dump->store, builder);
    if (is_sampled) {
        sampled_dump_store(&dump->store, dump->first.list, dump->first.count);
        return true;
    }
    for (size_t i = 0; i < dump->first.count; i++)
        store_batch(&dump->store, dump->first.list[i]);
    if (is_more)
        read_others(dump);
    return true;
}

/* A dump that was cut short is sound up to the last whole function. */
static bool salvage(const struct pstats_dump *dump, struct warnings *warnings)
{
    if (!dump->reader.marshal.is_cut || dump->store.listed == 0)
        return false;
    warning_say(warnings, WARNING_LOSS,
                "the file ends early, at byte %llu: the %u functions before that are shown, "
                "those after it are lost",
                (unsigned long long)dump->reader.err.offset, dump->store.listed);
    return true;
}

static bool read_dump(struct pstats_dump *dump, struct input *in, struct builder *builder,
                      struct error *err)
{
    struct warnings *warnings = builder_warnings(builder);

    if (!reader_begin(&dump->reader, in, err) || !read_batches(dump, builder, err))
        return false;
    for (size_t i = 0; i < dump->reader.warnings.count; i++)
        warning_merge(warnings, &dump->reader.warnings.list[i]);
    if (dump->reader.err.kind && !salvage(dump, warnings)) {
        *err = dump->reader.err;
        return false;
    }
    if (!dump->reader.err.kind && input_peek(in, 1).len)
        warning_count(warnings, WARNING_NOTE, "bytes after the end of the profile, ignored",
                      input_offset(in));
    report(dump, builder);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct pstats_dump dump = {0};
    bool ok = read_dump(&dump, in, builder, err);

    reader_free(&dump.reader);
    store_free(&dump.store);
    for (size_t i = 0; i < BATCHES; i++)
        batch_free(&dump.batches[i]);
    for (size_t i = 0; i < dump.first.count; i++) {
        batch_free(dump.first.list[i]);
        free(dump.first.list[i]);
    }
    free(dump.first.list);
    return ok;
}

/* Version 3 and later flag the dict, which nothing else begins with. Before, '{' could be JSON,
 * which goes on with a quote, a brace or white space. */
static enum sniff sniff(struct span head, bool is_all)
{
    unsigned char first, second;

    if (head.len < 2)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    first = (unsigned char)head.at[0];
    second = (unsigned char)head.at[1] & 0x7f;
    if (first != 0xFB && first != '{')
        return SNIFF_NO;
    return second == '(' || second == ')' || second == '0' ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_pstats = {
    .name = "pstats",
    .title = "pstats dumps",
    .summary = "Python: cProfile, profile, hotshot, yappi, pyinstrument -r pstats, Tachyon",
    .tried = "Python 2.5 to 3.13; 3.15's sampler; hotshot, yappi, pyinstrument",
    .level = LEVEL_CALLGRAPH,
    .sniff = sniff,
    .parse = parse,
};
