# many stacks, which share what is above them, and some longer than a block of output: read back as they were
awk 'BEGIN {
    for (i = 0; i < 4000; i++) {
        stack = "main"
        for (depth = 6; depth > 0; depth--)
            stack = stack ";frame_of_a_long_name_" depth "_" int(i / 3 ^ depth)
        if (i % 3 == 0)
            print stack, i + 7
        print stack ";leaf" i, i + 1
    }
    for (depth = 0; depth < 9000; depth++)
        deep = deep (depth ? ";" : "") "step_" depth
    print deep, 1
    print deep ";left", 2
    print deep ";right", 3
}' >"$TMP_DIR/long.folded"
ptk convert --to folded "$TMP_DIR/long.folded" | cmp - "$TMP_DIR/long.folded" && echo "folded"
ptk convert --to speedscope "$TMP_DIR/long.folded" | ptk convert --to folded | cmp - "$TMP_DIR/long.folded" && echo "speedscope"
ptk convert --to pprof "$TMP_DIR/long.folded" | ptk convert --to folded | cmp - "$TMP_DIR/long.folded" && echo "pprof"
ptk convert --to csv "$TMP_DIR/long.folded" | awk -F, 'NR > 1 {
    path[$1] = ($2 ? path[$2] ";" : "") $3
    if ($NF)
        print path[$1], $NF
}' | cmp - "$TMP_DIR/long.folded" && echo "csv"
