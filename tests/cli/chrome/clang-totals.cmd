# sums that clang repeats are no thread's time, however many of one shape there are
{
    printf '{"traceEvents":[{"pid":1,"tid":1,"ph":"X","ts":0,"dur":9,"name":"Source"}'
    for pass in 2 3 4 5; do
        printf ',{"pid":1,"tid":%d,"ph":"X","ts":0,"dur":%d,"name":"Total Pass%d","args":{"count":1,"avg ms":0}}' $pass $pass $pass
    done
    printf '],"beginningOfTime":1}'
} >"$TMP_DIR/clang.json"
ptk info "$TMP_DIR/clang.json" | sed -n '/^track/,$p'
