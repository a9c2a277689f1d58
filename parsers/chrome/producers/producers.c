/* SPDX-License-Identifier: Apache-2.0 */
/* Who wrote a trace, and what VizTracer and clang write in ways of their own. */
#include "parsers/chrome/producers/producers.h"

#include "base/checked.h"
#include "parsers/chrome/chrome.h"
#include "parsers/json/json.h"

/* ---- VizTracer: functions of Python, as they are entered and left ---- */

static void take_metadata(struct sink *sink, struct token value)
{
    (void)value;
    sink_announce(sink, &producer_viztracer);
}

static const struct producer_member viztracer_members[] = {
    {LITERAL("viztracer_metadata"), take_metadata}};
static const char *const viztracer_categories[] = {"fee", "FEE", NULL};

const struct producer producer_viztracer = {
    .name = "VizTracer",
    .categories = viztracer_categories,
    .members = viztracer_members,
    .member_count = COUNT_OF(viztracer_members),
};

/* ---- clang -ftime-trace: at the end it repeats totals by name, and says when it began ---- */

static void take_beginning(struct sink *sink, struct token value)
{
    int64_t began;

    sink_announce(sink, &producer_clang);
    if (token_scaled(value, 3, &began))
        builder_origin(sink->timeline, began);
}

static enum row_role clang_role(const struct event *event)
{
    struct token args = event->field[FIELD_ARGS];
    bool is_total = !event->field[FIELD_CAT].at && args.at &&
                    span_starts(token_raw_text(event->field[FIELD_NAME]), SPAN("Total ")) &&
                    walk_find(args, SPAN("avg ms")).at;

    return is_total ? ROW_TOTALS : ROW_THREAD;
}

static const struct producer_member clang_members[] = {
    {LITERAL("beginningOfTime"), take_beginning}};

const struct producer producer_clang = {
    .name = "clang -ftime-trace",
    .members = clang_members,
    .member_count = COUNT_OF(clang_members),
    .role = clang_role,
};

/* ---- who wrote a trace ---- */

#define CATEGORIES(...)                                                                            \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

const struct producer producer_ascend = {.name = "Ascend", .categories = CATEGORIES("async_npu")};
const struct producer producer_rocprof = {.name = "rocprof"};
const struct producer producer_fluid = {.name = "Paddle (Fluid)"};
const struct producer producer_nvprof2json = {.name = "nvprof2json"};
const struct producer producer_nsys2json = {.name = "nsys2json"};
const struct producer producer_tensorflow = {.name = "TensorFlow 1"};
const struct producer producer_xla = {.name = "XLA (TensorFlow, JAX)"};
static const struct producer unitrace = {.name = "unitrace", .categories = CATEGORIES("gpu_op")};
static const struct producer py_spy = {.name = "py-spy", .categories = CATEGORIES("py-spy")};
static const struct producer bazel = {.name = "Bazel",
                                      .categories = CATEGORIES("action processing")};
static const struct producer typescript = {.name = "TypeScript",
                                           .categories = CATEGORIES("checkTypes")};
static const struct producer onnx = {.name = "ONNX Runtime", .categories = CATEGORIES("Session")};
static const struct producer node = {.name = "Node.js", .categories = CATEGORIES("node,", "node.")};
static const struct producer chrome = {
    .name = "Chrome",
    .categories = CATEGORIES("devtools.timeline", "disabled-by-default-devtools",
                             "disabled-by-default-v8", "blink.user_timing", "toplevel")};

static bool unannounced_is_stray(const struct event *event, int64_t start, int64_t first)
{
    return producer_pytorch.is_stray(event, start, first);
}

/* Hooks of those who say who they are only at the end, or in some files never. */
const struct producer producer_unannounced = {.role = clang_role, .is_stray = unannounced_is_stray};

/* The most telling first: Node writes some of Chrome's categories, too, and who has devices of
 * TensorFlow's may be known by more. */
static const struct producer *const producers[] = {
    &producer_ascend,
    &producer_rocprof,
    &producer_fluid,
    &producer_nvprof2json,
    &producer_nsys2json,
    &producer_paddle,
    &unitrace,
    &producer_pytorch,
    &py_spy,
    &producer_viztracer,
    &bazel,
    &typescript,
    &onnx,
    &node,
    &chrome,
    &producer_clang,
    &producer_tensorflow,
    &producer_autograd,
    &producer_xla,
};

bool producers_know(struct span key)
{
    for (size_t i = 0; i < COUNT_OF(producers); i++)
        for (size_t m = 0; m < producers[i]->member_count; m++)
            if (span_eq(key, producers[i]->members[m].key))
                return true;
    return false;
}

void producers_take(struct sink *sink, struct span key, struct token value)
{
    for (size_t i = 0; i < COUNT_OF(producers); i++)
        for (size_t m = 0; m < producers[i]->member_count; m++)
            if (span_eq(key, producers[i]->members[m].key))
                producers[i]->members[m].take(sink, value);
}

const struct producer *producer_of_two(const struct producer *a, const struct producer *b)
{
    for (size_t i = 0; i < COUNT_OF(producers); i++)
        if (producers[i] == a || producers[i] == b)
            return producers[i];
    return NULL;
}

static bool has_category(const struct producer *producer, const struct classes *classes,
                         const struct builder *builder)
{
    for (const char *const *start = producer->categories; start && *start; start++)
        for (uint32_t i = 1; i < classes->count; i++)
            if (span_starts(builder_text(builder, classes->list[i].name), span_of(*start)))
                return true;
    return false;
}

const struct producer *producer_by_categories(const struct classes *classes,
                                              const struct builder *builder)
{
    for (size_t i = 0; i < COUNT_OF(producers); i++)
        if (has_category(producers[i], classes, builder))
            return producers[i];
    return NULL;
}
