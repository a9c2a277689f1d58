# The categories are those of the ranks' own traces, and add up to what these have.
ptk job --by category testdata/chrome/job | sed -n '/^By category/,/^$/p'
ptk job --by category -f csv testdata/chrome/job | awk -F, 'NR > 1 {print $6, $1, $2}' | sort >"$TMP_DIR/job.categories"
for rank in testdata/chrome/job/rank*; do
    ptk hotspots -q --value device --by category -f csv -n 0 "$rank"
done | awk -F, '$8 + 0 > 0 {calls[$1] += $6; time[$1] += $8} END {for (c in time) printf "%s %d %d\n", c, calls[c], time[c]}' |
    sort | cmp - "$TMP_DIR/job.categories" && echo 'the same'
