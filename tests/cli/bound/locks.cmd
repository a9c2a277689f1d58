# Four goroutines that take one mutex for each step compute no more than one would, and bound and advise say why.
ptk bound testdata/pprof/go_mutex.pb.gz
ptk advise testdata/pprof/go_mutex.pb.gz | sed -n 1p
