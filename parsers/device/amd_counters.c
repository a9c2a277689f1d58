/* SPDX-License-Identifier: Apache-2.0 */
/* amd_counters.c — what AMD's hardware counted of a kernel, as FLOP and bytes */
#include "parsers/device/amd_counters.h"

#include <string.h>

/* Instructions are counted by wave, of 64 threads; matrix operations in units of 512. */
enum { WAVE = 64, MATRIX_UNIT = 512, DERIVED_UNIT = 1024 };

static bool take_off(struct span *text, const char *prefix)
{
    if (!span_starts(*text, span_of(prefix)))
        return false;
    *text = span_after(*text, strlen(prefix));
    return true;
}

/* "ADD_F32": how many FLOP each thread does; a fused multiply and add is two. */
static bool add_vector(struct amd_counts *counts, struct span what, double value)
{
    static const char *const operations[] = {"ADD_", "MUL_", "TRANS_", "FMA_"};

    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        struct span type = what;
        double flop = value * WAVE * (i == 3 ? 2 : 1);

        if (!take_off(&type, operations[i]))
            continue;
        if (span_eq(type, SPAN("F16")))
            counts->half += flop;
        else if (span_eq(type, SPAN("F32")))
            counts->single += flop;
        else if (span_eq(type, SPAN("F64")))
            counts->twice += flop;
        else
            return false;
        counts->has_flop = true;
        return true;
    }
    return false;
}

/* Reads of 128 bytes are counted apart from gfx942 on; of what is left, all that is not of 32 is of 64. */
static bool add_requests(struct amd_counts *counts, struct span counter, double value)
{
    if (span_eq(counter, SPAN("TCC_BUBBLE_sum")))
        counts->reads_of_128 += value;
    else if (!take_off(&counter, "TCC_EA0_") && !take_off(&counter, "TCC_EA_"))
        return false;
    else if (span_eq(counter, SPAN("RDREQ_sum"))) {
        counts->reads += value;
        counts->has_reads = true;
    } else if (span_eq(counter, SPAN("RDREQ_32B_sum")))
        counts->reads_of_32 += value;
    else if (span_eq(counter, SPAN("WRREQ_sum"))) {
        counts->writes += value;
        counts->has_writes = true;
    } else if (span_eq(counter, SPAN("WRREQ_64B_sum")))
        counts->writes_of_64 += value;
    else
        return false;
    return true;
}

/* Requests of the first cache to the second one, of 64 bytes each. */
static bool add_second_cache(struct amd_counts *counts, struct span counter, double value)
{
    static const char *const kinds[] = {"READ_REQ_sum", "WRITE_REQ_sum", "ATOMIC_WITH_RET_REQ_sum",
                                        "ATOMIC_WITHOUT_RET_REQ_sum", NULL};

    if (!take_off(&counter, "TCP_TCC_") || !span_is_any(counter, kinds))
        return false;
    counts->second_cache += value * 64;
    counts->has_second_cache = true;
    return true;
}

bool amd_counts_add(struct amd_counts *counts, struct span counter, double value)
{
    struct span what = counter;

    if (!(value >= 0) || value > 1e18)
        return false;
    if (take_off(&what, "SQ_INSTS_VALU_MFMA_MOPS_")) {
        if (span_eq(what, SPAN("I8")))
            return false;
        counts->matrix += value * MATRIX_UNIT;
        counts->has_flop = true;
        return true;
    }
    if (take_off(&what, "SQ_INSTS_VALU_"))
        return add_vector(counts, what, value);
    if (span_eq(counter, SPAN("FETCH_SIZE")))
        counts->fetched += value * DERIVED_UNIT;
    else if (span_eq(counter, SPAN("WRITE_SIZE")))
        counts->written += value * DERIVED_UNIT;
    else
        return add_requests(counts, counter, value) || add_second_cache(counts, counter, value);
    counts->has_bytes = true;
    return true;
}

static void give(struct builder *builder, uint32_t event, enum property property, double value)
{
    if (value > 0 && value < 9e18)
        builder_property(builder_timeline(builder), event, property, (int64_t)(value + 0.5));
}

void amd_counts_give(const struct amd_counts *counts, struct builder *builder, uint32_t event)
{
    double reads_of_64 = counts->reads - counts->reads_of_128 - counts->reads_of_32;

    if (counts->has_flop) {
        give(builder, event, PROP_FLOP,
             counts->half + counts->single + counts->twice + counts->matrix);
        give(builder, event, PROP_FLOP_HALF, counts->half);
        give(builder, event, PROP_FLOP_SINGLE, counts->single);
        give(builder, event, PROP_FLOP_DOUBLE, counts->twice);
        give(builder, event, PROP_FLOP_TENSOR, counts->matrix);
    }
    if (counts->has_second_cache)
        give(builder, event, PROP_L2_BYTES, counts->second_cache);
    if (counts->has_bytes)
        give(builder, event, PROP_DRAM_BYTES, counts->fetched + counts->written);
    else if (counts->has_reads && counts->has_writes)
        give(builder, event, PROP_DRAM_BYTES,
             128 * counts->reads_of_128 + 64 * (reads_of_64 > 0 ? reads_of_64 : 0) +
                 32 * counts->reads_of_32 + 64 * counts->writes_of_64 +
                 32 * (counts->writes - counts->writes_of_64));
}
