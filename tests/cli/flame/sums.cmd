python3 tests/check_flame.py "$PTK" testdata/pstats/*.pstats testdata/pprof/*.pb testdata/pprof/*.gz testdata/chrome/*.json testdata/folded/* |
    sed 's/: \([1-9][0-9]*\) of \1 right$/: all right/'
