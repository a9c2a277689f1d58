printf "real 3.00\nuser 2.90\nsys 0.05\n" | ptk hotspots
