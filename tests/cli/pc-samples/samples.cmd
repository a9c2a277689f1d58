# instructions in kernels, whose names are in the table beside the file; lines of kernels; on what they waited
ptk hotspots testdata/pc-samples/7_pc_sampling_stochastic.csv
ptk lines -n 2 testdata/pc-samples/7_pc_sampling_stochastic.csv
ptk labels testdata/pc-samples/7_pc_sampling_stochastic.csv
ptk hotspots -q -n 2 --focus-label stall=WAITCNT testdata/pc-samples/7_pc_sampling_stochastic.csv
ptk hotspots -q -n 2 --value lanes testdata/pc-samples/pc_sampling_host_trap.csv
# a table beside, one row without a name, one cut
cp testdata/pc-samples/pc_sampling_host_trap.csv "$TMP_DIR/8_pc_sampling_host_trap.csv"
sed '2s/"void[^"]*"/""/; 3s/float.*//' testdata/pc-samples/7_kernel_trace.csv >"$TMP_DIR/8_kernel_trace.csv"
ptk callers -n 0 "$TMP_DIR/8_pc_sampling_host_trap.csv" s_endpgm 2>&1 | sed "s|$TMP_DIR/||"
# a pipe of that name, into which nobody writes
rm "$TMP_DIR/8_kernel_trace.csv" && mkfifo "$TMP_DIR/8_kernel_trace.csv"
timeout 20 "$PTK" hotspots -q -n 1 "$TMP_DIR/8_pc_sampling_host_trap.csv" && rm "$TMP_DIR/8_kernel_trace.csv"
# no names beside; rows that are no use; no rows
ptk tree tests/fuzz/seeds/pc-samples/host_trap
head -n 1 testdata/pc-samples/pc_sampling_host_trap.csv | ptk hotspots -
