# what has not changed has no difference, functions that call one another in a cycle neither
ptk dot --diff testdata/pstats/recursion_py311.pstats testdata/pstats/recursion_py311.pstats | grep -c 'label="[a-e]\\n' || true
