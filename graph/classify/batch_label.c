/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/function_class.h"

#include <stdbool.h>

#include "base/checked.h"

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

/* "9(8155)" and "9(sq8155sk…)": requests, and their tokens. */
static bool take_tokens(struct span *rest, int64_t *tokens)
{
    int64_t requests;
    bool ok = take_number(rest, &requests) && take_text(rest, SPAN("("));
    size_t end;

    (void)(ok && take_text(rest, SPAN("sq")));
    ok = ok && take_number(rest, tokens);
    end = span_find(*rest, SPAN(")"));
    *rest = span_after(*rest, end == SIZE_MAX ? rest->len : end + 1);
    return ok && end != SIZE_MAX;
}

/* The figure of " key=123" in a label; 0. */
static int64_t figure(struct span label, struct span key)
{
    size_t at = span_find(label, key);
    int64_t number = 0;

    if (at == SIZE_MAX)
        return 0;
    label = span_after(label, at + key.len);
    return take_number(&label, &number) ? number : 0;
}

int64_t step_label_size(struct span name)
{
    int64_t size = 0, prefill, decode;

    if (take_text(&name, SPAN("execute_diffusion_")))
        return take_number(&name, &size) ? size : 0;
    if (take_text(&name, SPAN("execute_"))) { /* vLLM's */
        if (take_number(&name, &size))
            (void)take_text(&name, SPAN("_"));
        return take_text(&name, SPAN("context_")) && take_tokens(&name, &prefill) &&
                       take_text(&name, SPAN("_generation_")) && take_tokens(&name, &decode)
                   ? checked_add(prefill, decode)
                   : 0;
    }
    if (take_text(&name, SPAN("prefill[")) || take_text(&name, SPAN("decode[")))
        return figure(name, SPAN(" tok="));
    if (!take_text(&name, SPAN("step[")))
        return 0;
    size = checked_add(figure(name, SPAN(" c_sq=")), figure(name, SPAN(" g_sq=")));
    size = size ? size : figure(name, SPAN(" toks="));
    return size ? size : figure(name, SPAN(" bs="));
}
