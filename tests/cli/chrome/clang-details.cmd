# which header, template or function: those of one name and detail are one, and what has none is itself
cat >"$TMP_DIR/details.json" <<'END'
{"traceEvents":[
{"pid":1,"tid":1,"ph":"X","ts":10,"dur":20,"name":"Source","args":{"detail":"/usr/include/stdio.h"}},
{"pid":1,"tid":1,"ph":"X","ts":5,"dur":40,"name":"Source","args":{"detail":"/src/\"a\".h"}},
{"pid":1,"tid":1,"ph":"X","ts":50,"dur":8,"name":"Source","args":{"detail":"/usr/include/stdio.h"}},
{"pid":1,"tid":1,"ph":"X","ts":60,"dur":7,"name":"InstantiateClass","args":{"detail":"box<int>"}},
{"pid":1,"tid":1,"ph":"X","ts":59,"dur":10,"name":"InstantiateClass","args":{"detail":"box<box<int> >"}},
{"pid":1,"tid":1,"ph":"X","ts":70,"dur":3,"name":"Backend","args":{"detail":""}},
{"pid":1,"tid":1,"ph":"X","ts":0,"dur":80,"name":"ExecuteCompiler"},
{"pid":1,"tid":2,"ph":"X","ts":0,"dur":40,"name":"Total Source","args":{"count":3,"avg ms":0}}],
"beginningOfTime":1}
END
ptk hotspots --by detail "$TMP_DIR/details.json"
ptk tree --by detail --focus Source "$TMP_DIR/details.json"
ptk hotspots -f csv "$TMP_DIR/details.json" | cut -d, -f1,6-8
ptk convert --to chrome "$TMP_DIR/details.json" | grep -o '"detail":.*' | head -n 1
ptk hotspots --by detail testdata/chrome/overlap.json
