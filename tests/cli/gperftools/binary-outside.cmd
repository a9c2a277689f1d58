# a profile may name any file: a binary is opened where the user works or says so, and the system's
mkdir -p "$TMP_DIR/outside" "$TMP_DIR/work"
cp "$PTK" "$TMP_DIR/outside/program"
for program in /work/program /outside/program; do
    cat >"$TMP_DIR/work/heap" <<END
heap profile: 1: 32 [ 1: 32] @ heapprofile
1: 32 [ 1: 32] @ 0x400100

MAPPED_LIBRARIES:
00400000-00401000 r-xp 00000000 08:01 7 $TMP_DIR$program
END
    (cd "$TMP_DIR/work" && ptk info heap) | grep binary
done | sed "s|$TMP_DIR|DIR|g"
