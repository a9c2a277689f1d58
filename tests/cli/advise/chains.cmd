# A cause whose evidence shows a threshold.
ptk advise testdata/chrome/unfused.json
