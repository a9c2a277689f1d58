printf 'events: Ir Dr\n1 5\nfn=(7)\n1 99999999999999999999 -3\n1 5 6 7\n0x 4\ncalls=2 1\n1 4\ncfn=(3) f\ncalls=x\nnonsense\n* 4\nfl=\ncfn=\ntotals: 3\n' | ptk hotspots -
