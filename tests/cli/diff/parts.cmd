# two jobs, rank by rank where they match
for rank in 0 1 2 3; do ptk map -o "$TMP_DIR/diff-$rank.part" testdata/chrome/job/rank00$rank.pt.trace.json.gz; done
ptk reduce -o "$TMP_DIR/before.part" "$TMP_DIR"/diff-[012].part
ptk reduce -o "$TMP_DIR/after.part" "$TMP_DIR"/diff-[123].part
ptk diff "$TMP_DIR/before.part" "$TMP_DIR/after.part" | sed -n '/^Ranks/,$p'
ptk diff -f json "$TMP_DIR/before.part" "$TMP_DIR/after.part" | sed -n '/^"ranks"/,$p'
