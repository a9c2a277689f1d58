for file in weird_names_py311 mix_py27 profile_module empty inf_nan zero_time; do
    ptk flame -q -o "$TMP_DIR/$file.svg" testdata/pstats/$file.pstats && xmllint --noout "$TMP_DIR/$file.svg" &&
        rsvg-convert "$TMP_DIR/$file.svg" -o "$TMP_DIR/$file.png" && echo "$file is accepted"
done
