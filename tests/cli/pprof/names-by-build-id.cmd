# A build id proves the file, however it was mapped; a file with another one, or none, gives no names.
# One location at 0x401101, in a mapping of /opt/made/worker, whose build id the profile has.
printf '\012\004\010\001\020\002\022\005\012\001\001\020\001\032\022\010\001\020\200\200\200\002\030\200\300\200\002\040\000\050\003\060\004\042\011\010\001\020\001\030\201\242\200\002\062\000\062\007samples\062\005count\062\020/opt/made/worker\062\020'"0123456789abcdef" >"$TMP_DIR/profile.pb"
mkdir "$TMP_DIR/by-id"
for id in '--build-id 0123456789abcdef' '--build-id fedcba9876543210' ''; do
    tests/make_elf.py "$TMP_DIR/by-id/worker" $id parse=1000,400 solve=1400,600
    echo "== ${id:-none}"
    ptk hotspots -f csv --binary-path "$TMP_DIR/by-id" "$TMP_DIR/profile.pb" 2>&1 | cut -d, -f 1,3
    ptk info --binary-path "$TMP_DIR/by-id" "$TMP_DIR/profile.pb" | grep ^binary
done | sed "s|$TMP_DIR|DIR|g"
