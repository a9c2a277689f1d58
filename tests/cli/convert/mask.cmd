# a profile for others to see: no name, path, label or argument of the program's own code is left, and all figures are
ptk convert --mask --to folded -q testdata/pstats/fractal.pstats | head -4
ptk convert --mask --to chrome -o "$TMP_DIR/masked.json" testdata/chrome/phases.json
ptk hotspots --columns self,name --value time -f csv -n 0 "$TMP_DIR/masked.json"
for question in "overlap -f csv" "advise -f csv --columns rule,gain"; do
    ptk $question "$TMP_DIR/masked.json" >"$TMP_DIR/masked"
    ptk $question testdata/chrome/phases.json | cmp - "$TMP_DIR/masked" && echo "the same $question"
done
# the words of a file that must not come through
said() { strings -n 3 "$1" | grep -c -i -E "$2"; }
said testdata/pstats/fractal.pstats 'fractal|escape_time'
for to in folded chrome pprof speedscope json csv callgrind; do
    for file in pstats/fractal.pstats chrome/phases.json pprof/labels.pb; do
        ptk convert --mask --to $to -q -o "$TMP_DIR/made" "testdata/$file" 2>/dev/null &&
            echo "$to $file $(said "$TMP_DIR/made" 'fractal|escape_time|nn.Module|SGD|worker|tenant|testdata|train.py')"
    done
done
