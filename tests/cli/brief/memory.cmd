ptk brief testdata/torch-memory/leak_between_steps.pickle
