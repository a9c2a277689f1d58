# the stacks of one recording, in either order, and as shares of the step above
for order in callee caller fractal; do
    ptk tree --min-percent 1 testdata/perf/report-$order.txt
done
ptk hotspots --by module testdata/perf/report-caller.txt
