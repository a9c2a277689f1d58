# Paddle 1: nanoseconds since 1970, and processes that say what is in them.
ptk info testdata/chrome/fluid.json
ptk hotspots --value device -f csv testdata/chrome/fluid.json
