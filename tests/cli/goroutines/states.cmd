ptk hotspots -n 4 testdata/goroutines/server.txt
ptk traces testdata/goroutines/server.txt
ptk hotspots --by label:state testdata/goroutines/server.txt
ptk lines --show "main.func[23]" testdata/goroutines/server.txt
