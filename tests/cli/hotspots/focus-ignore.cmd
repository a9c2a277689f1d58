ptk hotspots --focus '^jsonwork$' --ignore scanner -n 6 testdata/pstats/mix_py311.pstats
