/* SPDX-License-Identifier: Apache-2.0 */
/* Which processes of a trace are devices, for producers that do not say by categories what ran on one. */
#include "parsers/chrome/producers/producers.h"

#include "base/checked.h"
#include "graph/classify/event_class.h"

/* ---- rows of producers that do not say by categories what ran on a device ---- */

static const struct span xla = LITERAL("/device:");

static size_t find_stream(struct span process)
{
    size_t at = span_find(process, SPAN("/stream"));

    return at != SIZE_MAX ? at : span_find(process, SPAN("/memcpy"));
}

/* The executor of a device, "/job:localhost/replica:0/task:0/device:GPU:0 Compute", is host
 * work. */
static bool is_tensorflow_stream(struct span process)
{
    return span_starts(process, SPAN("/")) && find_stream(process) != SIZE_MAX &&
           (span_find(process, xla) != SIZE_MAX || span_find(process, SPAN("/gpu:")) != SIZE_MAX) &&
           span_find(process, SPAN("CPU:")) == SIZE_MAX;
}

/* ---- processes that are always called the same ---- */

enum match {
    WHOLE,
    START,
    END,
    NUMBERED /* a number behind it */,
    NUMBER_LAST /* and more before */
};

struct known_process {
    struct span name;
    enum match match;
    const struct producer *producer; /* NULL: others have such names, too */
    struct plane plane;
};

/* rocprof's are of its version 1, Fluid's of Paddle's tools/timeline.py. */
static const struct known_process known[] = {
    {LITERAL("Ascend Hardware"), START, &producer_ascend, {ROW_STREAM, KIND_KERNEL}},
    {LITERAL("HCCL"), WHOLE, &producer_ascend, {ROW_STREAM, KIND_COMMUNICATION}},
    {LITERAL("Communication"), WHOLE, NULL, {ROW_STREAM, KIND_COMMUNICATION}},
    {LITERAL("Communication(HCCL)"), WHOLE, &producer_ascend, {ROW_STREAM, KIND_COMMUNICATION}},
    {LITERAL("Overlap Analysis"), WHOLE, &producer_ascend, {ROW_TOTALS, KIND_ANNOTATION}},
    {LITERAL("CANN"), WHOLE, &producer_ascend, {ROW_THREAD, KIND_RUNTIME}},
    {LITERAL("GPU"), NUMBERED, NULL, {ROW_STREAM, KIND_KERNEL}},
    {LITERAL("GPU Barriers"), NUMBERED, &producer_rocprof, {ROW_SYNC, KIND_SYNC}},
    {LITERAL("COPY"), WHOLE, &producer_rocprof, {ROW_STREAM, KIND_MEMCPY}},
    {LITERAL("CPU HIP API"), WHOLE, &producer_rocprof, {ROW_THREAD, KIND_RUNTIME}},
    {LITERAL("CPU HSA API"), WHOLE, &producer_rocprof, {ROW_THREAD, KIND_RUNTIME}},
    {LITERAL("CPU KFD API"), WHOLE, &producer_rocprof, {ROW_THREAD, KIND_RUNTIME}},
    {LITERAL("Markers and Ranges"), WHOLE, &producer_rocprof, {ROW_THREAD, KIND_ANNOTATION}},
    {LITERAL(" GPU"), NUMBER_LAST, NULL, {ROW_STREAM, KIND_KERNEL}},
    {LITERAL(":gpu:"), NUMBER_LAST, NULL, {ROW_STREAM, KIND_KERNEL}},
    {LITERAL(":cuda_api"), END, &producer_fluid, {ROW_THREAD, KIND_RUNTIME}},
    {LITERAL("] Overview"), END, &producer_nvprof2json, {ROW_STREAM, KIND_KERNEL}},
    {LITERAL("] Compute"), END, &producer_nvprof2json, {ROW_TOTALS, KIND_ANNOTATION}},
    {LITERAL("] Process"), END, &producer_nvprof2json, {ROW_THREAD, KIND_RUNTIME}},
    {LITERAL("Device "), NUMBERED, &producer_nsys2json, {ROW_STREAM, KIND_KERNEL}},
};

static bool matches(struct span process, const struct known_process *this)
{
    size_t at;

    switch (this->match) {
    case WHOLE:
        return span_eq(process, this->name);
    case START:
        return span_starts(process, this->name);
    case END:
        return span_ends(process, this->name);
    case NUMBERED:
        return span_starts(process, this->name) &&
               span_is_digits(span_after(process, this->name.len));
    case NUMBER_LAST:
        at = span_find(process, this->name);
        return at != SIZE_MAX && at > 0 && span_is_digits(span_after(process, at + this->name.len));
    }
    return false;
}

