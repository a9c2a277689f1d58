ptk info testdata/safari/site.json
ptk hotspots testdata/safari/site.json
ptk hotspots --value samples -n 2 testdata/safari/site.json
ptk lines --show inner testdata/safari/site.json
# durations that are missing or none, frames that are none, cut, no recording
printf '{"recording":{"instrumentTypes":[],"sampleDurations":["x"],"sampleStackTraces":[{"stackFrames":[{"name":"f","line":-3},7,{"line":99999999999}]},{},7]}}' | ptk hotspots -
head -c 900 testdata/safari/site.json | ptk hotspots -
printf '{"version":1}' | ptk hotspots --from safari - || echo "exit $?"
