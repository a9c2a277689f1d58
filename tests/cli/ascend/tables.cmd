# of msprof, with a mark of its bytes' order, and a collective without a stream; of torch_npu
ptk hotspots testdata/ascend/op_summary.csv
ptk info testdata/ascend/op_summary.csv | sed -n '/^format/,$p'
ptk hotspots -q -n 2 testdata/ascend/kernel_details.csv
# times since 1970 to the nanosecond
ptk events -f csv aclnnGroupedMatmul -n 2 testdata/ascend/kernel_details.csv
# rows that are no use; no rows
ptk hotspots -n 1 tests/fuzz/seeds/ascend/kernel_details
head -n 1 testdata/ascend/op_summary.csv | ptk hotspots -
