# what is written is read back as the same profile, odd names and all
printf 'a\\x3bb;# c;d\\x5cx3b 3\n\\x23main;f (dir/m.py:7);m.py 4\n' >"$TMP_DIR/odd.folded"
ptk convert --to folded "$TMP_DIR/odd.folded" | tee "$TMP_DIR/once.folded"
ptk convert --to folded "$TMP_DIR/once.folded" | cmp - "$TMP_DIR/once.folded" && echo "same again"
