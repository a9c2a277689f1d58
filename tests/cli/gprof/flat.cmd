ptk hotspots testdata/gprof/flat.txt
# A function that was not compiled with -pg has samples and no calls.
{ cat testdata/gprof/flat.txt; echo '  0.00      0.39     0.00                             std::less<int>::operator()(int const&, int const&) const'; } |
    ptk hotspots -
ptk callers work testdata/gprof/flat.txt || echo "status $?"
