# the profile module names the program that it ran by its code object, of whatever Python
for version in 27 37 38 313; do
    ptk hotspots -n 0 -s name "testdata/pstats/profile_code_py$version.pstats" | grep -E 'profile:|go\)'
done
