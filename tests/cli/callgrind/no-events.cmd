printf 'version: 1\nfn=f\n1 5\n' | ptk hotspots --from callgrind -
