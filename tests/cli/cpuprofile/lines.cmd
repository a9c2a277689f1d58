# how many of a node's samples were in which line: their time is shared out alike; a caller's line is
# not known, nor is that of a sample without a tick
cat >"$TMP_DIR/work.js" <<'END'
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++)
    sum += Math.sqrt(i);
  return sum;
}
work(1e9);
END
cat >"$TMP_DIR/work.cpuprofile" <<END
{"nodes": [
{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "children": [2]},
{"id": 2, "callFrame": {"functionName": "", "url": "file://$TMP_DIR/work.js", "lineNumber": 0},
 "hitCount": 0, "children": [3]},
{"id": 3, "callFrame": {"functionName": "work", "url": "file://$TMP_DIR/work.js", "lineNumber": 0},
 "hitCount": 4, "positionTicks": [{"line": 4, "ticks": 2}, {"line": 2, "ticks": 1}]}],
"startTime": 0, "endTime": 410, "samples": [3, 3, 3, 3], "timeDeltas": [10, 100, 50, 50]}
END
ptk list work --source-path "$TMP_DIR" "$TMP_DIR/work.cpuprofile" | sed "s|$TMP_DIR|DIR|"
ptk hotspots --by line --value samples -f csv "$TMP_DIR/work.cpuprofile" | sed "s|$TMP_DIR|DIR|g"
printf '%s' '{"nodes": [{"id": 2, "callFrame": {"functionName": "f"}}], "samples": [2], "timeDeltas": [1]}' |
    ptk lines -
