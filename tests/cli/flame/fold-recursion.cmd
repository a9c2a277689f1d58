# a tower of one function is one box, whose sums are those of all its storeys
boxes() {
    ptk flame "$@" | sed 's/>/&\n/g' |
        sed -n 's/.*data-name="\([^"]*\)" data-at="\([0-9]*\)" data-total="\([0-9]*\)" data-self="\([0-9]*\)".*/\1 at \2: \3, self \4/p'
}
printf 'main;f;f;f;g 5\nmain;f;f;h 3\nmain;f;f 2\nmain;f;g;f 4\n' >"$TMP_DIR/tower.folded"
boxes --fold-recursion "$TMP_DIR/tower.folded"
# by itself where stacks are higher than any picture
{ printf main; i=0; while [ $i -lt 3000 ]; do printf ';walk'; i=$((i + 1)); done; echo ';leaf 7'; } | boxes -
