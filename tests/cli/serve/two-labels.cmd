# Each step has two labels, one in the other: they are one step, and the one with sums tells the figures.
ptk serve testdata/serving/sglang-double.json.gz
