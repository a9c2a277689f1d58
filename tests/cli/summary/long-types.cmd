# types of other producers are longer than Paddle's, for which the table is made
ptk summary --table overview testdata/chrome/node.json | head -n 11
