"$PTK" job -f json testdata/chrome/job
