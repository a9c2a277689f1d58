# CPU time (tdur, tts): what is not known, clocks that differ, a call that is cut, and who has none
ptk hotspots --value cpu testdata/chrome/cpu_time.json
ptk tree --value cpu testdata/chrome/cpu_time.json
ptk hotspots --value cpu --end 150us -f csv testdata/chrome/cpu_time.json
ptk hotspots --value cpu --by track testdata/chrome/node.json
ptk info testdata/chrome/cpu_time.json | grep -A5 '^value'
ptk flame --order time --value cpu testdata/chrome/cpu_time.json
ptk hotspots --value cpu testdata/chrome/jax.json
