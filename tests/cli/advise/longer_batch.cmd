# The last step takes four times as long because it has four times the kernels: that is no fault.
ptk advise --all testdata/chrome/longer_batch.json | grep uneven-steps
ptk advise -q testdata/chrome/longer_batch.json
