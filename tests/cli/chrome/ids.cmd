# an id is the same in decimal, hexadecimal and quotes, and a global one as one that says no more;
# local ones are those of a process
cat >"$TMP_DIR/ids.json" <<'END'
[{"ph":"b","cat":"n","name":"number","id":31,"pid":1,"tid":1,"ts":0},
{"ph":"e","cat":"n","name":"number","id":"0x1F","pid":1,"tid":1,"ts":1},
{"ph":"b","cat":"n","name":"global","id2":{"global":"0x2f"},"pid":1,"tid":1,"ts":2},
{"ph":"e","cat":"n","name":"global","id":"47","pid":2,"tid":1,"ts":4},
{"ph":"b","cat":"n","name":"local","id2":{"local":"0x3"},"pid":1,"tid":1,"ts":6},
{"ph":"b","cat":"n","name":"local","id2":{"local":"0x3"},"pid":2,"tid":1,"ts":7},
{"ph":"e","cat":"n","name":"local","id2":{"local":3},"pid":1,"tid":1,"ts":20},
{"ph":"e","cat":"n","name":"local","id2":{"local": "3"},"pid":2,"tid":1,"ts":10},
{"ph":"b","cat":"n","name":"long","id":"0xffffffffffffffff","pid":1,"tid":1,"ts":30},
{"ph":"e","cat":"n","name":"long","id":18446744073709551615,"pid":1,"tid":1,"ts":40},
{"ph":"b","cat":"n","name":"text","id":"0x1g","pid":1,"tid":1,"ts":50},
{"ph":"e","cat":"n","name":"text","id":"0x1g","pid":1,"tid":1,"ts":55}]
END
ptk hotspots -f csv "$TMP_DIR/ids.json"
