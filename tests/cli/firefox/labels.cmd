ptk labels testdata/firefox/processed-66.json
ptk hotspots --by tagroot:thread -n 2 testdata/firefox/processed-66.json
ptk hotspots --focus-label category=JavaScript -n 2 testdata/firefox/processed-66.json
