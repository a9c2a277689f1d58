# roofline.csv beside pmc_perf.csv has what the device was measured to do; what is given counts for more
ptk roofline testdata/rocprof/compute/pmc_perf.csv
ptk roofline --peak-gbs 1600 --l2-gbs 4000 -n 1 testdata/rocprof/compute/pmc_perf.csv | head -n 1
ptk roofline --gpu MI210 testdata/rocprof/compute/pmc_perf.csv | head -n 1
mkdir -p "$TMP_DIR/rocprof"
cp testdata/rocprof/compute/pmc_perf.csv "$TMP_DIR/rocprof"
printf 'device,HBMBw,FP32Flops\n0,nan,1\n' >"$TMP_DIR/rocprof/roofline.csv"
ptk roofline "$TMP_DIR/rocprof/pmc_perf.csv" | head -n 1
