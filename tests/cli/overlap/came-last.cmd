# Of ten ranks each comes last once, later ranks by more: the worst come first, and the others are counted.
for rank in 0 1 2 3 4 5 6 7 8 9; do
    awk -v rank=$rank 'BEGIN {
        printf "{\"distributedInfo\": {\"rank\": %d, \"world_size\": 10}, \"traceEvents\": [", rank
        for (n = 0; n < 10; n++) {
            late = n == rank ? 20 + n : 0
            printf "%s{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_AllReduce_Sum_f32_RING_LL\", \"pid\": 0, \"tid\": 7", n ? ", " : ""
            printf ", \"ts\": %d, \"dur\": %d, \"args\": {\"device\": 0, \"stream\": 7, \"Collective name\": \"allreduce\"", n * 100 + late, 60 - late
            printf ", \"Process Group Name\": \"0\", \"Group size\": 10, \"Seq\": %d}}", n
        }
        print "]}"
    }' >"$TMP_DIR/rank$rank.json"
done
ptk overlap "$TMP_DIR"/rank?.json | sed -n '1,/^$/p'
