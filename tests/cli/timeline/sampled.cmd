# of a program in JavaScript, with and without its idle time
ptk hotspots --begin 0ms --end 1s -n 4 testdata/recorded/feed.cpuprofile
ptk hotspots --begin 3ms --end 6ms testdata/speedscope/evented.speedscope.json
ptk timeline testdata/recorded/feed.cpuprofile | grep -c '(idle)'
ptk timeline testdata/speedscope/py-spy.speedscope.json | xmllint --noout - && echo accepted
ptk convert --to chrome testdata/speedscope/evented.speedscope.json | ptk hotspots -
