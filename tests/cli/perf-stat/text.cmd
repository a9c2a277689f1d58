ptk info testdata/perf/stat.txt
ptk hotspots testdata/perf/stat.txt
