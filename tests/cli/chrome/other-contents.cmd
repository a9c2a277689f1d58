# what is no function is told: snapshots of objects alone, a trace of the system alone, and beside events
printf '{"traceEvents":[{"ph":"N","id":"1","pid":1,"tid":1,"ts":1,"name":"Tab","cat":"x"},{"ph":"O","id":"1","pid":1,"tid":1,"ts":2,"name":"Tab","cat":"x","args":{"snapshot":{"a":1}}}]}' | ptk hotspots --from chrome
printf '{"traceEvents":[],"systemTraceEvents":"# tracer: nop\\n"}' | ptk hotspots --from chrome
printf '{"traceEvents":[{"ph":"X","pid":1,"ts":1,"dur":2,"name":"a"}],"systemTraceEvents":"# tracer: nop\\n"}' | ptk hotspots --from chrome
