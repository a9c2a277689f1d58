ptk hotspots --value time -n 4 testdata/chrome/hostile_unescaped_quote_in_kernel_name.json
