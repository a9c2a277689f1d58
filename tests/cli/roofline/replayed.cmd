# graphs without a capture: as steps without a graph, for the tokens of the label, or at least one
ptk roofline -q testdata/serving/vllm-detail.json.gz | head -9
ptk roofline -q --by operator -f csv testdata/serving/atom-native.json.gz | cut -d, -f1-5,6-9,24 | head -4
ptk roofline -q testdata/serving/no-labels.json.gz | head -8
ptk roofline testdata/serving/no-labels.json.gz | tail -6
# what is known at least is known, whatever the precision
zcat testdata/serving/no-labels.json.gz | sed 's/"Input type"/"other"/g' | ptk roofline -q - | head -1
