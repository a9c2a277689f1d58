# Any tree of reduces gives the bytes of one process, and the report of the traces.
cd testdata/chrome/job && for rank in 0 1 2 3; do
    ptk map -o "$TMP_DIR/$rank.part" rank00$rank*
done
ptk map -o "$TMP_DIR/all.part" .
cd "$TMP_DIR" || exit
ptk reduce -o flat.part 3.part 1.part 0.part 2.part && cmp flat.part all.part && echo flat
ptk reduce -o left.part 0.part 1.part && ptk reduce -o right.part 2.part 3.part
ptk reduce -o none.part
ptk reduce -o tree.part right.part none.part left.part && cmp tree.part all.part && echo tree
ptk reduce -o again.part all.part 2.part left.part all.part && cmp again.part all.part && echo again
printf '%s\n' 0.part right.part 1.part >list
ptk reduce --list list -o listed.part && cmp listed.part all.part && echo listed
ptk job -f csv all.part
ptk reduce 2.part none.part | cmp - 2.part && echo whole
