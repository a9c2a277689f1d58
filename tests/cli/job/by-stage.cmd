"$PTK" job --by stage -f csv testdata/chrome/job
