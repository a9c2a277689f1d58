# Streams that only the names of their processes tell apart stay two.
ptk convert --to chrome -o "$TMP_DIR/again.json" testdata/chrome/tensorflow1.json
for file in testdata/chrome/tensorflow1.json "$TMP_DIR/again.json"; do
    ptk info -f csv "$file" | wc -l
    ptk info "$file" | grep stream
done
