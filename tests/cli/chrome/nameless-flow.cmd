for id2 in '' '"id2": {"local": 7},'; do
    cat <<END | ptk hotspots -f csv -
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "a long name", "pid": 1, "tid": 1, "ts": 1, "dur": 5},
{"ph": "s", "id": 7, $id2 "cat": "x", "tid": 1, "ts": 2},
{"ph": "f", "id": 7, $id2 "cat": "x", "tid": 2, "ts": 8},
{"ph": "X", "cat": "cpu_op", "name": "b", "pid": 1, "tid": 2, "ts": 9, "dur": 5}]}
END
done
