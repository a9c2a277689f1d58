ptk summary --paddle-compat --thread-sep --no-detail --sort GPUAvg -u us -t operator -t user-defined testdata/chrome/paddle_case.json
