ptk flame --step 2 --value time testdata/chrome/overlap.json | grep -o '[^>]* of time[^<]*'
ptk flame --begin 0us --end 1ms --value time testdata/chrome/overlap.json | grep -o '[^>]* of time[^<]*'
ptk summary --step 2 -t steps testdata/chrome/overlap.json
