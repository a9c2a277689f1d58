{ printf '\357\273\277'; cat testdata/folded/small.folded; } | ptk hotspots -q -n 2
