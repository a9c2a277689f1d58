#include "parsers/chrome/producers/planes.h"

static const struct span xla = {"/device:", 8};

static size_t find_stream(struct span process)
{
    size_t at = span_find(process, SPAN("/stream"));

    return at != SIZE_MAX ? at : span_find(process, SPAN("/memcpy"));
}

/* The executor of a device, "/job:localhost/replica:0/task:0/device:GPU:0 Compute", is host work. */
static bool is_tensorflow_stream(struct span process)
{
    return span_starts(process, SPAN("/")) && find_stream(process) != SIZE_MAX &&
           (span_find(process, xla) != SIZE_MAX || span_find(process, SPAN("/gpu:")) != SIZE_MAX) &&
           span_find(process, SPAN("CPU:")) == SIZE_MAX;
}

static bool is_collectives(struct span process)
{
    return span_eq(process, SPAN("HCCL")) || span_eq(process, SPAN("Communication(HCCL)"));
}

bool plane_is_autograd(struct span process)
{
    return span_eq(process, SPAN("CUDA functions")) || span_eq(process, SPAN("NPU functions")) ||
           span_eq(process, SPAN("XPU functions"));
}

bool plane_is(struct span process)
{
    return (span_starts(process, xla) && !span_starts(process, SPAN("/device:CPU"))) ||
           span_starts(process, SPAN("Ascend Hardware")) || is_collectives(process) ||
           is_tensorflow_stream(process) || plane_is_autograd(process);
}

bool plane_is_numbered(struct span process)
{
    return is_tensorflow_stream(process) && span_find(process, SPAN("/stream:all")) == SIZE_MAX &&
           span_find(process, SPAN("/stream")) != SIZE_MAX;
}

int32_t plane_device(struct span process)
{
    static const struct span old = {"/gpu:", 5}; /* of TensorFlow before 1.3 */
    size_t at = span_find(process, xla), colon;
    int32_t device = 0;

    if (at != SIZE_MAX)
        process = span_after(process, at + xla.len);
    else if ((at = span_find(process, old)) != SIZE_MAX)
        process = span_after(process, at);
    else
        return 0;
    colon = span_find(process, SPAN(":"));
    if (colon == SIZE_MAX)
        return 0;
    process = span_after(process, colon + 1);
    for (size_t i = 0; i < process.len && i < 4 && process.at[i] >= '0' && process.at[i] <= '9';
         i++)
        device = device * 10 + (process.at[i] - '0');
    return device;
}

/* A TPU has no streams: its operators are what it does. The planes of a collective are its steps. */
static bool is_work(struct span process, struct span thread, bool has_numbered)
{
    if (is_tensorflow_stream(process))
        return !has_numbered || plane_is_numbered(process);
    if (is_collectives(process))
        return !span_starts(thread, SPAN("Plane"));
    if (plane_is_autograd(process))
        return true;
    if (span_starts(process, SPAN("/device:TPU")))
        return span_eq(thread, SPAN("XLA Ops"));
    return thread.len == 0 || span_starts(thread, SPAN("Stream"));
}

struct plane plane_of(struct span process, struct span thread, bool has_numbered)
{
    if (span_eq(process, SPAN("CPU functions")))
        return (struct plane){ROLE_THREAD, KIND_OPERATOR};
    if (!plane_is(process))
        return (struct plane){ROLE_THREAD, KIND_HOST};
    if (!is_work(process, thread, has_numbered))
        return (struct plane){is_tensorflow_stream(process) ? ROLE_TOTALS : ROLE_RANGES,
                              KIND_ANNOTATION};
    return (struct plane){ROLE_STREAM, is_collectives(process) ? KIND_COMMUNICATION : KIND_KERNEL};
}
