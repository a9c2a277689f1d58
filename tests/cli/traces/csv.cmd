ptk traces -f csv -n 1 testdata/folded/small.folded
