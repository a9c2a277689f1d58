# names that differ in every build, hostile ones, nothing on one side: the same bytes twice
for pair in 'weird_names_py311 profile_module' 'profile_module weird_names_py311' 'empty mix_py27' 'mix_py27 empty' 'inf_nan zero_time'; do
    set -- $pair
    for time in 1 2; do
        ptk flame -q --diff -o "$TMP_DIR/$time.svg" "testdata/pstats/$1.pstats" "testdata/pstats/$2.pstats"
    done
    xmllint --noout "$TMP_DIR/1.svg" && rsvg-convert "$TMP_DIR/1.svg" -o "$TMP_DIR/1.png" &&
        cmp "$TMP_DIR/1.svg" "$TMP_DIR/2.svg" && echo "$1 → $2 is accepted"
done
