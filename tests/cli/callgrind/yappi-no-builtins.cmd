# yappi leaves built-in functions out, and lists all functions before it says what they cost
ptk hotspots -n 4 testdata/callgrind/yappi_no_builtins.callgrind
ptk hotspots -n 0 -f csv testdata/callgrind/yappi_no_builtins.callgrind | grep -c python
ptk advise --all -f csv testdata/callgrind/yappi_no_builtins.callgrind | grep label-collisions
