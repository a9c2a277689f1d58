#include "analysis/work/work_elements.h"

#include "base/attr.h"

static const struct element element_types[] = {
    {{"double", 6}, 8, PRECISION_FP64},
    {{"float", 5}, 4, PRECISION_FP32},
    {{"c10::Half", 9}, 2, PRECISION_FP16},
    {{"c10::BFloat16", 13}, 2, PRECISION_BF16},
    {{"c10::Float8_e4m3fn", 18}, 1, PRECISION_FP8},
    {{"c10::Float8_e5m2", 16}, 1, PRECISION_FP8},
    {{"c10::Float8_e4m3fnuz", 20}, 1, PRECISION_FP8},
    {{"c10::Float8_e5m2fnuz", 20}, 1, PRECISION_FP8},
    {{"long int", 8}, 8, PRECISION_UNKNOWN},
    {{"int", 3}, 4, PRECISION_UNKNOWN},
    {{"short int", 9}, 2, PRECISION_UNKNOWN},
    {{"signed char", 11}, 1, PRECISION_UNKNOWN},
    {{"unsigned char", 13}, 1, PRECISION_UNKNOWN},
    {{"bool", 4}, 1, PRECISION_UNKNOWN},
};

static const struct element *element_at(const struct operator_call *call, uint32_t at)
{
    struct span type = input_entry(call->types, at);

    for (size_t k = 0; k < COUNT_OF(element_types); k++)
        if (span_eq(type, element_types[k].name))
            return &element_types[k];
    return NULL;
}

const struct element *element_of(const struct operator_call *call)
{
    for (uint32_t i = 0; i < call->inputs.count; i++) {
        const struct element *element = element_at(call, i);

        if (element)
            return element;
    }
    return NULL;
}

const struct dims *work_input(const struct operator_call *call, uint32_t at)
{
    static const struct dims none = {0};

    return at < call->inputs.count ? &call->inputs.dims[at] : &none;
}

double work_count(const struct dims *dims)
{
    return dims->count ? (double)dims_elements(dims) : 0;
}

/* ---- what they read and write ---- */

/* All inputs, and which of them is the largest. */
struct reading {
    double most, all; /* elements */
    double bytes;     /* of all; 0 when a type is not known */
    const struct element *largest;
};

static struct reading read_inputs(const struct operator_call *call)
{
    struct reading reading = {0};
    bool is_known = true;

    for (uint32_t i = 0; i < call->inputs.count; i++) {
        const struct element *element = element_at(call, i);
        double count = work_count(&call->inputs.dims[i]);

        if (count == 0)
            continue;
        is_known &= element != NULL;
        reading.all += count;
        reading.bytes += element ? count * (double)element->bytes : 0;
        if (count > reading.most) {
            reading.most = count;
            reading.largest = element;
        }
    }
    if (!is_known)
        reading.bytes = 0;
    return reading;
}

/* Indices say which rows of a table are copied. */
static bool pick_rows(const struct operator_call *call, uint32_t indices, int64_t dim,
                      struct sizes *sizes)
{
    const struct dims *table = work_input(call, 0);
    const struct element *element = element_at(call, 0), *index = element_at(call, indices);
    double picked = work_count(work_input(call, indices)), row;

    dim += dim < 0 ? (int64_t)table->count : 0;
    if (dim < 0 || dim >= (int64_t)table->count || table->size[dim] == 0 || !element || !index)
        return false;
    row = work_count(table) / (double)table->size[dim];
    sizes->bytes = 2 * picked * row * (double)element->bytes + picked * (double)index->bytes;
    return true;
}

/* ---- by name ---- */

enum form {
    FORM_EACH,   /* all inputs are read, and one like the largest is written */
    FORM_INTO,   /* one of the inputs is written, the others are read */
    FORM_REDUCE, /* all inputs are read, and next to nothing is written */
};

