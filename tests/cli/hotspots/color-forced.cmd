# CLICOLOR_FORCE colours what goes to no terminal; NO_COLOR and --color are stronger.
NO_COLOR= CLICOLOR_FORCE=1 ptk hotspots -n 1 testdata/folded/small.folded | head -5
NO_COLOR= CLICOLOR_FORCE=0 ptk hotspots -n 1 testdata/folded/small.folded | tail -1
NO_COLOR=1 CLICOLOR_FORCE=1 ptk hotspots -n 1 testdata/folded/small.folded | tail -1
NO_COLOR= CLICOLOR_FORCE=1 ptk hotspots --color never -n 1 testdata/folded/small.folded | tail -1
