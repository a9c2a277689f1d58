for file in weird_names_py311 mix_py27 profile_module inf_nan zero_time; do
    ptk flame -q -o "$TMP_DIR/$file.svg" testdata/pstats/$file.pstats && xmllint --noout "$TMP_DIR/$file.svg" &&
        rsvg-convert "$TMP_DIR/$file.svg" -o "$TMP_DIR/$file.png" && echo "$file is accepted"
done
printf '%s 5\n' "$(seq -s';' 1 5000)" >"$TMP_DIR/deep.folded"
ptk flame -q -o "$TMP_DIR/deep.svg" "$TMP_DIR/deep.folded" && rsvg-convert "$TMP_DIR/deep.svg" -o "$TMP_DIR/deep.png" &&
    echo "5000 levels are accepted"
