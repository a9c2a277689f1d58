# what the program wrote stands between, and before a line that it had not ended
printf 'hello\nimport time: self [us] | cumulative | imported package\nimport time:  5 |  5 |     c\nmore.import time:  2 |  7 |   b\nbye\nimport time:  1 |  8 | a\nimport time:  1 |  1 |       deep\n' | ptk tree -
printf 'import time: self [us] | cumulative | imported package\nimport time: x | 5 | c\nimport time: 99999999999999999999 | 5 | c\nimport time: 5 | 5 | c\n' | ptk hotspots -
printf 'import time: self [us] | cumulative | imported package\n' | ptk hotspots - || echo "status $?"
