# functions without a name, and those of one name, are told apart by where they begin
node='{"id":%d,"callFrame":{"functionName":"%s","scriptId":"1","url":"file:///srv/app/a.js","lineNumber":%d,"columnNumber":1},"hitCount":%d,"positionTicks":[{"line":%d,"ticks":%d}]}'
printf '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2,3,4,5]},'"$node,$node,$node,$node"'],"startTime":0,"endTime":10000}' \
    2 '' 9 3 11 3  3 '' 20 2 22 2  4 run 30 4 31 4  5 run 40 1 41 1 >"$TMP_DIR/a.cpuprofile"
ptk hotspots "$TMP_DIR/a.cpuprofile"
ptk lines "$TMP_DIR/a.cpuprofile" 2>&1 | grep a.js
ptk callers 'run /srv/app/a.js:31' "$TMP_DIR/a.cpuprofile"
# and so they are in a line that two of them have in common
printf '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2,3]},'"$node,$node"'],"startTime":0,"endTime":10000}' \
    2 '' 9 3 11 3  3 '' 10 2 11 2 >"$TMP_DIR/b.cpuprofile"
ptk lines "$TMP_DIR/b.cpuprofile" 2>/dev/null
# of those that begin in one line, as all of a minified file do, the column tells; the line means both
closure='{"id":%d,"callFrame":{"functionName":"%s","scriptId":"1","url":"file:///srv/app/min.js","lineNumber":0,"columnNumber":%d},"hitCount":%d,"positionTicks":[{"line":1,"ticks":%d}]}'
printf '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2,3,4]},'"$closure,$closure,$closure"'],"startTime":0,"endTime":10000}' \
    2 '' 30 3 3  3 '' 70 2 2  4 run 90 1 1 >"$TMP_DIR/c.cpuprofile"
ptk hotspots "$TMP_DIR/c.cpuprofile"
ptk lines "$TMP_DIR/c.cpuprofile" 2>&1 | grep flat.*cum.*%
ptk callers min.js:1:71 "$TMP_DIR/c.cpuprofile"
ptk callers min.js:1 "$TMP_DIR/c.cpuprofile"
ptk diff -n 0 "$TMP_DIR/c.cpuprofile" "$TMP_DIR/c.cpuprofile"
