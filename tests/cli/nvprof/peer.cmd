ptk overlap testdata/nvprof/trace_peer.csv
