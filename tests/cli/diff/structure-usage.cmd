ptk diff --by structure --focus a testdata/structural/gone.b.json.gz testdata/structural/gone.a.json.gz
