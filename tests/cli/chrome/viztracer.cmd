# Where a function is stands in its name, before it or behind it.
ptk info testdata/chrome/viztracer.json
ptk hotspots -f csv testdata/chrome/viztracer.json
