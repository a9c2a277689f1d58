# Code without a symbol is named by its object.
ptk hotspots testdata/callgrind/stripped.callgrind
