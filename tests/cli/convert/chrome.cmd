# every question has the same answer when a trace has been through ptk
for file in node overlap roofline paddle_case autograd jax_calls graph_launch tensorflow1; do
    ptk convert --to chrome -o "$TMP_DIR/again.json" testdata/chrome/$file.json
    # two streams of one number, told apart by their processes' names alone, become one
    path="critical-path -f csv"
    [ $file = tensorflow1 ] && path=summary
    for question in "hotspots -n 0 -f csv" "hotspots -n 0 -f csv --value device" "overlap -f csv" summary \
        "roofline -f csv" "tree --depth 0 --min-percent 0" "$path"; do
        ptk $question testdata/chrome/$file.json 2>&1 | sed 's/^ptk: [^:]*/ptk/' >"$TMP_DIR/before"
        ptk $question "$TMP_DIR/again.json" 2>&1 | sed 's/^ptk: [^:]*/ptk/' | cmp - "$TMP_DIR/before" ||
            echo "$file differs in $question"
    done
    python3 -m json.tool "$TMP_DIR/again.json" >/dev/null && echo "$file is done"
done
ptk convert --to chrome testdata/chrome/overlap.json | sed -n '5,8p'
# launches are arrows
ptk convert --to chrome testdata/chrome/graph_launch.json | grep '"ph":"[sf]"' | head -4
