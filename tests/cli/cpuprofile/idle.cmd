# time in which nothing was to be done is no hot function, and no change makes it less
ptk amdahl testdata/cpuprofile/with_idle.cpuprofile
ptk advise testdata/cpuprofile/with_idle.cpuprofile
ptk hotspots --by package testdata/recorded/feed.cpuprofile
ptk hotspots --mine -n 3 testdata/recorded/feed.cpuprofile
ptk hotspots --no-imports --focus feed.js -n 2 testdata/recorded/feed.cpuprofile
ptk amdahl --mine -n 3 testdata/recorded/feed.cpuprofile
ptk traces -n 1 testdata/recorded/feed.cpuprofile
ptk dot testdata/recorded/feed.cpuprofile | grep -e idle -e 'label="page'
