# collectives without numbers are matched by their order: one note more, and the same figures
mkdir "$TMP_DIR/unnumbered"
for rank in 0 1 2 3; do
    gzip -dc testdata/chrome/job/rank00$rank.pt.trace.json.gz | sed -E 's/, "Seq": [0-9]+//' >"$TMP_DIR/unnumbered/rank00$rank.json"
done
ptk job testdata/chrome/job >"$TMP_DIR/numbered"
ptk job "$TMP_DIR/unnumbered" | diff "$TMP_DIR/numbered" -
