ptk tree --paths short --min-percent 4 --focus shortest testdata/recorded/route.callgrind
ptk hotspots --ignore shortest -n 3 testdata/recorded/route.callgrind
