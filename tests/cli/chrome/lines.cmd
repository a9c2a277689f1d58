# an event a line, without an array around them, whole and cut
lines='{"ph": "X", "name": "one", "pid": 1, "tid": 1, "ts": 1, "dur": 9}
{"ph": "B", "name": "two", "pid": 1, "tid": 1, "ts": 3}
{"ph": "E", "pid": 1, "tid": 1, "ts": 7}'
printf '%s\n' "$lines" | ptk hotspots -
printf '%s' "$lines" | head -c 100 | ptk hotspots -f csv -
