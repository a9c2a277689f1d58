# each counter of rocprof-compute's pmc_perf.csv is a column; what a filter left out is unknown, not 0
$PTK roofline --gpu MI250X -f csv testdata/rocprof/pmc_perf_mi200.csv
$PTK roofline --gpu MI300X -f csv testdata/rocprof/pmc_perf_mi300.csv
sed 's/TCC_EA_WRREQ_sum/not_counted/' testdata/rocprof/pmc_perf_mi200.csv | $PTK roofline --gpu MI250X -f csv -
