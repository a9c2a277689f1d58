ptk bound -f json testdata/time/shell.txt
