ptk hotspots -n 6 testdata/heapprofile/tree.heapprofile
ptk callers "^grow$" testdata/heapprofile/tree.heapprofile
ptk info testdata/heapprofile/tree.heapprofile | sed -n '/^format/,$p'
