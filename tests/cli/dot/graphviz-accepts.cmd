for file in weird_names_py311 mix_py27 profile_module inf_nan zero_time; do
    ptk dot -q -N 0 -E 0 testdata/pstats/$file.pstats | dot -Tsvg >"$TMP_DIR/$file.svg" && xmllint --noout "$TMP_DIR/$file.svg" && echo "$file is valid"
done
