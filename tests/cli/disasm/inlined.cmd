# A function without code of its own is shown in those that it was inlined into, the costliest first.
ptk disasm -q next -f csv --binary-path testdata/disasm testdata/disasm/collatz.prof |
    awk -F, '$(NF - 2) == "next" { print $1, $5, $8, $NF }'
ptk disasm -q . -n 1 --binary-path testdata/disasm testdata/disasm/collatz.prof | grep -e flat -e more
