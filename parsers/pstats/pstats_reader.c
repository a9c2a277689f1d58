/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_reader.c — the functions and callers of a dump, from marshal's values to batches */
#include "parsers/pstats/pstats.h"

#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* ---- two counts and two times, as functions and their callers have them ---- */

enum { NS_PER_SECOND = 1000000000 };

static const double LONGEST_TIME = 9.2e9; /* seconds whose ns fit 64 bits */

/* Seconds to nanoseconds. What 64 bits cannot hold is shown as 0, and counted. */
static int64_t nanoseconds(struct marshal *marshal, double seconds, uint64_t at)
{
    if (fabs(seconds) < LONGEST_TIME)
        return llrint(seconds * NS_PER_SECOND);
    warning_count(marshal->warnings, WARNING_LOSS,
                  "times that are infinite or past 292 years, read as 0", at);
    return 0;
}

static bool read_count(struct marshal *marshal, int64_t *count, struct error *err)
{
    struct marshal_value value;

    if (!marshal_next(marshal, &value, err))
        return false;
    switch (value.type) {
    case MARSHAL_INT:
    case MARSHAL_BOOL:
        *count = value.whole;
        return true;
    case MARSHAL_FLOAT:
        warning_count(marshal->warnings, WARNING_NOTE, "counts that are not whole numbers, rounded",
                      marshal->at);
        *count = fabs(value.real) < 9e18 ? (int64_t)llrint(value.real) : 0;
        return true;
    default:
        return error_set_at(err, marshal->at, 0, "a count is not a number");
    }
}

static bool read_time(struct marshal *marshal, int64_t *time, struct error *err)
{
    struct marshal_value value;

    if (!marshal_next(marshal, &value, err))
        return false;
    if (value.type != MARSHAL_FLOAT && value.type != MARSHAL_INT && value.type != MARSHAL_BOOL)
        return error_set_at(err, marshal->at, 0, "a time is not a number");
    *time = nanoseconds(marshal, value.type == MARSHAL_FLOAT ? value.real : (double)value.whole,
                        marshal->at);
    return true;
}

/* Reads four items: calls, primitive calls, self and cumulative seconds, as callers have them. What is
 * odd but usable is counted as a warning. */
static bool figures_read(struct marshal *marshal, struct call_figures *figures, struct error *err)
{
    return read_count(marshal, &figures->calls, err) &&
           read_count(marshal, &figures->primitive_calls, err) &&
           read_time(marshal, &figures->self, err) && read_time(marshal, &figures->cum, err);
}

/* Reads the head of a tuple of `count` and its first four items at one go, where they stand in
 * their usual form. False, and nothing is read, otherwise. */
static bool figures_read_usual(struct marshal *marshal, unsigned count,
                               struct call_figures *figures)
{
    struct marshal_quad quad;

    if (!marshal_next_quad(marshal, count, &quad))
        return false;
    figures->calls = quad.whole[0];
    figures->primitive_calls = quad.whole[1];
    figures->self = nanoseconds(marshal, quad.real[0], quad.real_at[0]);
    figures->cum = nanoseconds(marshal, quad.real[1], quad.real_at[1]);
    return true;
}

/* ---- the bytes of a dump to batches of functions ---- */

enum {
    BATCH_FUNCTIONS = 1024, /* a batch is full when it has so many of either */
    BATCH_CALLERS = 4096,
    PREFETCH_DISTANCE = 24, /* callers ahead */
};

/* What a tuple that may be referred to was: the low bit of what marshal_keep() is told. */
enum { KEPT_KEY = 0, KEPT_FIGURES = 1 };

/* ---- keys ---- */

static bool key_fault(struct pstats_reader *reader, struct error *err)
{
    return error_set_at(err, reader->marshal.at, 0,
                        "a function's key is not a file, a line and a name");
}

/* The rest of a key whose head has been read. */
static bool read_key_items(struct pstats_reader *reader, const struct marshal_value *key,
                           uint32_t *number, struct error *err)
{
    struct batch *batch = reader->batch;
    struct marshal_value file, line, name;

    if (!marshal_next(&reader->marshal, &file, err))
        return false;
    if (file.type != MARSHAL_TEXT)
        return key_fault(reader, err);
    if (!marshal_next(&reader->marshal, &line, err))
        return false;
    if (line.type != MARSHAL_INT)
        return key_fault(reader, err);
    if (!marshal_next(&reader->marshal, &name, err))
        return false;
    if (name.type != MARSHAL_TEXT)
        return key_fault(reader, err);
    *number = reader->keys + (uint32_t)batch->keys.count;
    vector_add(&batch->keys, (struct batch_key){file.text, name.text, line.whole});
    marshal_keep(&reader->marshal, key, (uint64_t)*number << 1 | KEPT_KEY);
    return true;
}

static bool read_key(struct pstats_reader *reader, const struct marshal_value *key,
                     uint32_t *number, struct error *err)
{
    if (key->type == MARSHAL_KEPT && (key->kept & 1) == KEPT_KEY) {
        *number = (uint32_t)(key->kept >> 1);
        return true;
    }
    if (key->type != MARSHAL_TUPLE || key->count != 3)
        return key_fault(reader, err);
    return read_key_items(reader, key, number, err);
}

