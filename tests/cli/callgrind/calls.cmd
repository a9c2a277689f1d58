ptk callees main testdata/callgrind/small.callgrind; ptk callers even testdata/callgrind/small.callgrind
