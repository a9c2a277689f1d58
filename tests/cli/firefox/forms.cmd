# one program in both forms: the same functions, callers and times
ptk tree --min-percent 1.5 testdata/firefox/processed-66.json
for form in gecko-34 processed-66; do
    for value in samples cpu; do ptk tree --value $value -f csv testdata/firefox/$form.json; done >"$TMP_DIR/$form"
done
cmp "$TMP_DIR/gecko-34" "$TMP_DIR/processed-66" && echo same
ptk hotspots --value native_alloc testdata/firefox/processed-66.json
