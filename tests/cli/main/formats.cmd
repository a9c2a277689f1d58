ptk formats -f csv
