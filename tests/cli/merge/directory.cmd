# directories, theirs below, and what is no profile
mkdir -p "$TMP_DIR/runs/deep"
cp testdata/folded/small.folded "$TMP_DIR/runs/one.folded"
cp testdata/folded/small.folded "$TMP_DIR/runs/deep/two.folded"
echo "not a profile" >"$TMP_DIR/runs/notes.txt"
ln -s .. "$TMP_DIR/runs/deep/back"
mkfifo "$TMP_DIR/runs/pipe" # nobody writes into it
cd "$TMP_DIR"
timeout 60 "$PTK" merge --to folded runs
