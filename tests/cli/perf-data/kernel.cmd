# The kernel's functions have names where a table of the kernel with the same build id is found, here in perf's
# cache; it was loaded elsewhere than the table says. No other kernel's table is read, nor one without addresses.
for file in kernel kernel-other kernel-hidden; do
    ptk hotspots --binary-path testdata/perf/cache testdata/perf/$file.data
done
ptk info --binary-path testdata/perf/cache testdata/perf/kernel-hidden.data | tail -4
