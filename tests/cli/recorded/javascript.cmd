# a server that waits, and a program that does not
ptk hotspots -n 5 testdata/recorded/feed.cpuprofile
ptk hotspots -n 5 testdata/recorded/life.cpuprofile
ptk lines -n 2 testdata/recorded/life.cpuprofile | grep -v '^the source of' # depends on what /srv/app holds
ptk flame testdata/recorded/feed.cpuprofile | grep -c '(idle)'
