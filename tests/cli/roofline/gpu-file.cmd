# The built-in table in the form that --gpu-file reads, and read back: the same ceilings. Then a GPU of one's own, and a wrong line.
ptk roofline --gpus >"$TMP_DIR/gpus.toml"
head -n 9 "$TMP_DIR/gpus.toml"
ptk roofline --gpu-file "$TMP_DIR/gpus.toml" --gpu H200 testdata/chrome/roofline.json | head -n 1
ptk roofline --gpu H200 testdata/chrome/roofline.json | head -n 1
cd "$TMP_DIR" || exit 1
printf '# mine\nfp32 = 10\nbf16 = 1e2 # dense\nmemory = 500\n' >mine.toml
ptk roofline --gpu-file mine.toml "$OLDPWD/testdata/chrome/roofline.json" | head -n 1
printf 'fp32 = 10\nfp33 = 1\n' >wrong.toml
ptk roofline --gpu-file wrong.toml "$OLDPWD/testdata/chrome/roofline.json"
