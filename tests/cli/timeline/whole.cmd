python3 tests/check_timeline.py "$PTK" testdata/chrome/*.json |
    sed 's/: \([1-9][0-9]*\) of \1 right$/: all right/'
