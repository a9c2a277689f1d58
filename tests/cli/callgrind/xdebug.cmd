ptk info testdata/callgrind/xdebug.callgrind; ptk hotspots --value Memory testdata/callgrind/xdebug.callgrind
