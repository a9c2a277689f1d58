# a call graph less another: calls and time of each edge
ptk dot --diff --nodes 3 testdata/pstats/mix_py27.pstats testdata/pstats/mix_py311.pstats | grep -- '\[label="'
