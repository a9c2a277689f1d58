ptk info testdata/perf/stat.csv
printf '12,,page-faults,1000,100.00,,\n' | ptk hotspots
