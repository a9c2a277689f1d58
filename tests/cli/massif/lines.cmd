ptk lines testdata/massif/app.massif
