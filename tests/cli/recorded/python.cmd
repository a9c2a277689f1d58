# five programs as their users look at them: what they cost, and the way down to it
for program in chat calc store words etl; do
    ptk hotspots --paths short -n 4 testdata/recorded/$program.pstats
done
ptk tree --paths short --min-percent 10 testdata/recorded/calc.pstats
ptk tree --paths name --min-percent 20 testdata/recorded/chat.pstats
ptk advise -f csv testdata/recorded/chat.pstats | cut -d, -f 1-2
