ptk hotspots testdata/paddle-stat/passes.log; ptk info testdata/paddle-stat/passes.log
