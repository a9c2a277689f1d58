ptk serve testdata/serving/no-labels.json.gz
