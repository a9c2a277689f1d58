ptk brief testdata/chrome/job
