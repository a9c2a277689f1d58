ptk convert --to folded testdata/lprof/nested.lprof
