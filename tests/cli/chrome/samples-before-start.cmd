# a profile's samples may stand before its start, which another thread wrote, or have none
chunk='"ph": "P", "cat": "v8", "name": "ProfileChunk", "pid": 1, "tid": 9, "args": {"data": {"timeDeltas":
    [100, 200, 300], "cpuProfile": {"nodes": [{"id": 1, "callFrame": {"functionName": "main"}},
    {"id": 2, "parent": 1, "callFrame": {"functionName": "work"}}], "samples": [1, 2, 1]}}}'
for start in '"Profile"' '"Ignored"'; do
    cat <<END | ptk convert --to json - | grep -A2 '"start"'
[{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "worker"}},
{"ph": "X", "name": "task", "pid": 1, "tid": 2, "ts": 5000, "dur": 900},
{"id": 7, "ts": 5700, $chunk},
{"ph": "P", "cat": "v8", "name": $start, "id": 7, "pid": 1, "tid": 2, "ts": 5010,
 "args": {"data": {"startTime": 5005}}}]
END
done
