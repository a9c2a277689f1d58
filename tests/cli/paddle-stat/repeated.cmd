# Blocks that only grow are running totals; blocks that start anew are added up.
block() { echo "Stat=a total=$1 avg=1 max=$2 min=$3 count=$4"; }
(block 10 3 1 5; block 12 3 0.5 6) | ptk hotspots -f csv -
(block 10 3 1 5; block 4 2 0.5 6) | ptk hotspots -f csv -
