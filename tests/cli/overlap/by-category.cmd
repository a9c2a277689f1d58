# The categories are those of hotspots, and add up to what the kinds have.
for by in whole category; do ptk overlap -q --by $by testdata/chrome/experts.json | sed -n '/^Kinds/,/^$/p'; done
ptk hotspots --value device --by category -n 0 testdata/chrome/experts.json
