# a server that waits, and a program that does not
ptk hotspots -n 5 testdata/recorded/feed.cpuprofile
ptk hotspots -n 5 testdata/recorded/life.cpuprofile
ptk lines -n 2 testdata/recorded/life.cpuprofile
ptk flame testdata/recorded/feed.cpuprofile | grep -c '(idle)'
