# a trace that is cut to a step answers as the whole does of that step
python3 tests/check_cut.py "$PTK" testdata/chrome/*.json testdata/chrome/job/*.gz testdata/chrome/jobs/before/*.gz
# packed as its name says
ptk convert --to chrome --step 1 -o "$TMP_DIR/cut.json.zst" testdata/chrome/overlap.json
ptk convert --to chrome --step 1 -o "$TMP_DIR/cut.json.gz" testdata/chrome/overlap.json
ptk info -f json "$TMP_DIR/cut.json.zst" | grep -o '"packing":"[a-z]*"'
for packed in zst gz; do ptk overlap -f csv "$TMP_DIR/cut.json.$packed"; done
ptk overlap -f csv --step 1 testdata/chrome/overlap.json
