# simpleperf's report_sample.py writes tabs where perf script has blanks.
ptk hotspots testdata/perf/tabs.perf
