# Without levels of recursion a cycle's own cost bounds that of its functions.
printf 'events: Ir\nfn=main\n1 5\ncfn=a\ncalls=1 1\n1 30\nfn=a\n1 10\ncfn=b\ncalls=3 1\n1 50\nfn=b\n1 20\ncfn=a\ncalls=2 1\n1 40\n' >$TMP_DIR/cycle
ptk hotspots $TMP_DIR/cycle && ptk callees b $TMP_DIR/cycle && ptk info $TMP_DIR/cycle | tail -3
