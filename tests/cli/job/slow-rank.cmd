"$PTK" job testdata/chrome/job
