# cut, members in another order, a node that is none, sizes that are none, and deep nesting
head -c 20000 testdata/heapprofile/tree.heapprofile | ptk hotspots -n 2 -
printf '%s' '{"head": {"children": [7, {"children": [], "selfSize": 5, "callFrame": {"functionName": "late"}},
    {"selfSize": -3, "callFrame": {"functionName": "less"}}, {"selfSize": "x"}], "selfSize": 0}}' |
    ptk tree --min-percent 0 -
{
    printf '{"head": '
    i=0
    while [ $i -lt 2000 ]; do
        printf '{"callFrame": {"functionName": "f"}, "selfSize": 1, "children": ['
        i=$((i + 1))
    done
} | ptk hotspots -
printf '%s' '{"head": 1, "selfSize": 2}' | ptk hotspots -
