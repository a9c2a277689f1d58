# rows are with what they call: self, cum and who calls whom; by callees (the default) or callers
ptk info testdata/perf/report.txt
ptk hotspots -n 4 testdata/perf/report.txt
ptk callees leaf testdata/perf/report.txt
ptk callers leaf testdata/perf/report.txt
