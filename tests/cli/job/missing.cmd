"$PTK" job -n 2 testdata/chrome/job/rank00[013]*
