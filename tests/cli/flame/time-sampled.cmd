# samples with times, and functions that open and close: two threads, the second after the first
for file in evented py-spy; do
    ptk flame --order time --min-percent 0 testdata/speedscope/$file.speedscope.json | sed 's/>/&\n/g' |
        sed -n 's/.*data-name="\([^"]*\)" data-at="\([0-9]*\)" data-total="\([0-9]*\)" data-self="\([0-9]*\)" data-level="\([0-9]*\)".*/\5 at \2: \3, self \4 \1/p'
done
