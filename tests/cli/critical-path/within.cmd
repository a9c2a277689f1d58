# The time of a range by its name: that of a step is the step's; its second run is another; what never ran says so.
trace=testdata/chrome/overlap.json
ptk critical-path -q --within 'ProfilerStep#1' $trace >"$TMP_DIR/within" && head -1 "$TMP_DIR/within"
ptk critical-path -q --step 1 $trace | cmp - "$TMP_DIR/within" && echo 'the same as --step 1'
for name in 'aten::mm' 'aten::mm#2' 'aten::mm#99' 'forward'; do ptk hotspots -q --value host -f csv -n 1 --within "$name" $trace 2>&1 | tail -1; done
ptk overlap -q --step 1 --within 'aten::mm' $trace
