ptk hotspots --value all --focus main testdata/callgrind/small.callgrind
