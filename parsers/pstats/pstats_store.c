/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_store.c — batches of functions and callers into the call graph, with names shared */
#include "parsers/pstats/pstats.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/stacks/language_names.h"

/* What is looked up at random is fetched so far ahead of its use. */
enum { PREFETCH_DISTANCE = 16 };

#define NO_FUNCTION UINT32_MAX

/* ---- names ---- */

static str_id module_of(struct store *store, str_id file)
{
    char room[PYTHON_MODULE_MAX];

    if (file >= store->module_cap) {
        size_t old = store->module_cap;

        store->module_cap = grow_cap(old, (size_t)file + 1);
        store->modules = grow_to(store->modules, store->module_cap, sizeof(*store->modules));
        memset(store->modules + old, 0, (store->module_cap - old) * sizeof(*store->modules));
    }
    if (!store->modules[file]) {
        struct span module = python_module(builder_text(store->builder, file), room);

        store->modules[file] = builder_intern(store->builder, module) + 1;
    }
    return store->modules[file] - 1;
}

/* ---- functions ---- */

struct frame store_frame(struct store *store, const struct batch_key *key)
{
    struct frame frame = {.name = store->names.list[key->name],
                          .file = store->names.list[key->file],
                          .line = key->line,
                          .kind = KIND_PYTHON};

    store->has_builtins |= frame.line == 0;
    if (frame.file == store->builtin_file && frame.line == 0) {
        struct span name = builder_text(store->builder, frame.name);

        store->is_pypy |= span_starts(name, SPAN("<built-in function "));
        frame.kind = KIND_HOST;
        frame.file = 0;
        frame.module = builder_intern(store->builder, python_builtin_module(name));
    } else if (builder_wants_modules(store->builder)) {
        frame.module = module_of(store, frame.file);
    }
    return frame;
}

static void grow_by_function(struct store *store, uint32_t function)
{
    size_t old = store->function_cap;

    if (function < old)
        return;
    store->function_cap = grow_cap(old, (size_t)function + 1);
    store->mentions = grow_to(store->mentions, store->function_cap, sizeof(*store->mentions));
    store->is_listed = grow_to(store->is_listed, store->function_cap, sizeof(*store->is_listed));
    memset(store->mentions + old, 0, (store->function_cap - old) * sizeof(*store->mentions));
    memset(store->is_listed + old, 0, (store->function_cap - old) * sizeof(*store->is_listed));
}

static void add_functions(struct store *store, const struct batch *batch)
{
    struct frame frames[PREFETCH_DISTANCE];

    for (size_t begin = 0; begin < batch->keys.count; begin += PREFETCH_DISTANCE) {
        const struct batch_key *keys = batch->keys.list + begin;
        size_t left = batch->keys.count - begin,
               count = left < PREFETCH_DISTANCE ? left : PREFETCH_DISTANCE;

        for (size_t i = 0; i < count; i++) {
            frames[i] = store_frame(store, &keys[i]);
            builder_prefetch_frame(store->builder, &frames[i]);
        }
        for (size_t i = 0; i < count; i++) {
            uint32_t function =
                builder_function(store->callgraph, builder_frame(store->builder, &frames[i]));

            grow_by_function(store, function);
            /* threading.Thread._bootstrap: a profiler that sees one thread never sees it called */
            if (store->names.list[keys[i].name] == store->bootstrap &&
                span_ends(builder_text(store->builder, store->names.list[keys[i].file]),
                          SPAN("threading.py")))
                store->thread_main = function + 1;
            vector_add(&store->functions, function);
        }
    }
}

/* ---- figures ---- */

/* A count of -1 is pyinstrument's way to say that it has none. */
static void mend_counts(struct store *store, struct call_figures *figures)
{
    if (figures->calls >= 0 && figures->primitive_calls >= 0)
        return;
    if (figures->calls != UNKNOWN && figures->calls < 0)
        store->unknown_counts++;
    figures->calls = figures->calls < 0 ? UNKNOWN : figures->calls;
    figures->primitive_calls = figures->primitive_calls < 0 ? UNKNOWN : figures->primitive_calls;
}

