ptk tree testdata/torch-memory/leak_between_steps.pickle; ptk lines testdata/torch-memory/leak_between_steps.pickle | head -12
