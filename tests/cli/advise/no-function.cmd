# What stands for no function is none to make faster: V8's "(program)" and, in a trace, its "(idle)".
for name in '(program)' '(idle)' work; do
    cat >"$TMP_DIR/trace.json" <<END
[{"ph":"P","cat":"disabled-by-default-v8.cpu_profiler","name":"Profile","pid":1,"tid":1,"id":"0x1","ts":1000,"args":{"data":{"startTime":1000}}},
{"ph":"P","cat":"disabled-by-default-v8.cpu_profiler","name":"ProfileChunk","pid":1,"tid":2,"id":"0x1","ts":9000,"args":{"data":{"cpuProfile":{
"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"$name"}},{"id":3,"parent":1,"callFrame":{"functionName":"main","url":"file:///srv/main.js","lineNumber":3}}],
"samples":[2,2,2,2,2,2,2,2,3,3]},"timeDeltas":[0,1000,1000,1000,1000,1000,1000,1000,1000,1000]}}}]
END
    ptk hotspots -n 1 "$TMP_DIR/trace.json" | head -n 1
    ptk advise "$TMP_DIR/trace.json" | head -n 1
done
