ptk tree testdata/speedscope/evented.speedscope.json; ptk info testdata/speedscope/evented.speedscope.json
