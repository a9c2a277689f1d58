ptk advise -q testdata/recorded/route.callgrind
