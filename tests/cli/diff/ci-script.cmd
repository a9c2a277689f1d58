# examples/ci/profile-diff records both checkouts, compares, and keeps profiles, comment, flame graph and page
mkdir "$TMP_DIR/ci-base" "$TMP_DIR/ci-head"
printf 'main;a 100\nmain;b 1000\n' >"$TMP_DIR/ci-base/costs"
printf 'main;a 100\nmain;b 1400\n' >"$TMP_DIR/ci-head/costs"
compare() { PTK=$PTK examples/ci/profile-diff -n 2 -o "$TMP_DIR/ci-kept" "$@"; echo "exit status $?"; }
compare "$TMP_DIR/ci-base" "$TMP_DIR/ci-head" 'cp costs "$PROFILE"'
(cd "$TMP_DIR/ci-kept" && ls)
mv "$TMP_DIR/ci-kept/head.profiles" "$TMP_DIR/ci-main.profiles"
echo "a baseline of files, and the same code:"
compare "$TMP_DIR/ci-main.profiles" "$TMP_DIR/ci-head" 'cp costs "$PROFILE"'
echo "a command that writes no profile:"
compare "$TMP_DIR/ci-base" "$TMP_DIR/ci-head" true 2>&1 | sed "s|$TMP_DIR|DIR|"
