# a child's times count from when it started itself: 5 ms after its parent
ptk convert --to chrome tests/fuzz/seeds/firefox/gecko | grep -o '"ph":"X".*'
ptk hotspots --begin 0.05s --end 0.06s -n 3 testdata/firefox/gecko-34.json
