ptk report -n 2 --title '<script>alert(1)</script>' testdata/pstats/mix_py311.pstats testdata/pstats/fractal.pstats |
    tr '\n' ' ' | grep -oE '<title>.lt;script[^<]*</title>|<p class="lead">[^<]*|<section id="changes">.*<section id="advice">' |
    sed 's/<figure>.*<\/figure>//; s/<tr>/\n&/g; s/<p>/\n&/g'
# The head names both, a folder's files by the folder.
ptk report testdata/pstats/mix_py27.pstats testdata/pstats/mix_py311.pstats | grep -oE '<h1>[^<]*'
ptk report -q testdata/chrome/job | grep -oE '<h1>[^<]*'
ptk report testdata/pstats/fractal.pstats testdata/pstats/fractal.pstats testdata/pstats/fractal.pstats
ptk report testdata/pstats/no-such-file
ptk report --gpu none-such testdata/chrome/roofline.json
