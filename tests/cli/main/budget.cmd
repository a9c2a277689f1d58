# rows that come last are left out, then lines, and the begin of the first line stays; what cannot be cut is refused in words
ptk hotspots --budget 200 testdata/pstats/mix_py311.pstats
ptk hotspots --budget 10 testdata/pstats/mix_py311.pstats
ptk hotspots --budget 60 -f csv testdata/pstats/mix_py311.pstats
ptk hotspots --budget 20 -f json testdata/pstats/mix_py311.pstats
ptk overlap --budget 500 -f svg testdata/chrome/overlap.json
ptk flame --budget 500 testdata/pstats/mix_py311.pstats
