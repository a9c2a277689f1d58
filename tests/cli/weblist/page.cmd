# A line opens to its instructions, those that were inlined there too; the text is there when it may be read.
ptk weblist -q chain --binary-path testdata/disasm --source-path testdata/disasm testdata/disasm/collatz.prof |
    sed -n '/<h3/,/<\/section/p' | sed 's/.*<h3/<h3/; s/<thead>.*<tbody>/\n/; s/<tr>/\n&/g'
echo
ptk weblist -q chain --no-source --binary-path testdata/disasm testdata/disasm/collatz.prof | grep -o '<summary>.*' | head -n 1
