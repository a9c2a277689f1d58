# folders as far as they tell functions apart
for how in full short name; do
    ptk hotspots -n 4 --paths $how testdata/pstats/mix_py311.pstats | sed '1,2d' | awk '{ print $NF }'
done
