# time in which nothing was to be done is no hot function, and no change makes it less
ptk amdahl testdata/cpuprofile/with_idle.cpuprofile
ptk advise testdata/cpuprofile/with_idle.cpuprofile
ptk hotspots --by package testdata/recorded/feed.cpuprofile
