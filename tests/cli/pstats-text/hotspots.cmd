ptk hotspots -n 6 testdata/pstats-text/svc.txt
ptk hotspots -n 2 --sort cumtime -f csv testdata/pstats-text/svc.txt
ptk info testdata/pstats-text/svc.txt
ptk callers . testdata/pstats-text/svc.txt || echo "status $?"
