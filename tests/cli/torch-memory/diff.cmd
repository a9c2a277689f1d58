# Two snapshots: who holds more.
ptk diff --value end testdata/torch-memory/expandable_pending.pickle testdata/torch-memory/leak_between_steps.pickle
