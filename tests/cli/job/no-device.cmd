"$PTK" job testdata/pstats/fractal.pstats
"$PTK" job testdata/cpuprofile/*.cpuprofile
