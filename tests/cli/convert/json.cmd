ptk convert --to json testdata/folded/small.folded
ptk convert --to json testdata/pstats/cycle_small.pstats | sed -n '/^"level/,$p'
ptk convert --to json testdata/nvprof/trace.csv | sed -n '/^"tracks/,/^"series/p' | cut -c1-150 | head -n 8
for file in testdata/chrome/overlap.json testdata/pprof/labels.pb testdata/pstats/weird_names_py311.pstats; do
    ptk convert -q --to json $file | python3 -m json.tool >/dev/null && echo "$file is valid"
done
