# each event by itself, one track after the other; then neighbours in common boxes
for least in 0 20; do
    ptk flame --order time --min-percent $least testdata/chrome/overlap.json | sed 's/>/&\n/g' |
        sed -n 's/.*data-name="\([^"]*\)" data-at="\([0-9]*\)" data-total="\([0-9]*\)" data-self="\([0-9]*\)" data-level="\([0-9]*\)".*/\5 at \2: \3, self \4 \1/p'
done | cut -c 1-90
