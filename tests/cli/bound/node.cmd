ptk bound testdata/recorded/feed.cpuprofile
ptk bound testdata/recorded/life.cpuprofile
