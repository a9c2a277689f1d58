"$PTK" job
