# Without a build id, names come from a file at the recorded path only where its code would be mapped
# as the profile has it, and then every command says that they are on trust.
heap() { # START-END, OFFSET of the code as it was mapped
    cat <<END
heap profile: 2: 96 [ 2: 96] @ heapprofile
1: 32 [ 1: 32] @ 0x401101
1: 64 [ 1: 64] @ 0x401501

MAPPED_LIBRARIES:
00400000-00401000 r--p 00000000 08:01 7 /opt/made/worker
$1 r-xp $2 08:01 7 /opt/made/worker
END
}
mkdir "$TMP_DIR/trusted"
tests/make_elf.py "$TMP_DIR/trusted/worker" parse=1000,400 solve=1400,600
while read -r range offset what; do
    echo "== $what"
    heap "$range" "$offset" >"$TMP_DIR/heap"
    ptk hotspots -f csv --binary-path "$TMP_DIR/trusted" "$TMP_DIR/heap" 2>&1 | cut -d, -f 1,3
    ptk info --binary-path "$TMP_DIR/trusted" "$TMP_DIR/heap" 2>/dev/null | grep ^binary
done <<'END' | sed "s|$TMP_DIR|DIR|g"
00401000-00403000 00001000 the file that ran
00400000-00403000 00000000 the same, with its two pieces joined
00401000-00404000 00001000 one with more code
00401000-00402000 00001000 one with less
00401000-00403000 00002000 one with its code elsewhere
END
for command in tree 'tree --bottom-up' 'callers parse' dot flame 'convert --to folded' lines; do
    heap 00401000-00403000 00001000 | ptk $command --binary-path "$TMP_DIR/trusted" - 2>&1 >/dev/null |
        grep -o 'names on trust' || echo "ptk $command says nothing"
done
