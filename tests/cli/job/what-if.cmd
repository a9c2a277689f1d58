# What if: typical lengths, or so many times faster; several at once; and what is not there.
cd testdata/chrome/job
ptk job -n 1 --what-if 'rank 1=mean' --what-if 'host 1=inf' . | head -9
ptk job -f csv --what-if 'rank 1=1.5' --what-if 'link 0-2=2' --what-if 'stage 1=min' \
    --what-if 'type optimizer=median' --what-if 'dp 1=0.5' .
ptk job -f json --step 1 --what-if 'rank 1=1.5' . | grep -A 2 what_if
gzip -dc rank000* | sed '/"cuda_sync"/d' >"$TMP_DIR/rank0.json"
ptk job --what-if 'type backward-compute=2' "$TMP_DIR/rank0.json" rank00[123]* | head -1
for wrong in 'rank 9=2' 'rank 1' 'rank 1-2=2' 'rank 1=0' 'host x=2' 'type nothing=2' 'group 1=2'; do
    ptk job --what-if "$wrong" . || echo "status $?"
done
