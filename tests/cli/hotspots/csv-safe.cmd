# a name that a spreadsheet would run
printf '=cmd()|x;@f;+g,h;-i;plain 3\n' >"$TMP_DIR/formulas.folded"
ptk hotspots -f csv --csv-safe "$TMP_DIR/formulas.folded" | cut -d, -f1,2
ptk convert --to csv --csv-safe "$TMP_DIR/formulas.folded" | cut -d, -f3
ptk convert --to csv "$TMP_DIR/formulas.folded" | cut -d, -f3
