# What two demanglers write in other ways is one function: nothing is added or removed.
printf '%s\n' 'main;sort<unsigned int>(unsigned int*, std::vector<int, std::allocator<int> > const&) 30' \
    'main;(anonymous namespace)::load[abi:cxx11](char const*) 20' 'main;shop::price::h0123456789abcdef 10' \
    'main;store.constprop.0 5' >"$TMP_DIR/before"
printf '%s\n' 'main;void sort<unsigned>(unsigned *, const std::vector<int, std::allocator<int>> &) 40' \
    'main;<unnamed>::load(const char *) 20' 'main;shop::price::hfedcba9876543210 10' 'main;store 5' >"$TMP_DIR/after"
ptk diff "$TMP_DIR/before" "$TMP_DIR/after"
