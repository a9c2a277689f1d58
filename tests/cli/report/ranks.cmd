for files in 'rank-0.json rank-1.json' 'rank-0.json rank-0.json' 'rank-2.json rank-1.json rank-0.json'; do
    (cd testdata/chrome/ranks && ptk report $files) |
        tr '\n' ' ' | grep -oE '<section id="(changes|ranks)"|<caption>[^<]*(ranks|Ranks|ollective)[^<]*'
done
# What is about one rank of several says which.
ptk report -q testdata/chrome/job | grep -oE 'class="gain">[^<]*|<h2>[^<]*</h2><p>This is about rank[^<]*'
