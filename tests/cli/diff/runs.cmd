# several runs a side: means, and an interval from their spread
mkdir "$TMP_DIR/old" "$TMP_DIR/new"
for run in 1 2 3 4; do
    printf "main;a 10$run\nmain;b 5$((run * 2))\nmain;z 20$run\n" >"$TMP_DIR/old/$run.folded"
    printf "main;a 12$run\nmain;b 5$((run * 2 + 1))\nmain;z 20$((5 - run))\n" >"$TMP_DIR/new/$run.folded"
done
ptk diff "$TMP_DIR/old" "$TMP_DIR/new"
cd "$TMP_DIR/old" && ptk diff -n 0 --before 1.folded --before 2.folded --after ../new/1.folded --after ../new/2.folded
