ptk bound testdata/recorded/gate_mutex.pb.gz
