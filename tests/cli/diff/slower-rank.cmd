# of two runs of a job, in the second of which rank 1 computes 1.5 times as long: that rank, and the
# others wait for it
for job in before after; do ptk map -q -o "$TMP_DIR/$job-slower.part" testdata/chrome/jobs/$job; done
ptk diff "$TMP_DIR/before-slower.part" "$TMP_DIR/after-slower.part"
