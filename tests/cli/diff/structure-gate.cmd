ptk diff --by structure --fail-function-above 5% testdata/structural/gone.b.json.gz testdata/structural/gone.a.json.gz >/dev/null
