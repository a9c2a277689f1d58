# What changed is told in names of its own, which must last until the page is written: freed memory
# is overwritten here.
printf 'main;parse;read_line 4\nmain;solve 6\n' >"$TMP_DIR/before.folded"
printf 'main;parse;read_line 9\nmain;answer 2\n' >"$TMP_DIR/after.folded"
MALLOC_PERTURB_=85 "$PTK" report "$TMP_DIR/before.folded" "$TMP_DIR/after.folded" >"$TMP_DIR/changes.html"
tr '<' '\n' <"$TMP_DIR/changes.html" | sed -n '/^section id="changes"/,/^\/section/ s/^td class="name">\([a-z].*\)/\1/p'
