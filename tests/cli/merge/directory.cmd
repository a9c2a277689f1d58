# directories, theirs below, and what is no profile
mkdir -p "$TMP_DIR/runs/deep"
cp testdata/folded/small.folded "$TMP_DIR/runs/one.folded"
cp testdata/folded/small.folded "$TMP_DIR/runs/deep/two.folded"
echo "not a profile" >"$TMP_DIR/runs/notes.txt"
ln -s .. "$TMP_DIR/runs/deep/back"
cd "$TMP_DIR"
ptk merge --to folded runs
