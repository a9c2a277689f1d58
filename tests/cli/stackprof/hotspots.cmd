# stacks with the lines that ran, which stand before the frames that they name; and functions with edges alone
ptk info testdata/stackprof/stacks.json
ptk hotspots testdata/stackprof/stacks.json
ptk hotspots --value time --by file testdata/stackprof/stacks.json
ptk lines testdata/stackprof/stacks.json
ptk hotspots --value time testdata/stackprof/calls.json
ptk callers 'Item#price' testdata/stackprof/calls.json
# two ids of one function: two blocks of a line
ptk hotspots testdata/stackprof/same-names.json
ptk callers c testdata/stackprof/same-names.json
ptk info testdata/stackprof/same-names.json | tail -2