static const struct known {
    const char *name; /* without the "_" of those that work in place */
    enum form form;
    int flops; /* an element */
} known[] = {
    {"add", FORM_EACH, 1},
    {"sub", FORM_EACH, 1},
    {"rsub", FORM_EACH, 1},
    {"mul", FORM_EACH, 1},
    {"div", FORM_EACH, 1},
    {"neg", FORM_EACH, 1},
    {"abs", FORM_EACH, 1},
    {"sqrt", FORM_EACH, 1},
    {"rsqrt", FORM_EACH, 1},
    {"reciprocal", FORM_EACH, 1},
    {"pow", FORM_EACH, 1},
    {"exp", FORM_EACH, 1},
    {"log", FORM_EACH, 1},
    {"sin", FORM_EACH, 1},
    {"cos", FORM_EACH, 1},
    {"relu", FORM_EACH, 1},
    {"threshold", FORM_EACH, 1},
    {"threshold_backward", FORM_EACH, 1},
    {"clamp", FORM_EACH, 1},
    {"clamp_min", FORM_EACH, 1},
    {"clamp_max", FORM_EACH, 1},
    {"maximum", FORM_EACH, 1},
    {"minimum", FORM_EACH, 1},
    {"leaky_relu", FORM_EACH, 1},
    {"elu", FORM_EACH, 1},
    {"hardtanh", FORM_EACH, 1},
    {"addcmul", FORM_EACH, 2},
    {"addcdiv", FORM_EACH, 2},
    {"lerp", FORM_EACH, 3},
    {"_softmax", FORM_EACH, 3},
    {"_log_softmax", FORM_EACH, 3},
    {"_softmax_backward_data", FORM_EACH, 3},
    {"_log_softmax_backward_data", FORM_EACH, 3},
    {"gelu", FORM_EACH, 5},
    {"gelu_backward", FORM_EACH, 5},
    {"silu", FORM_EACH, 5},
    {"silu_backward", FORM_EACH, 5},
    {"tanh", FORM_EACH, 5},
    {"tanh_backward", FORM_EACH, 5},
    {"sigmoid", FORM_EACH, 5},
    {"sigmoid_backward", FORM_EACH, 5},
    {"native_layer_norm", FORM_EACH, 7},
    {"native_layer_norm_backward", FORM_EACH, 7},
    {"native_group_norm", FORM_EACH, 7},
    {"native_group_norm_backward", FORM_EACH, 7},
    {"native_batch_norm", FORM_EACH, 7},
    {"native_batch_norm_backward", FORM_EACH, 7},
    {"cudnn_batch_norm", FORM_EACH, 7},
    {"cudnn_batch_norm_backward", FORM_EACH, 7},
    {"miopen_batch_norm", FORM_EACH, 7},
    {"miopen_batch_norm_backward", FORM_EACH, 7},
    {"eq", FORM_REDUCE, 0},
    {"ne", FORM_REDUCE, 0},
    {"lt", FORM_REDUCE, 0},
    {"le", FORM_REDUCE, 0},
    {"gt", FORM_REDUCE, 0},
    {"ge", FORM_REDUCE, 0},
    {"where", FORM_EACH, 0},
    {"masked_fill", FORM_EACH, 0},
    {"copy", FORM_INTO, 0},
    {"fill", FORM_INTO, 0},
    {"zero", FORM_INTO, 0},
    {"max_pool2d_with_indices_backward", FORM_INTO, 0},
    {"max_pool2d_with_indices", FORM_REDUCE, 0},
    {"sum", FORM_REDUCE, 1},
    {"mean", FORM_REDUCE, 1},
    {"linalg_vector_norm", FORM_REDUCE, 2},
    {"max", FORM_REDUCE, 0},
    {"min", FORM_REDUCE, 0},
    {"amax", FORM_REDUCE, 0},
    {"amin", FORM_REDUCE, 0},
    {"argmax", FORM_REDUCE, 0},
    {"argmin", FORM_REDUCE, 0},
    {"any", FORM_REDUCE, 0},
    {"all", FORM_REDUCE, 0},
};

static bool sizes_at(const struct operator_call *call, const struct known *entry,
                     struct sizes *sizes)
{
    struct reading reading = read_inputs(call);
    bool is_integer = reading.largest && reading.largest->precision == PRECISION_UNKNOWN;
    double written = entry->form == FORM_EACH ? reading.most : 0;

    sizes->flops = is_integer ? 0 : entry->flops * reading.most;
    sizes->elements = reading.all + written;
    if (reading.bytes > 0)
        sizes->bytes = reading.bytes + written * (double)reading.largest->bytes;
    return reading.most > 0;
}

/* NULL when it is none of the list; those that write to their input do the same work. */
static const struct known *element_operator_named(struct span name)
{
    if (span_ends(name, SPAN("_")))
        name.len--;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (span_eq(name, span_of(known[i].name)))
            return &known[i];
    return NULL;
}

bool elements_have_flops(struct span name)
{
    const struct known *entry = element_operator_named(name);

    return entry && entry->flops > 0;
}

bool elements_sizes(const struct operator_call *call, struct span name, struct sizes *sizes)
{
    const struct known *entry = element_operator_named(name);
    struct dims dim;

    if (span_eq(name, SPAN("embedding")))
        return pick_rows(call, 1, 0, sizes);
    if (span_eq(name, SPAN("index_select")))
        return input_numbers(input_entry(call->concrete, 1), &dim) && dim.count == 1 &&
               pick_rows(call, 2, dim.size[0], sizes);
    return entry && sizes_at(call, entry, sizes);
}
