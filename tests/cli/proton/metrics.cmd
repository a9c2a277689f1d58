# a name with an escape; more names than there is room for, of which the last two have figures
{ printf '[{"frame": {"name": "ROOT"}, "children": [], "metrics": {"time (ns)": 5, "a \\u0022b\\u0022": 2'; seq -f ', "m%g": 1' 3 66; echo ', "m67": 0}}, {}]'; } >"$TMP_DIR/many.hatchet"
ptk hotspots -n 1 --value 'a "b"' "$TMP_DIR/many.hatchet" 2>&1 | sed "s|$TMP_DIR/||"
