# callgrind with templates, and gperftools without the program
ptk hotspots --paths short -n 10 testdata/recorded/route.callgrind
ptk tree --paths short --min-percent 5 testdata/recorded/route.callgrind
ptk callers 'std::_Rb_tree<...>::find(std::string const&)' testdata/recorded/route.callgrind | cut -c 1-60
ptk list 'town::Map::name' testdata/recorded/route.callgrind 2>/dev/null | head -n 3
ptk hotspots --no-symbols -n 3 testdata/recorded/image.prof
