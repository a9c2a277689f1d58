# The process is no number, but says which device it is.
ptk info testdata/chrome/nsys2json.json
ptk hotspots --value device -f csv testdata/chrome/nsys2json.json
