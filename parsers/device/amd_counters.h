/* SPDX-License-Identifier: Apache-2.0 */
/* amd_counters.h — what AMD's hardware counted of a kernel, as FLOP and bytes
 *
 * Formulas: rocprof-compute's roofline, for gfx90a to gfx950. */
#ifndef PTK_PARSERS_DEVICE_AMD_COUNTERS_H
#define PTK_PARSERS_DEVICE_AMD_COUNTERS_H

#include "graph/build/builder.h"

/* Sums over all instances of the hardware. Ready for use when zeroed. */
struct amd_counts {
    double half, single, twice; /* FLOP on vector units, by precision */
    double matrix;              /* FLOP on matrix units */
    double fetched, written;    /* bytes from and to memory, as derived counters have them */
    double reads, reads_of_32, reads_of_128, writes, writes_of_64; /* requests to memory */
    double second_cache; /* bytes between the first cache and the second */
    bool has_flop, has_bytes, has_reads, has_writes, has_second_cache;
};

/* Adds one instance's value; false where the counter tells neither FLOP nor bytes. */
bool amd_counts_add(struct amd_counts *counts, struct span counter, double value);

/* Gives the event, by its number, what was counted. */
void amd_counts_give(const struct amd_counts *counts, struct builder *builder, uint32_t event);

#endif
