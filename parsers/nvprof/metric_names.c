#include "parsers/nvprof/metric_names.h"

#include "base/attr.h"

enum { SECTOR = 32, SHARED_LINE = 128 };

static const struct metric_meaning meanings[] = {
    {"flop_count_hp", COUNTER_FLOP_HALF, 1, false},
    {"flop_count_sp", COUNTER_FLOP_SINGLE, 1, false},
    {"flop_count_dp", COUNTER_FLOP_DOUBLE, 1, false},
    {"flops_sp", COUNTER_FLOP_SINGLE, 1, false}, /* Fermi and early Kepler */
    {"flops_dp", COUNTER_FLOP_DOUBLE, 1, false},
    {"dram_read_transactions", COUNTER_DRAM_BYTES, SECTOR, false},
    {"dram_write_transactions", COUNTER_DRAM_BYTES, SECTOR, false},
    {"dram_read_bytes", COUNTER_DRAM_BYTES, 1, true}, /* Volta */
    {"dram_write_bytes", COUNTER_DRAM_BYTES, 1, true},
    {"l2_read_transactions", COUNTER_L2_BYTES, SECTOR, false},
    {"l2_write_transactions", COUNTER_L2_BYTES, SECTOR, false},
    {"gld_transactions", COUNTER_L1_BYTES, SECTOR, false},
    {"gst_transactions", COUNTER_L1_BYTES, SECTOR, false},
    {"atomic_transactions", COUNTER_L1_BYTES, SECTOR, false},
    {"local_load_transactions", COUNTER_L1_BYTES, SECTOR, false},
    {"local_store_transactions", COUNTER_L1_BYTES, SECTOR, false},
    {"shared_load_transactions", COUNTER_L1_BYTES, SHARED_LINE, false},
    {"shared_store_transactions", COUNTER_L1_BYTES, SHARED_LINE, false},
};

const struct metric_meaning *metric_meaning(struct span name)
{
    for (size_t i = 0; i < COUNT_OF(meanings); i++)
        if (span_eq(name, span_of(meanings[i].name)))
            return &meanings[i];
    return NULL;
}
