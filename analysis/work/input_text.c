#include "analysis/work/input_text.h"

static void skip_blanks(struct span *rest)
{
    while (rest->len && (*rest->at == ' ' || *rest->at == '\n' || *rest->at == '\t'))
        *rest = span_after(*rest, 1);
}

static bool take(struct span *rest, char byte)
{
    skip_blanks(rest);
    if (!rest->len || *rest->at != byte)
        return false;
    *rest = span_after(*rest, 1);
    return true;
}

static bool take_number(struct span *rest, int64_t *number)
{
    size_t len = 0;

    skip_blanks(rest);
    while (len < rest->len &&
           ((rest->at[len] >= '0' && rest->at[len] <= '9') || (len == 0 && rest->at[len] == '-')))
        len++;
    if (!span_to_i64((struct span){rest->at, len}, number))
        return false;
    *rest = span_after(*rest, len);
    return true;
}

static bool take_dims(struct span *rest, struct dims *dims)
{
    *dims = (struct dims){0};
    if (!take(rest, '['))
        return false;
    if (take(rest, ']'))
        return true;
    do {
        int64_t size;

        if (!take_number(rest, &size) || dims->count == DIMS_MAX)
            return false;
        dims->size[dims->count++] = size;
    } while (take(rest, ','));
    return take(rest, ']');
}

/* Over a list of tensors, with its lists inside. */
static bool skip_list(struct span *rest)
{
    size_t depth = 0;

    for (; rest->len; *rest = span_after(*rest, 1)) {
        depth += *rest->at == '[';
        if (*rest->at == ']' && --depth == 0) {
            *rest = span_after(*rest, 1);
            return true;
        }
    }
    return false;
}

static bool are_sizes(const struct dims *dims)
{
    for (uint32_t i = 0; i < dims->count; i++)
        if (dims->size[i] < 0)
            return false;
    return true;
}

bool inputs_read(struct span text, struct inputs *inputs)
{
    *inputs = (struct inputs){0};
    if (!take(&text, '['))
        return false;
    if (take(&text, ']'))
        return true;
    do {
        struct dims dims;

        skip_blanks(&text);

        struct span list = text;

        if (!take_dims(&text, &dims)) {
            dims = (struct dims){0};
            text = list;
            if (!text.len || *text.at != '[' || !skip_list(&text))
                return false;
        }
        if (!are_sizes(&dims))
            return false;
        if (inputs->count < INPUTS_MAX)
            inputs->dims[inputs->count++] = dims;
    } while (take(&text, ','));
    return take(&text, ']');
}

/* A string up to its closing quote; a backslash takes the byte after it along. */
static bool take_string(struct span *rest, struct span *string)
{
    size_t len = 0;

    if (!take(rest, '"'))
        return false;
    while (len < rest->len && rest->at[len] != '"')
        len += rest->at[len] == '\\' ? 2 : 1;
    if (len >= rest->len)
        return false;
    *string = (struct span){rest->at, len};
    *rest = span_after(*rest, len + 1);
    return true;
}

struct span input_entry(struct span text, uint32_t at)
{
    struct span entry = {0};

    if (!take(&text, '['))
        return (struct span){0};
    for (uint32_t i = 0; i <= at; i++)
        if ((i && !take(&text, ',')) || !take_string(&text, &entry))
            return (struct span){0};
    return entry;
}

bool input_numbers(struct span text, struct dims *dims)
{
    *dims = (struct dims){0};
    text = span_trim(text);
    if (text.len && *text.at != '[') {
        dims->count = 1;
        return span_to_i64(text, &dims->size[0]);
    }
    return take_dims(&text, dims);
}

int64_t dims_elements(const struct dims *dims)
{
    int64_t product = 1;

    for (uint32_t i = 0; i < dims->count; i++)
        if (__builtin_mul_overflow(product, dims->size[i], &product))
            return INT64_MAX;
    return product;
}
