# positions as numbers and relative to the line before, with and without an address
ptk lines -n 0 testdata/callgrind/small.callgrind
printf 'positions: instr line\nevents: Ir\nfl=a.c\nfn=main\n0x10 5 20\n+3 +2 7\n+3 * 1\nfi=b.h\n+8 90 4\nfe=a.c\ncfn=f\ncalls=2 0x90 30\n+1 -82 600\nfn=f\n0x90 30 600\n' >"$TMP_DIR/c.out"
ptk list main "$TMP_DIR/c.out"
ptk hotspots --by line "$TMP_DIR/c.out"
# what code costs that was inlined from other files: cachegrind lists it by file
printf 'events: Ir\nfl=a.c\nfn=main\n5 20\nfl=b.h\nfn=main\n9 80\nfn=(below main)\n1 10\n' >"$TMP_DIR/cg.out"
ptk hotspots "$TMP_DIR/cg.out"
ptk hotspots "$TMP_DIR/cg.out" -f csv | cut -d, -f 1-3
