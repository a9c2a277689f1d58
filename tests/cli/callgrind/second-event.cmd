ptk hotspots --value sysTime testdata/callgrind/small.callgrind
