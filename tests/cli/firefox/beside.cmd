# markers and counters over time: instants, both ends, one end each; in columns and in rows
ptk convert --to chrome testdata/firefox/processed-66.json | grep '"ph":"[bei]".*"tid":1073741863,\|"ph":"C"'
ptk timeline testdata/firefox/processed-66.json | grep -o '>markers of [^<]*\|>malloc bytes\|at most [^<]*'
rows='{"meta":{"version":34,"interval":1,"startTime":1000,"sampleUnits":{"threadCPUDelta":"ns"}},"counters":[{"name":"processCPU","category":"CPU","samples":{"schema":{"time":0,"number":1,"count":2},"data":[[1,0,7],[3,0,1000000],[5,0,2000000]]}}],"threads":[{"name":"M","stringTable":["a","b"],"markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3},"data":[[0,1,null,2],[0,2,null,2],[0,null,4,3],[1,null,4,3],[1,null,null,1],[1,3,3.5,1]]}}]}'
echo "$rows" | ptk convert --from firefox --to chrome - | grep '"ph":"[beC]"'
echo "$rows" | ptk hotspots --from firefox -
