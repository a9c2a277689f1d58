for file in testdata/sqlite/malformed/*; do ptk hotspots "$file"; echo "exit $?"; done 2>&1 | sed "s/damaged database: .*/damaged database: (SQLite's words)/"
