# examples/ci/profile-diff records both checkouts, compares, and keeps profiles, comment, flame graph and page
mkdir "$TMP_DIR/base" "$TMP_DIR/head"
printf 'main;a 100\nmain;b 1000\n' >"$TMP_DIR/base/costs"
printf 'main;a 100\nmain;b 1400\n' >"$TMP_DIR/head/costs"
compare() { PTK=$PTK examples/ci/profile-diff -n 2 -o "$TMP_DIR/kept" "$@"; echo "exit status $?"; }
compare "$TMP_DIR/base" "$TMP_DIR/head" 'cp costs "$PROFILE"'
(cd "$TMP_DIR/kept" && ls)
mv "$TMP_DIR/kept/head.profiles" "$TMP_DIR/main.profiles"
echo "a baseline of files, and the same code:"
compare "$TMP_DIR/main.profiles" "$TMP_DIR/head" 'cp costs "$PROFILE"'
echo "a command that writes no profile:"
compare "$TMP_DIR/base" "$TMP_DIR/head" true 2>&1 | sed "s|$TMP_DIR|DIR|"
