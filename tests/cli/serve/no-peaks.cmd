# Of a GPU that no table has, no bound is told, but how to write its peaks down.
zcat testdata/serving/vllm-detail.json.gz | sed 's/NVIDIA H100[^"]*/Acme 9000/; s/"numSms":132/"numSms":77/' | ptk serve - | grep 'peaks of'
