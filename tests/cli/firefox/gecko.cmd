ptk info testdata/firefox/gecko-34.json; ptk hotspots --value cpu testdata/firefox/gecko-34.json
