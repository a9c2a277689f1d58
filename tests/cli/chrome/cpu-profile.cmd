# a whole profile in one event, as webpack and older Chromes write it; and counters of long names
long=$(printf '%0130d' 7)
cat >"$TMP_DIR/whole.json" <<END
[{"ph": "X", "name": "task", "pid": 1, "tid": 2, "ts": 5000, "dur": 900},
{"ph": "I", "name": "CpuProfile", "id": 7, "pid": 1, "tid": 2, "ts": 6000, "args": {"data": {"cpuProfile":
    {"startTime": 5000, "endTime": 5900, "samples": [2, 3, 2], "timeDeltas": [100, 200, 300], "nodes": [
    {"id": 1, "callFrame": {"functionName": "(root)"}, "children": [2]},
    {"id": 2, "callFrame": {"functionName": "main", "url": "a.js", "lineNumber": 0}, "children": [3]},
    {"id": 3, "callFrame": {"functionName": "work", "url": "a.js", "lineNumber": 4}}]}}}},
{"ph": "C", "name": "$long", "pid": 1, "ts": 5500, "args": {"used": 3}}]
END
ptk tree "$TMP_DIR/whole.json"
ptk convert --to json "$TMP_DIR/whole.json" | grep -c '0\{127\} used'
