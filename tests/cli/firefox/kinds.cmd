# every way to name a frame, of both forms; weights of two kinds; a thread in a text, a child's process
for file in gecko processed; do
    ptk hotspots -f csv tests/fuzz/seeds/firefox/$file
    ptk tree tests/fuzz/seeds/firefox/$file
    ptk lines tests/fuzz/seeds/firefox/$file
done
ptk hotspots --value tracing-ms tests/fuzz/seeds/firefox/processed
