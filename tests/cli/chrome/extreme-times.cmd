for command in info overlap summary critical-path timeline advise amdahl; do
    ptk $command -q testdata/chrome/extreme_times.json >"$TMP_DIR/answer" && echo "$command answers"
done
ptk info testdata/chrome/impossible_times.json | sed -n "/^Warnings/,\$p"
