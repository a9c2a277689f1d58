ptk convert --to speedscope testdata/folded/small.folded
