# Graphs hold more requests than there are: padding, and a line over the padded batch. Dummy steps count in no period.
ptk serve testdata/serving/atom-native.json.gz
