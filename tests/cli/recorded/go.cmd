ptk hotspots -n 5 testdata/recorded/logs.pb.gz
ptk hotspots --by package -n 5 testdata/recorded/logs.pb.gz
ptk tree --focus 'main\.parse' --min-percent 10 testdata/recorded/logs.pb.gz
