ptk dot --colormap print --color-by-self -N 10 testdata/pstats/recursion_py311.pstats
