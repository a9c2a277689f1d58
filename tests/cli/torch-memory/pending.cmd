ptk info testdata/torch-memory/expandable_pending.pickle | grep 'await\|reserved\|cached'; ptk advise testdata/torch-memory/expandable_pending.pickle
