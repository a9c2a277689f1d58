ptk info testdata/scalene/train.json
ptk hotspots testdata/scalene/train.json
ptk hotspots --value native testdata/scalene/train.json
ptk hotspots --value allocated testdata/scalene/train.json
ptk lines testdata/scalene/train.json
# files before the time that they are shares of; shares that are none; no function; cut
ptk hotspots -f csv tests/fuzz/seeds/scalene/files-first | cut -d, -f1-8
printf '{"elapsed_time_sec":1e300,"files":{"a.py":{"percent_cpu_time":"x","functions":[{"line":5,"lineno":-1,"n_cpu_percent_c":1e300},7]}}}' | ptk hotspots -
printf '{"elapsed_time_sec":1,"files":[1]}' | ptk hotspots - || echo "exit $?"
head -c 900 testdata/scalene/train.json | ptk hotspots - || echo "exit $?"
