# A step begins on another stream before the one before it has ended.
ptk serve testdata/serving/overlapping-steps.json
