# a module stands after what it imported; what Python printed as cumulative comes out: asyncio 127355 us
ptk tree --min-percent 10 -d 3 testdata/importtime/svc.txt
ptk info testdata/importtime/svc.txt
ptk callees -n 3 '^asyncio$' testdata/importtime/svc.txt
ptk hotspots --by package -n 3 -f csv testdata/importtime/svc.txt