/* ---- callers ---- */

/* A tuple (nc, cc, tt, ct), or several of them in a row, as Python 2.5 merged dumps. */
static bool read_caller_tuple(struct pstats_reader *reader, const struct marshal_value *tuple,
                              struct call_figures *sum, struct error *err)
{
    *sum = (struct call_figures){0};
    if (tuple->count == 0 || tuple->count % 4 != 0)
        return error_set_at(err, reader->marshal.at, 0, "a caller with %u figures, not 4",
                            tuple->count);
    for (uint32_t i = 0; i < tuple->count; i += 4) {
        struct call_figures one;

        if (!figures_read(&reader->marshal, &one, err))
            return false;
        sum->calls = checked_add(sum->calls, one.calls);
        sum->primitive_calls = checked_add(sum->primitive_calls, one.primitive_calls);
        sum->self = checked_add(sum->self, one.self);
        sum->cum = checked_add(sum->cum, one.cum);
    }
    reader->merged_callers += tuple->count > 4;
    if (tuple->ref != MARSHAL_NO_REF) {
        marshal_keep(&reader->marshal, tuple, (uint64_t)reader->kept.count << 1 | KEPT_FIGURES);
        vector_add(&reader->kept, *sum);
    }
    return true;
}

/* A NULL where a value belongs ends the dict for Python, and drops the key. */
static bool read_caller_figures(struct pstats_reader *reader, struct call_figures *figures,
                                bool *is_end, struct error *err)
{
    struct marshal_value value;

    if (figures_read_usual(&reader->marshal, 4, figures))
        return true;
    if (!marshal_next(&reader->marshal, &value, err))
        return false;
    *is_end = value.type == MARSHAL_NULL;
    if (*is_end)
        return true;
    if (value.type == MARSHAL_KEPT && (value.kept & 1) == KEPT_FIGURES) {
        *figures = reader->kept.list[value.kept >> 1];
        return true;
    }
    if (value.type == MARSHAL_TUPLE)
        return read_caller_tuple(reader, &value, figures, err);
    if (value.type != MARSHAL_INT && value.type != MARSHAL_BOOL)
        return error_set_at(err, reader->marshal.at, 0, "a caller without figures");
    *figures = (struct call_figures){value.whole, UNKNOWN, UNKNOWN, UNKNOWN};
    reader->plain_callers++;
    return true;
}

/* Most keys are references to anywhere, and waiting for each was a fifth of the reader's time. So
 * the number of a reference stands for its key until the batch is full; `late` is how far behind the
 * function's beginning it stands, and 0 when there is no such debt. */
static bool read_caller_key(struct pstats_reader *reader, uint64_t begin,
                            struct batch_caller *caller, bool *is_end, struct error *err)
{
    struct marshal_value head;

    caller->late = 0;
    if (marshal_next_ref(&reader->marshal, &caller->key)) {
        uint64_t late = reader->marshal.at - begin;

        caller->late = late < UINT32_MAX ? (uint32_t)late : UINT32_MAX;
        return true;
    }
    if (!marshal_next(&reader->marshal, &head, err))
        return false;
    *is_end = head.type == MARSHAL_NULL;
    return *is_end || read_key(reader, &head, &caller->key, err);
}

/* The entries of the callers' dict, up to its end. */
static bool read_callers(struct pstats_reader *reader, uint64_t begin, struct error *err)
{
    struct batch *batch = reader->batch;
    struct marshal_value head;
    bool is_end = false;

    if (!marshal_next(&reader->marshal, &head, err))
        return false;
    if (head.type != MARSHAL_DICT)
        return error_set_at(err, reader->marshal.at, 0, "a function's callers are not a dict");
    for (;;) {
        struct batch_caller *caller;

        vector_reserve(&batch->callers);
        caller = &batch->callers.list[batch->callers.count];
        if (!read_caller_key(reader, begin, caller, &is_end, err))
            return false;
        if (is_end)
            return true;
        if (!read_caller_figures(reader, &caller->figures, &is_end, err))
            return false;
        if (is_end)
            return true;
        batch->callers.count++;
    }
}

/* ---- functions ---- */

/* The head of a function's figures, up to its callers. It has the primitive calls first. */
static bool read_own_figures(struct pstats_reader *reader, struct call_figures *figures,
                             bool *is_end, struct error *err)
{
    struct marshal_value value;
    int64_t primitive_calls;

    if (!figures_read_usual(&reader->marshal, 5, figures)) {
        if (!marshal_next(&reader->marshal, &value, err))
            return false;
        *is_end = value.type == MARSHAL_NULL;
        if (*is_end)
            return true;
        if (value.type != MARSHAL_TUPLE || value.count != 5)
            return error_set_at(err, reader->marshal.at, 0,
                                "a function's figures are not a tuple of five");
        if (!figures_read(&reader->marshal, figures, err))
            return false;
    }
    primitive_calls = figures->calls;
    figures->calls = figures->primitive_calls;
    figures->primitive_calls = primitive_calls;
    return true;
}

