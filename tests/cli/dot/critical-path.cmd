# host and device apart, and what decided when the run ended
for style in gprof2dot pprof; do
    ptk dot --style $style --value device --critical-path testdata/chrome/overlap.json
done
