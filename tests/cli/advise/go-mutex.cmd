ptk advise testdata/recorded/gate_mutex.pb.gz
