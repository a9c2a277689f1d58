# Once the first finding is mended, the data loader decides, which is waited for once in the recording; then the device computes.
ptk advise -q testdata/chrome/hidden_producer.json.gz | grep 'largest part'
ptk advise -f json testdata/chrome/hidden_producer.json.gz | sed -n '/"then"/,$p'
ptk brief -q testdata/chrome/hidden_producer.json.gz | grep -E '^   (without that|then)'
