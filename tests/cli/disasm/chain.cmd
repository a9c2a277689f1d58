ptk disasm chain --binary-path testdata/disasm testdata/disasm/collatz.prof
