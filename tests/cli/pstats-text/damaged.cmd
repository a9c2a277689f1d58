head -6 testdata/pstats-text/svc.txt >$TMP_DIR/head
(echo noise; cat $TMP_DIR/head; echo '  2/1  0.001  0.000  0.002  0.000 a b.py:3(f)'; echo '  x  0.001 0 0 0 f'; echo '  1  0.001'; echo; echo '  9  9.0 9.0 9.0 9.0 after') | ptk hotspots -
(cat $TMP_DIR/head; echo '  1  0.001  0.000  0.000  0.000 C:\x.py:3(<lambda>)'; echo; cat $TMP_DIR/head; echo ' 1 1 1 1 1 second') | ptk hotspots -f csv -
ptk hotspots - <$TMP_DIR/head || echo "status $?"
