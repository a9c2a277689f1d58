"$PTK" job --layout 4,2 testdata/chrome/job; "$PTK" job --step x testdata/chrome/job
