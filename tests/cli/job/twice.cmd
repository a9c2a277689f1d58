cp testdata/chrome/job/rank000* "$TMP_DIR/again.json.gz"
"$PTK" job testdata/chrome/job "$TMP_DIR/again.json.gz" -q | head -1
"$PTK" job testdata/chrome/ranks/rank-0.json testdata/chrome/ranks/rank-0.json --by step -f csv
