# A link over hosts is slow for the group of data and for that of all ranks, which has no other to be compared with:
# without it both are quick, and a step takes the 70.98 ms that the simulation takes.
ptk job -q testdata/chrome/jobs/slow-across | head -1
