ptk hotspots -f csv testdata/nvprof/nsys_ten_thousands.txt
