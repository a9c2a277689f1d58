# Samples by the wall clock, of which none waits: py-spy leaves out what does.
ptk bound testdata/speedscope/py-spy.speedscope.json
