ptk overlap testdata/chrome/ascend.json
