/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/nvprof/column_widths.h"

#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/grow.h"

enum { DECIMAL = 1000, BINARY = 1024 };

/* A prefix apart the bases differ by 2.4 %: figures must be good to some tenths of that. */
enum { LEAST_MICROS = 10000, LEAST_TICKS = 500 };

static const double CLOSE = 0.006;

void sizes_add(struct sizes *sizes, uint32_t event, enum property property, struct amount amount,
               struct amount more)
{
    sizes->list = grow_one(sizes->list, sizes->count, &sizes->cap, sizeof(*sizes->list));
    sizes->list[sizes->count++] = (struct waiting_size){event, property, amount, more};
}

static bool agrees(struct amount size, struct amount rate, int64_t ns, int64_t base)
{
    double apart = pow((double)base, size.exponent - rate.exponent);
    double found = (double)size.micros * apart / ((double)ns * 1e-9) / (double)rate.micros;

    return fabs(found - 1) < CLOSE;
}

void sizes_weigh(struct sizes *sizes, struct amount size, struct amount rate, int64_t ns,
                 int64_t resolution)
{
    bool is_binary, is_decimal;

    if (size.exponent == rate.exponent || size.micros < LEAST_MICROS ||
        rate.micros < LEAST_MICROS || ns / LEAST_TICKS < resolution)
        return;
    is_binary = agrees(size, rate, ns, BINARY);
    is_decimal = agrees(size, rate, ns, DECIMAL);
    sizes->binary += is_binary && !is_decimal;
    sizes->decimal += is_decimal && !is_binary;
}

static int64_t decide(const struct sizes *sizes, const char **why)
{
    *why = "as Nsight Systems writes";
    if (sizes->is_nsight)
        return DECIMAL;
    *why = "as sizes, times and throughputs of copies agree";
    if (sizes->binary != sizes->decimal)
        return sizes->binary > sizes->decimal ? BINARY : DECIMAL;
    *why = "as in nvprof of CUDA 6 and before, which writes small figures like these";
    if (sizes->is_old)
        return DECIMAL;
    *why = sizes->is_new ? "as in nvprof of CUDA 8 and later, which writes these columns"
                         : "as in nvprof of CUDA 7 and later; nothing in the file tells";
    return BINARY;
}

void sizes_finish(struct sizes *sizes, struct builder *builder)
{
    struct warnings *warnings = builder_warnings(builder);
    const char *why;
    int64_t base = decide(sizes, &why);

    for (size_t i = 0; i < sizes->count; i++) {
        const struct waiting_size *size = &sizes->list[i];

        builder_property(
            builder_timeline(builder), size->event, size->property,
            checked_add(amount_bytes(size->amount, base), amount_bytes(size->more, base)));
    }
    if (!sizes->has_prefix)
        return;
    warning_say(warnings, WARNING_NOTE, "a KB is read as %d bytes, a MB as %d KB, %s", (int)base,
                (int)base, why);
    if (sizes->binary && sizes->decimal)
        warning_say(warnings, WARNING_LOSS,
                    "%llu copies speak for KB of 1024 bytes, %llu for 1000; sizes may be wrong",
                    (unsigned long long)sizes->binary, (unsigned long long)sizes->decimal);
}

void sizes_free(struct sizes *sizes)
{
    free(sizes->list);
}
