# Links that are slow for all ranks have no equals: they are held against what is given, or what is known of the device.
cp -r testdata/chrome/job "$TMP_DIR/job" && cd "$TMP_DIR" || exit
job() { ptk job "$@" job | grep -iE 'links |link that|is .* slower'; }
echo "between hosts, not known:" && job
echo "as fast as they should be:" && job --peak-link 45
echo "slow:" && job --peak-link 150
ptk job --peak-link 150 -f json job | grep -o '"kind":"slow-links".*"peak_bytes_per_second":[0-9e]*'
gunzip job/*.gz && sed -i 's/Synthetic GPU/NVIDIA A100-SXM4-80GB/' job/* && echo "within hosts, of a known device:" && job
