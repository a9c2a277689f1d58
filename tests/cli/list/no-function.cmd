ptk list
