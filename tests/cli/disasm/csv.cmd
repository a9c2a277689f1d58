ptk disasm -q longest --syntax intel -f csv --binary-path testdata/disasm testdata/disasm/collatz.prof
