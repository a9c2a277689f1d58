# a session and what the JSON renderer writes: the same program, [self] is its caller's
ptk info testdata/pyinstrument/session.pyisession
ptk hotspots testdata/pyinstrument/session.pyisession
ptk tree testdata/pyinstrument/rendered.json
