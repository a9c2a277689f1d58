ptk summary -q testdata/chrome/hostile_unescaped_quote_in_kernel_name.json | head -60
