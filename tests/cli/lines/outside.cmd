# a profile may name any file: sources are read where the user works or says so, and a page that is
# sent to others says what text it holds
mkdir -p "$TMP_DIR/outside/.ssh" "$TMP_DIR/work"
echo 'a secret' >"$TMP_DIR/outside/key"
echo 'a hidden secret' >"$TMP_DIR/outside/.ssh/key"
echo 'a source' >"$TMP_DIR/work/source"
ln -s ../outside/key "$TMP_DIR/work/link"
cd "$TMP_DIR/work" || exit
for name in source link ../outside/key ../work/source ../outside/.ssh/key "$TMP_DIR/work/source" \
    "$TMP_DIR/outside/key" gone; do
    cat >named.cpuprofile <<END
{"nodes": [{"id": 1, "callFrame": {"functionName": "f", "url": "$name", "lineNumber": 0},
  "hitCount": 1, "positionTicks": [{"line": 1, "ticks": 1}]}],
 "startTime": 0, "endTime": 10, "samples": [1], "timeDeltas": [10]}
END
    for where in "" "--source-path $TMP_DIR/outside" "--source-path $TMP_DIR/outside/.ssh" \
        "--source any" --no-source; do
        echo "$name $where: $(ptk lines $where named.cpuprofile | grep -E '^ +1 |the source' |
            sed 's/.*ns  //')" | sed "s|$TMP_DIR|DIR|g"
    done
    echo "report: $(ptk report -q named.cpuprofile | grep -c 'a secret')"
done
cp named.cpuprofile with.cpuprofile && sed -i 's/gone/key/' with.cpuprofile
ptk report --source-path ../outside with.cpuprofile | grep -o 'this page holds[^<]*'
