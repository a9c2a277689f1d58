# Two groups are named "1": ranks 0 and 2, and 1 and 3, of which only the head tells the ranks.
ptk overlap testdata/chrome/ranks/groups-*.json | sed -n '/^Collectives$/,$p'
# Without the ranks the name must do.
for rank in 0 1 2 3; do
    sed 's/"pg_config"/"other"/; s/"Process Group Ranks"/"other"/' testdata/chrome/ranks/groups-$rank.json >"$TMP_DIR/rank-$rank.json"
done
ptk overlap "$TMP_DIR"/rank-*.json | sed -n '/^Collectives$/,/^$/p'
# What has been through ptk still tells.
for rank in 0 1 2 3; do
    ptk convert --to chrome -o "$TMP_DIR/rank-$rank.json" testdata/chrome/ranks/groups-$rank.json
done
ptk overlap "$TMP_DIR"/rank-*.json | sed -n '/^Collectives$/,/^$/p'
