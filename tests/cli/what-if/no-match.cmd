ptk what-if --remove nothing_like_it testdata/chrome/overlap.json
