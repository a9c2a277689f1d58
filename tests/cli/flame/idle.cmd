ptk flame --value idle testdata/chrome/overlap.json | grep -o '[^>]* of idle[^<]*'
ptk flame testdata/chrome/overlap.json | grep -o '[^>]* of device[^<]*'
ptk flame --order time --value idle testdata/chrome/overlap.json
