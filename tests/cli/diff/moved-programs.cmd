python3 tests/check_moved.py "$PTK"
