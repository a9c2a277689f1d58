ptk summary -t steps -t gpu -t kernel-shapes -t operator-shapes -t launches -t queues -t copies -t memory-peaks testdata/chrome/paddle_case.json
