printf "hello\nreal work\n\nreal\t1m2.50s\nuser\t0m1.00s\nsys\t0m0.25s\n" | ptk bound
