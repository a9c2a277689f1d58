# below a new wrapper everything is in a new place, and is compared with where it was
printf 'main;f 50\nmain;f;g 30\nmain;old 20\n' >"$TMP_DIR/before.folded"
printf 'wrap;main;f 50\nwrap;main;f;g 30\nwrap 4\n' >"$TMP_DIR/after.folded"
for cum in '' --cum; do
    ptk flame --diff $cum "$TMP_DIR/before.folded" "$TMP_DIR/after.folded" | sed 's/>/&\n/g' |
        sed -n 's/.*data-name="\([^"]*\)".*data-self="\([0-9]*\)" data-total-before="\([0-9]*\)" data-self-before="\([0-9]*\)".*/\1 \2 before \3 \4/p; s/^<rect class="\(h[0-9]\)".* height="17".*/\1/p'
done
