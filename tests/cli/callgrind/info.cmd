ptk info testdata/callgrind/small.callgrind
