ptk info testdata/speedscope/py-spy.speedscope.json; ptk hotspots testdata/speedscope/py-spy.speedscope.json
