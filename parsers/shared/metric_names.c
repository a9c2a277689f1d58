/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/metric_names.h"

#include "base/attr.h"

enum { SECTOR = 32, SHARED_LINE = 128 };

static const struct metric_meaning meanings[] = {
    {"flop_count_hp", COUNTER_FLOP_HALF, 1, 0},
    {"flop_count_sp", COUNTER_FLOP_SINGLE, 1, 0},
    {"flop_count_dp", COUNTER_FLOP_DOUBLE, 1, 0},
    {"flops_sp", COUNTER_FLOP_SINGLE, 1, 0}, /* Fermi and early Kepler */
    {"flops_dp", COUNTER_FLOP_DOUBLE, 1, 0},
    {"dram_read_transactions", COUNTER_DRAM_BYTES, SECTOR, 0},
    {"dram_write_transactions", COUNTER_DRAM_BYTES, SECTOR, 0},
    {"dram_read_bytes", COUNTER_DRAM_BYTES, 1, 1}, /* Volta */
    {"dram_write_bytes", COUNTER_DRAM_BYTES, 1, 1},
    {"l2_read_transactions", COUNTER_L2_BYTES, SECTOR, 0},
    {"l2_write_transactions", COUNTER_L2_BYTES, SECTOR, 0},
    {"gld_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"gst_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"atomic_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"local_load_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"local_store_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"shared_load_transactions", COUNTER_L1_BYTES, SHARED_LINE, 0},
    {"shared_store_transactions", COUNTER_L1_BYTES, SHARED_LINE, 0},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", COUNTER_FLOP_DOUBLE, 1, 1},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", COUNTER_FLOP_DOUBLE, 1, 1},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", COUNTER_FLOP_DOUBLE, 2, 1},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", COUNTER_FLOP_SINGLE, 1, 1},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", COUNTER_FLOP_SINGLE, 1, 1},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", COUNTER_FLOP_SINGLE, 2, 1},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", COUNTER_FLOP_HALF, 1, 1},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", COUNTER_FLOP_HALF, 1, 1},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", COUNTER_FLOP_HALF, 2, 1},
    {"sm__sass_thread_inst_executed_op_dadd_pred_on.sum", COUNTER_FLOP_DOUBLE, 1, 0},
    {"sm__sass_thread_inst_executed_op_dmul_pred_on.sum", COUNTER_FLOP_DOUBLE, 1, 0},
    {"sm__sass_thread_inst_executed_op_dfma_pred_on.sum", COUNTER_FLOP_DOUBLE, 2, 0},
    {"sm__sass_thread_inst_executed_op_fadd_pred_on.sum", COUNTER_FLOP_SINGLE, 1, 0},
    {"sm__sass_thread_inst_executed_op_fmul_pred_on.sum", COUNTER_FLOP_SINGLE, 1, 0},
    {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum", COUNTER_FLOP_SINGLE, 2, 0},
    {"sm__sass_thread_inst_executed_op_hadd_pred_on.sum", COUNTER_FLOP_HALF, 1, 0},
    {"sm__sass_thread_inst_executed_op_hmul_pred_on.sum", COUNTER_FLOP_HALF, 1, 0},
    {"sm__sass_thread_inst_executed_op_hfma_pred_on.sum", COUNTER_FLOP_HALF, 2, 0},
    {"dram__bytes.sum", COUNTER_DRAM_BYTES, 1, 2},
    {"dram__bytes_read.sum", COUNTER_DRAM_BYTES, 1, 1},
    {"dram__bytes_write.sum", COUNTER_DRAM_BYTES, 1, 1},
    {"dram__bytes_op_read.sum", COUNTER_DRAM_BYTES, 1, 1}, /* Blackwell */
    {"dram__bytes_op_write.sum", COUNTER_DRAM_BYTES, 1, 1},
    {"dram__sectors_read.sum", COUNTER_DRAM_BYTES, SECTOR, 0},
    {"dram__sectors_write.sum", COUNTER_DRAM_BYTES, SECTOR, 0},
    {"lts__t_bytes.sum", COUNTER_L2_BYTES, 1, 2},
    {"lts__t_sectors.sum", COUNTER_L2_BYTES, SECTOR, 1},
    {"lts__t_sectors_op_read.sum", COUNTER_L2_BYTES, SECTOR, 0}, /* CUDA 10 */
    {"lts__t_sectors_op_write.sum", COUNTER_L2_BYTES, SECTOR, 0},
    {"lts__t_sectors_op_atom.sum", COUNTER_L2_BYTES, SECTOR, 0},
    {"lts__t_sectors_op_red.sum", COUNTER_L2_BYTES, SECTOR, 0},
    {"l1tex__t_bytes.sum", COUNTER_L1_BYTES, 1, 1},
};

const struct metric_meaning *metric_meaning(struct span name)
{
    for (size_t i = 0; i < COUNT_OF(meanings); i++)
        if (span_eq(name, span_of(meanings[i].name)))
            return &meanings[i];
    return NULL;
}
