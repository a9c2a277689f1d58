# whatever is left out, no time falls by more than that, and none is lost
python3 tests/check_selection.py "$PTK" testdata/pstats/*.pstats testdata/recorded/*.pstats
