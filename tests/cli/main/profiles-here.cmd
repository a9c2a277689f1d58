# Without a file the profiles of the folder are offered, the newest first, by what is in them.
mkdir "$TMP_DIR/profiles-here" && cp testdata/pstats/fractal.pstats "$TMP_DIR/profiles-here/b.out"
cp testdata/pprof/go_service.pb.gz "$TMP_DIR/profiles-here/a"
cp README.md "$TMP_DIR/profiles-here/trace.json" # is none
echo 'two words 3' >"$TMP_DIR/profiles-here/maybe.folded"
touch -d '2020-01-01' "$TMP_DIR/profiles-here/a"
for command in '' hotspots 'tree -n 3' diff 'report -o x.html'; do
    (cd "$TMP_DIR/profiles-here" && ptk $command 2>&1 | tail -n 2)
done
for name in 1 2 3 4; do cp testdata/pstats/fractal.pstats "$TMP_DIR/profiles-here/$name"; touch -d 2021-01-0$name "$TMP_DIR/profiles-here/$name"; done
(cd "$TMP_DIR/profiles-here" && ptk hotspots 2>&1 | tail -n 1)
rm -r "$TMP_DIR/profiles-here" && mkdir "$TMP_DIR/profiles-here"
(cd "$TMP_DIR/profiles-here" && ptk hotspots; ptk 2>&1 | tail -n 2)
