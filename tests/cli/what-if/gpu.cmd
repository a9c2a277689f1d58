# Another GPU: what bounds a kernel scales it. Then one from a file, twice as fast in all that is recorded, and JSON.
ptk what-if --gpu H200 testdata/chrome/roofline.json
printf 'fp32 = 31\nfp16 = 600\nbf16 = 600\nmemory = 1000\n' >"$TMP_DIR/mine.toml"
ptk what-if --gpu-file "$TMP_DIR/mine.toml" testdata/chrome/roofline.json | sed "s|$TMP_DIR/||" | head -n 9
ptk what-if -f json --gpu H200 testdata/chrome/roofline.json | grep '"gpu\|"after_\|"device_[lth]'
