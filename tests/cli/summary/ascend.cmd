ptk summary -t kernel -t launches testdata/chrome/ascend.json
