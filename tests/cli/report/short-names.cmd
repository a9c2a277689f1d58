# a page's tables show names without the folders of Python's own, and the whole one where the pointer rests
ptk report -q testdata/recorded/etl.pstats | grep -o '<td class="name" title="[^"]*">[^<]*' | sed 's/title="[^"]*lib/title="...lib/' | head -3
