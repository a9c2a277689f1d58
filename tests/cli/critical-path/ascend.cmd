ptk critical-path testdata/chrome/ascend.json
