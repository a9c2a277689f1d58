# events with "bind_id" are themselves points of a flow, whatever begins with them; what only takes
# it in leaves it to others; an id is the same in decimal, hexadecimal and quotes
cat >"$TMP_DIR/flows.json" <<'END'
[{"ph":"X","name":"post","cat":"a","pid":1,"tid":1,"ts":10,"dur":10,"bind_id":"0x1f","flow_out":true},
{"ph":"X","name":"inner post","cat":"a","pid":1,"tid":1,"ts":10,"dur":5},
{"ph":"X","name":"run","cat":"b","pid":1,"tid":2,"ts":40,"dur":20,"bind_id":31,"flow_in":true,"flow_out":true},
{"ph":"X","name":"inner run","cat":"b","pid":1,"tid":2,"ts":40,"dur":10},
{"ph":"B","name":"reply","cat":"c","pid":1,"tid":1,"ts":70,"bind_id":"31","flow_in":true},
{"ph":"E","pid":1,"tid":1,"ts":100},
{"ph":"X","name":"answer","cat":"c","pid":1,"tid":3,"ts":110,"dur":10,"bind_id":"31","flow_in":true}]
END
ptk critical-path "$TMP_DIR/flows.json"
ptk info "$TMP_DIR/flows.json" | grep phases
# without the binding, only times say what made them run
sed 's/"bind_id"/"band_id"/' "$TMP_DIR/flows.json" | ptk critical-path - | grep inferred
