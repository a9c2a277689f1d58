# What CANN calls and does; its own sums of both are no work.
ptk info testdata/chrome/ascend_overlap.json
ptk overlap -f csv testdata/chrome/ascend_overlap.json
