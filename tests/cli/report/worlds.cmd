# Rank 0 of 3 and rank 1 of 2 are of two jobs; options overrule what the files say.
cd testdata/chrome/ranks
sed 's/"world_size": 3/"world_size": 2/' rank-1.json >"$TMP_DIR/of-two.json"
sections() {
    ptk report "$@" | tr '\n' ' ' | grep -oE '<section id="(changes|ranks)"'
}
sections rank-0.json "$TMP_DIR/of-two.json"
sections --ranks rank-0.json "$TMP_DIR/of-two.json"
sections rank-0.json rank-1.json
sections --diff rank-0.json rank-1.json
ptk map -q -o "$TMP_DIR/one.part" rank-0.json
ptk report --diff "$TMP_DIR/one.part" rank-1.json
ptk report --diff rank-0.json
ptk report --ranks rank-0.json
ptk report --ranks --diff rank-0.json rank-1.json
ptk overlap rank-0.json "$TMP_DIR/of-two.json" | sed -n 1,3p
ptk overlap rank-0.json rank-1.json | sed -n 1,2p
