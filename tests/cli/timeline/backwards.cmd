ptk timeline --begin 5ms --end 1ms testdata/chrome/overlap.json