static const struct known_process *find_known(struct span process)
{
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (matches(process, &known[i]))
            return &known[i];
    return NULL;
}

bool planes_are_in(struct span head)
{
    static const char *const names[] = {"/device:", "\"/gpu:",           " functions\"",
                                        ":gpu:",    "\"Ascend Hardware", "\"CANN\"",
                                        "\"COPY\"", "\"GPU0\"",          NULL};

    return span_holds_any(head, names);
}

/* ---- what a process is ---- */

bool plane_is_autograd(struct span process)
{
    return span_eq(process, SPAN("CUDA functions")) || span_eq(process, SPAN("NPU functions")) ||
           span_eq(process, SPAN("XPU functions"));
}

bool plane_is(struct span process)
{
    return (span_starts(process, xla) && !span_starts(process, SPAN("/device:CPU"))) ||
           is_tensorflow_stream(process) || plane_is_autograd(process) || find_known(process);
}

bool plane_is_numbered(struct span process)
{
    return is_tensorflow_stream(process) && span_find(process, SPAN("/stream:all")) == SIZE_MAX &&
           span_find(process, SPAN("/stream")) != SIZE_MAX;
}

const struct producer *plane_producer(struct span process)
{
    const struct known_process *this = find_known(process);

    if (this)
        return this->producer;
    if (plane_is_numbered(process))
        return &producer_tensorflow;
    if (plane_is_autograd(process))
        return &producer_autograd;
    return span_starts(process, xla) ? &producer_xla : NULL;
}

/* From where on the name says which device it is: "GPU:1" of "/device:GPU:1". */
static struct span numbered_part(struct span process)
{
    static const struct span old = LITERAL("/gpu:"); /* of TensorFlow before 1.3 */
    const struct known_process *this = find_known(process);
    size_t at = span_find(process, xla);

    if (at != SIZE_MAX)
        return span_after(process, at + xla.len);
    if ((at = span_find(process, old)) != SIZE_MAX)
        return span_after(process, at);
    if (this && (this->match == NUMBERED || this->match == NUMBER_LAST))
        return span_after(process, span_find(process, this->name) + this->name.len - 1);
    return span_starts(process, SPAN("[")) ? process : SPAN("");
}

int32_t plane_device(struct span process)
{
    struct span text = numbered_part(process);
    size_t colon = span_find(text, SPAN(":"));
    int32_t device = 0;

    if (colon != SIZE_MAX && !span_starts(text, SPAN("[")))
        text = span_after(text, colon);
    for (size_t i = 1; i < text.len && i < 5 && is_digit(text.at[i]); i++)
        device = device * 10 + (text.at[i] - '0');
    return device;
}

/* A TPU has no streams: its operators are what it does. */
static bool is_work(struct span process, struct span thread, bool has_numbered)
{
    if (is_tensorflow_stream(process))
        return !has_numbered || plane_is_numbered(process);
    if (plane_is_autograd(process))
        return true;
    if (span_starts(process, SPAN("/device:TPU")))
        return span_eq(thread, SPAN("XLA Ops"));
    return thread.len == 0 || span_starts(thread, SPAN("Stream"));
}

/* On Ascend, beside what is done stands what that consists of. */
static struct plane known_plane(const struct known_process *this, struct span thread)
{
    bool is_part = this->plane.kind == KIND_COMMUNICATION
                       ? span_starts(thread, SPAN("Plane"))
                       : this->producer == &producer_ascend && thread.len &&
                             !span_starts(thread, SPAN("Stream"));

    return this->plane.role == ROW_STREAM && is_part ? (struct plane){ROW_RANGES, KIND_OTHER}
                                                     : this->plane;
}

struct plane plane_of(struct span process, struct span thread, bool has_numbered)
{
    const struct known_process *this = find_known(process);

    if (this)
        return known_plane(this, thread);
    if (span_eq(process, SPAN("CPU functions")))
        return (struct plane){ROW_THREAD, KIND_OPERATOR};
    if (!plane_is(process))
        return (struct plane){ROW_THREAD, KIND_HOST};
    if (!is_work(process, thread, has_numbered))
        return (struct plane){is_tensorflow_stream(process) ? ROW_TOTALS : ROW_RANGES, KIND_OTHER};
    return (struct plane){ROW_STREAM, KIND_KERNEL};
}
