# Binaries that say more than they hold, that hold bytes which are no instructions, or are others than
# the one that ran. The caller's address is the call's, one less than it returns to.
cat >"$TMP_DIR/heap" <<END
heap profile: 2: 96 [ 2: 96] @ heapprofile
1: 32 [ 1: 32] @ 0x401505 0x401109
1: 64 [ 1: 64] @ 0x401502 0x401109

MAPPED_LIBRARIES:
00401000-00403000 r-xp 00001000 08:01 7 /opt/made/worker
END
mkdir "$TMP_DIR/disasm"
show() {
    echo "== $1"
    ptk disasm -q solve --binary-path "$TMP_DIR/disasm" "$TMP_DIR/heap" 2>&1 | sed -n 's/ *$//; 1,10p; $p'
    echo "$(ptk disasm -q solve -f csv --binary-path "$TMP_DIR/disasm" "$TMP_DIR/heap" 2>/dev/null | wc -l) lines"
}
worker=$TMP_DIR/disasm/worker parse=parse=1100,b,554889e5e8f70300005dc3 solve=48ffc006ebfac3
{
    tests/make_elf.py "$worker" $parse solve=1500,7,$solve
    show 'as it should be'
    tests/make_elf.py "$worker" $parse solve=1500,ffffffffff,$solve
    show 'a function beyond the end of the code'
    head -c 5378 "$worker" >"$worker.cut" && mv "$worker.cut" "$worker"
    show 'a file that is cut short'
    tests/make_elf.py "$worker" $parse solve=1500,0,$solve
    show 'a function without a size'
    tests/make_elf.py "$worker" --code 1000,3800 $parse solve=1500,7,$solve
    show 'another binary'
} | sed "s|$TMP_DIR|DIR|g"
