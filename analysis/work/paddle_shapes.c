#include "analysis/work/paddle_shapes.h"

#include "base/checked.h"

int64_t shape_elements(const struct shape *shape)
{
    int64_t product = 1;

    for (uint32_t i = 0; i < shape->count; i++)
        product = checked_mul(product, shape->size[i]);
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
    while (text.len && shape.count < PADDLE_SIZES_MAX) {
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

struct shape paddle_input(struct span shapes, struct span key, struct span other)
{
    struct shape shape = input_named(shapes, key);

    return shape.is_known ? shape : input_named(shapes, other);
}

int64_t shape_elements_of_both(const struct shape *x, const struct shape *y)
{
    uint32_t count = x->count > y->count ? x->count : y->count;
    int64_t product = 1;

    if (!x->is_known || !y->is_known)
        return 0;
    for (uint32_t i = 1; i <= count; i++) {
        int64_t a = i <= x->count ? x->size[x->count - i] : 1;
        int64_t b = i <= y->count ? y->size[y->count - i] : 1;

        product = checked_mul(product, a > b ? a : b);
    }
    return product;
}

static struct span without(struct span name, struct span ending)
{
    if (span_ends(name, ending))
        name.len -= ending.len;
    return name;
}

struct span paddle_operator(struct span name)
{
    return without(without(without(name, SPAN(" compute")), SPAN(" dygraph")),
                   SPAN(" pybind_imperative_func"));
}
