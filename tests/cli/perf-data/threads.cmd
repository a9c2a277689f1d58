# Asked for threads or times, samples are a timeline; else the same figures as before, in no more memory.
ptk hotspots -q --by thread testdata/perf/work.data
ptk hotspots -q -n 2 --begin 100ms --end 200ms testdata/perf/work.data
ptk hotspots -q -n 2 --thread sort testdata/perf/work.data
ptk hotspots -q --by thread testdata/perf/two-events.data
