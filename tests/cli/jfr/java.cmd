# packages, the program's own functions, and lines, whose files are named after their classes
ptk hotspots --by package --value file_read_time testdata/jfr/bytes.jfr.gz
ptk hotspots --mine --value file_read_time testdata/jfr/bytes.jfr.gz
ptk lines --value file_reads -n 2 --source-path testdata/jfr testdata/jfr/bytes.jfr.gz
