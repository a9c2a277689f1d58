# What grew in every step: where it was allocated, and what advice follows.
ptk hotspots --by line --value leak testdata/torch-memory/leak_between_steps.pickle; ptk advise testdata/torch-memory/leak_between_steps.pickle
