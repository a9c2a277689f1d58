ptk hotspots testdata/perfetto/chrome.pftrace