/* Of a caller that comes twice the last figures count, as in a dict; the second mention becomes
 * NO_FUNCTION. */
static void drop_mentioned(struct store *store, const struct batch_function *row,
                           struct batch_caller *callers)
{
    for (uint32_t i = 0; i < row->callers; i++) {
        struct mention *mention = &store->mentions[callers[i].key];

        if (mention->row != store->rows) {
            *mention = (struct mention){store->rows, i};
            continue;
        }
        warning_count(builder_warnings(store->builder), WARNING_NOTE,
                      "callers listed twice, the last one taken", row->at);
        callers[mention->place].figures = callers[i].figures;
        callers[i].key = NO_FUNCTION;
    }
}

/* Keys of callers are functions by now. */
static void store_function(struct store *store, struct batch_function *row,
                           struct batch_caller *callers)
{
    uint32_t function = store->functions.list[row->key];

    store->rows++;
    if (store->is_listed[function]) {
        warning_count(builder_warnings(store->builder), WARNING_NOTE,
                      "functions listed twice, the last one taken", row->at);
        builder_forget_callers(store->callgraph, function);
    }
    store->listed += !store->is_listed[function];
    store->is_listed[function] = true;
    store->reversed += row->figures.primitive_calls > row->figures.calls;
    mend_counts(store, &row->figures);
    builder_list(store->callgraph, function, &row->figures);
    drop_mentioned(store, row, callers);
    store->has_other_threads |= function + 1 == store->thread_main && row->callers;
    for (uint32_t i = 0; i < row->callers; i++) {
        if (callers[i].key == NO_FUNCTION)
            continue;
        mend_counts(store, &callers[i].figures);
        builder_call(store->callgraph, callers[i].key, function, &callers[i].figures);
    }
}

/* ---- the whole ---- */

void store_begin(struct store *store, struct builder *builder)
{
    *store = (struct store){.builder = builder, .callgraph = builder_callgraph(builder)};
    store->builtin_file = builder_intern(builder, SPAN("~"));
    store->bootstrap = builder_intern(builder, SPAN("_bootstrap"));
}

void store_names(struct store *store, const struct batch *batch)
{
    const struct texts *texts = &batch->texts;

    for (uint32_t i = 0; i < texts->count; i++) {
        if (i + PREFETCH_DISTANCE < texts->count)
            builder_prefetch_text(store->builder,
                                  texts_get(texts, texts->first + i + PREFETCH_DISTANCE));
        vector_add(&store->names,
                   builder_intern(store->builder, texts_get(texts, texts->first + i)));
    }
}

void store_batch(struct store *store, struct batch *batch)
{
    size_t seen = 0, begin = 0;

    store_names(store, batch);
    add_functions(store, batch);
    for (size_t i = 0; i < batch->callers.count; i++)
        batch->callers.list[i].key = store->functions.list[batch->callers.list[i].key];
    for (size_t i = 0; i < batch->functions.count; i++) {
        struct batch_function *row = &batch->functions.list[i];

        /* rows lie anywhere in memory: waiting for several at once is faster */
        for (; seen < batch->callers.count && seen < begin + row->callers + PREFETCH_DISTANCE;
             seen++) {
            __builtin_prefetch(&store->mentions[batch->callers.list[seen].key], 1);
            builder_prefetch_call(store->callgraph, batch->callers.list[seen].key);
        }
        store_function(store, row, row->callers ? &batch->callers.list[begin] : NULL);
        begin += row->callers;
    }
}

void store_free(struct store *store)
{
    free(store->names.list);
    free(store->functions.list);
    free(store->mentions);
    free(store->is_listed);
    free(store->modules);
}
