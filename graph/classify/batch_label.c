/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/function_class.h"

#include <stdbool.h>

#include "graph/classify/step_label.h"

/* Takes `text` off the front of what is left, if it stands there. */
static bool take_text(struct span *rest, struct span text)
{
    if (!span_starts(*rest, text))
        return false;
    *rest = span_after(*rest, text.len);
    return true;
}

static bool take_number(struct span *rest, int64_t *number)
{
    size_t digits = span_digits(*rest);
    bool ok = span_to_i64((struct span){rest->at, digits}, number);

    *rest = span_after(*rest, digits);
    return ok;
}

int64_t capture_label_size(struct span name)
{
    int64_t size = 0;

    return take_text(&name, SPAN("capture_")) && take_number(&name, &size) &&
                   take_text(&name, SPAN("_"))
               ? size
               : 0;
}

int64_t step_label_size(struct span name)
{
    struct step_label label;
    int64_t size = 0;

    if (take_text(&name, SPAN("execute_diffusion_")))
        return take_number(&name, &size) ? size : 0;
    if (!step_label_parse(name, &label))
        return 0;
    if (label.tokens == UNKNOWN)
        label.tokens = label.generations;
    return label.tokens == UNKNOWN ? 0 : label.tokens;
}
