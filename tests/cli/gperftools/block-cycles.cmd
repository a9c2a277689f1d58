# no sampling period: every contention was recorded, and delays are still in cycles
ptk hotspots -n 2 testdata/gperftools/go_block.txt
