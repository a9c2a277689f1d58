ptk disasm chain testdata/disasm/collatz.prof
