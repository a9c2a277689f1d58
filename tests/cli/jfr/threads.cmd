# The samples of a recording have times and threads.
ptk hotspots -q --by thread testdata/jfr/packed.jfr
ptk hotspots -q -n 2 --begin 50ms --end 100ms testdata/jfr/packed.jfr
