for file in overlap paddle_case node hostile_unescaped_quote_in_kernel_name; do
    ptk timeline -q -o "$TMP_DIR/$file.svg" testdata/chrome/$file.json && xmllint --noout "$TMP_DIR/$file.svg" &&
        rsvg-convert "$TMP_DIR/$file.svg" -o "$TMP_DIR/$file.png" && echo "$file is accepted"
done
