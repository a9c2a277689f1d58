# Nsight's times count from where the session began: what starts at 0 has a start
cp testdata/sqlite/nsys.sqlite "$TMP_DIR/zero.sqlite" && chmod u+w "$TMP_DIR/zero.sqlite"
python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as file:
    file.execute("update CUPTI_ACTIVITY_KIND_KERNEL set start = 0 where start = (select min(start) from CUPTI_ACTIVITY_KIND_KERNEL)")' "$TMP_DIR/zero.sqlite"
ptk hotspots --value device -f csv "$TMP_DIR/zero.sqlite" 2>/dev/null
