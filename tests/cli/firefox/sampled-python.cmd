# Python 3.15's sampler: a function's line is the first that a thread ran
ptk hotspots testdata/firefox/sampled_python.json
ptk lines testdata/firefox/sampled_python.json
