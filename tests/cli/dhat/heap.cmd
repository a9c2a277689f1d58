# the sums are those that valgrind prints: 89,192 bytes in 402 blocks, 14,387 in 202 at their most, …
ptk hotspots --value all -f csv testdata/dhat/list.dhat
ptk tree --value peak_space --min-percent 10 testdata/dhat/list.dhat
ptk info testdata/dhat/list.dhat
