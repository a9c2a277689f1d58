# what one id begins and ends nests, whatever else runs meanwhile, and however much
{
    printf '[{"ph":"b","cat":"net","name":"session","id":"s","pid":1,"tid":1,"ts":0}'
    i=0
    while [ $i -lt 200 ]; do
        printf ',{"ph":"b","cat":"net","name":"request","id":%d,"pid":1,"tid":1,"ts":%d}' $i $((10 + i))
        printf ',{"ph":"b","cat":"net","name":"send","id":%d,"pid":1,"tid":1,"ts":%d}' $i $((20 + i))
        printf ',{"ph":"e","cat":"net","name":"send","id":%d,"pid":1,"tid":1,"ts":%d}' $i $((50 + i))
        printf ',{"ph":"e","cat":"net","name":"request","id":%d,"pid":1,"tid":1,"ts":%d}' $i $((300 + i))
        i=$((i + 1))
    done
    printf ',{"ph":"e","cat":"net","name":"session","id":"s","pid":1,"tid":1,"ts":1000}'
    printf ',{"ph":"X","name":"task","pid":1,"tid":2,"ts":400,"dur":5}]'
} >"$TMP_DIR/net.json"
ptk info "$TMP_DIR/net.json" | sed -n '/^track/,$p'
ptk tree "$TMP_DIR/net.json"
ptk convert --to chrome -o "$TMP_DIR/again.json" "$TMP_DIR/net.json"
ptk tree "$TMP_DIR/again.json" | sed 1d
# rows of operations do not crowd out a thread
ptk timeline -n 3 "$TMP_DIR/net.json" | grep -o '>thread 2<'
ptk hotspots --value host "$TMP_DIR/net.json"
