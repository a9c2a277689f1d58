ptk