/* A function whose callers cannot be read stays in the batch until keys are settled. */
static bool read_function(struct pstats_reader *reader, const struct marshal_value *head,
                          bool *is_end, struct error *err)
{
    struct batch *batch = reader->batch;
    struct batch_function function = {.at = reader->marshal.at};
    size_t callers = batch->callers.count;

    if (!read_key(reader, head, &function.key, err) ||
        !read_own_figures(reader, &function.figures, is_end, err))
        return false;
    if (*is_end)
        return true;
    reader->is_partial = !read_callers(reader, function.at, err);
    function.callers = (uint32_t)(batch->callers.count - callers);
    vector_add(&batch->functions, function);
    return !reader->is_partial;
}

/* Drops the functions from one on, whose callers begin at `caller`. */
static void drop_functions(struct batch *batch, size_t function, size_t caller)
{
    batch->functions.count = function;
    batch->callers.count = caller;
}

/* Puts keys in the place of references. One that is no key's is a fault that came before any that
 * ended the batch. */
static bool settle_keys(struct pstats_reader *reader)
{
    struct batch *batch = reader->batch;
    size_t begin = 0;

    for (size_t f = 0; f < batch->functions.count; f++) {
        const struct batch_function *function = &batch->functions.list[f];

        for (size_t i = begin; i < begin + function->callers; i++) {
            struct batch_caller *caller = &batch->callers.list[i];
            uint64_t kept;

            if (i + PREFETCH_DISTANCE < batch->callers.count && caller[PREFETCH_DISTANCE].late)
                refs_prefetch(&reader->marshal.refs, caller[PREFETCH_DISTANCE].key);
            if (!caller->late)
                continue;
            if (!marshal_kept(&reader->marshal, caller->key, &kept) || (kept & 1) != KEPT_KEY) {
                reader->marshal.at = function->at + caller->late;
                reader->marshal.is_cut = false;
                drop_functions(batch, f, begin);
                return key_fault(reader, &reader->err);
            }
            caller->key = (uint32_t)(kept >> 1);
        }
        if (reader->is_partial && f + 1 == batch->functions.count)
            drop_functions(batch, f, begin);
        else
            begin += function->callers;
    }
    return true;
}

/* ("__sampled__",): True, which Python 3.15's sampling profiler adds. */
static bool read_marker(struct pstats_reader *reader, struct error *err)
{
    struct marshal_value name, value;

    if (!marshal_next(&reader->marshal, &name, err))
        return false;
    if (name.type != MARSHAL_TEXT ||
        !span_eq(texts_get(&reader->batch->texts, name.text), SPAN("__sampled__")))
        return key_fault(reader, err);
    if (!marshal_next(&reader->marshal, &value, err))
        return false;
    if (value.type != MARSHAL_BOOL)
        return error_set_at(err, reader->marshal.at, 0,
                            "the mark of a sampled profile is not a bool");
    reader->is_sampled = true;
    return true;
}

static bool read_item(struct pstats_reader *reader, bool *is_end, struct error *err)
{
    struct marshal_value head;

    if (!marshal_next(&reader->marshal, &head, err))
        return false;
    *is_end = head.type == MARSHAL_NULL;
    if (*is_end)
        return true;
    if (head.type == MARSHAL_TUPLE && head.count == 1)
        return read_marker(reader, err);
    return read_function(reader, &head, is_end, err);
}

/* ---- the whole ---- */

void batch_free(struct batch *batch)
{
    texts_free(&batch->texts);
    free(batch->keys.list);
    free(batch->functions.list);
    free(batch->callers.list);
    *batch = (struct batch){0};
}

bool reader_begin(struct pstats_reader *reader, struct input *in, struct error *err)
{
    struct texts none = {0};
    struct marshal_value root;

    *reader = (struct pstats_reader){.marshal = {.in = in}};
    reader->marshal.texts = &none;
    reader->marshal.warnings = &reader->warnings;
    bool ok = marshal_next(&reader->marshal, &root, err);

    texts_free(&none);
    if (ok && root.type != MARSHAL_DICT)
        return error_set_at(err, 0, 0, "a marshalled object, but not a profile's dict");
    return ok;
}

bool reader_fill(struct pstats_reader *reader, struct batch *batch)
{
    bool is_end = false, is_more = true;

    if (reader->batch) {
        reader->texts += (uint32_t)reader->batch->texts.count;
        reader->keys += (uint32_t)reader->batch->keys.count;
    }
    texts_drop(&batch->texts, reader->texts);
    batch->keys.count = batch->functions.count = batch->callers.count = 0;
    reader->batch = batch;
    reader->marshal.texts = &batch->texts;
    while (is_more && batch->functions.count < BATCH_FUNCTIONS &&
           batch->callers.count < BATCH_CALLERS)
        is_more = read_item(reader, &is_end, &reader->err) && !is_end;
    return settle_keys(reader) && is_more;
}

void reader_free(struct pstats_reader *reader)
{
    marshal_free(&reader->marshal);
    free(reader->kept.list);
    warnings_free(&reader->warnings);
}
