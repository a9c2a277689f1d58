ptk lines testdata/dhat/list.dhat
