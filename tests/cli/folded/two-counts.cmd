printf 'a;b 1 2\nc;d 3 4\n' | ptk hotspots -
