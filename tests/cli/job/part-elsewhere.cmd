ptk map testdata/chrome/job/rank000* | ptk info
