ptk hotspots --by kind testdata/chrome/overlap.json
echo "{\"traceEvents\":[]}" | ptk hotspots --by module
