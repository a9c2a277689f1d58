/* paddle_flops.c — work of Paddle's operators from the shapes of their inputs
 *
 * The formulas are those of Paddle's utils/flops.py. A trace has shapes but no attributes, so
 * that what needs strides or paddings counts 0, as it does there. */
#include "analysis/summary/summary.h"
#include "base/checked.h"

enum { SIZES_MAX = 16 };

/* The sizes of one input: its first tensor. */
struct shape {
    int64_t size[SIZES_MAX];
    uint32_t count;
    bool is_known;
};

static int64_t checked_product(int64_t a, int64_t b)
{
    int64_t product;

    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static int64_t elements(const struct shape *shape)
{
    int64_t product = 1;

    for (uint32_t i = 0; i < shape->count; i++)
        product = checked_product(product, shape->size[i]);
    return shape->is_known ? product : 0;
}

/* Reads "8, 3, 224, 224]". */
static struct shape read_sizes(struct span text)
{
    struct shape shape = {.is_known = true};
    size_t end = span_find(text, SPAN("]"));

    if (end == SIZE_MAX)
        return (struct shape){0};
    text.len = end;
    while (text.len && shape.count < SIZES_MAX) {
        struct span size = span_trim(span_split(&text, ','));

        if (!span_to_i64(size, &shape.size[shape.count]))
            return (struct shape){0};
        shape.count++;
    }
    return shape;
}

/* The shape of an input in {"X": [[8, 3], …], "Y": …}. */
static struct shape input_named(struct span shapes, struct span key)
{
    size_t at = span_find(shapes, key);
    struct span rest;

    if (at == SIZE_MAX)
        return (struct shape){0};
    rest = span_after(shapes, at + key.len);
    at = span_find(rest, SPAN("[["));
    if (at == SIZE_MAX || span_find(rest, SPAN("]")) < at)
        return (struct shape){0};
    return read_sizes(span_after(rest, at + 2));
}

static struct shape first_of(struct span shapes, struct span key, struct span other)
{
    struct shape shape = input_named(shapes, key);

    return shape.is_known ? shape : input_named(shapes, other);
}

static struct shape x_of(struct span shapes)
{
    return first_of(shapes, SPAN("\"X\""), SPAN("\"x\""));
}

static struct shape y_of(struct span shapes)
{
    return first_of(shapes, SPAN("\"Y\""), SPAN("\"y\""));
}

/* 2·M·K·N for each matrix of the batch; nothing is transposed, as far as the trace tells. */
static int64_t matmul_flops(struct span shapes)
{
    struct shape x = x_of(shapes), y = y_of(shapes);

    if (x.count < 2 || y.count < 2)
        return 0;
    return checked_product(2, checked_product(elements(&x), y.size[y.count - 1]));
}

/* Elements of the shape that both inputs are stretched to. */
static int64_t broadcast_flops(struct span shapes)
{
    struct shape x = x_of(shapes), y = y_of(shapes);
    uint32_t count = x.count > y.count ? x.count : y.count;
    int64_t product = 1;

    if (!x.is_known || !y.is_known)
        return 0;
    for (uint32_t i = 1; i <= count; i++) {
        int64_t a = i <= x.count ? x.size[x.count - i] : 1;
        int64_t b = i <= y.count ? y.size[y.count - i] : 1;

        product = checked_product(product, a > b ? a : b);
    }
    return product;
}

static struct span without(struct span name, struct span ending)
{
    if (span_ends(name, ending))
        name.len -= ending.len;
    return name;
}

int64_t summary_paddle_flops(struct span name, struct span shapes)
{
    static const struct {
        const char *name;
        int64_t each; /* operations an element of the input */
    } simple[] = {{"relu", 1}, {"relu6", 1}, {"leaky_relu", 1}, {"prelu", 1},   {"elu", 1},
                  {"silu", 1}, {"pool", 1},  {"gelu", 5},       {"softmax", 3}, {"layer_norm", 7}};
    struct shape x;

    if (!span_starts(shapes, SPAN("{")))
        return 0;
    name = without(without(without(name, SPAN(" compute")), SPAN(" dygraph")),
                   SPAN(" pybind_imperative_func"));
    if (span_eq(name, SPAN("matmul")) || span_eq(name, SPAN("matmul_v2")))
        return matmul_flops(shapes);
    if (span_eq(name, SPAN("elementwise_add")) || span_eq(name, SPAN("elementwise_mul")) ||
        span_eq(name, SPAN("elementwise_div")))
        return broadcast_flops(shapes);
    for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++)
        if (span_eq(name, span_of(simple[i].name))) {
            x = x_of(shapes);
            return checked_product(simple[i].each, elements(&x));
        }
    return 0;
}
