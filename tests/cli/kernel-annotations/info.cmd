ptk info tests/fuzz/seeds/kernel-annotations/two.json
