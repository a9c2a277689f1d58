# each with the one before it, and with itself
for file in testdata/pstats/*.pstats testdata/pprof/*.pb testdata/folded/*; do
    case $file in */empty.pstats) continue ;; esac # no functions, so hotspots has no answer
    echo "$file"; echo "$file"
done |
    xargs python3 tests/check_flame.py --diff "$PTK" | sed 's/: \([1-9][0-9]*\) of \1 right$/: all right/'
