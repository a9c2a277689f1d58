ptk brief -f json --budget 200 testdata/pprof/go_service.pb.gz
