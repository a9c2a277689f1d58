# What ptk writes for speedscope it reads again with the same figures, value by value.
back=$TMP_DIR/back.json
same() { # file, value
    ptk convert --to speedscope "$1" -o $back || return
    for file in "$1" $back; do
        ptk hotspots -n 0 -s name --value "$2" --format csv $file | cut -d, -f1-3,8,9 | sort >$file.$2.rows
    done
}
cp testdata/pprof/go_heap.pb.gz testdata/cpuprofile/small.cpuprofile testdata/folded/small.folded $TMP_DIR
for of in go_heap.pb.gz:inuse_space go_heap.pb.gz:alloc_objects small.cpuprofile:time small.cpuprofile:samples; do
    file=$TMP_DIR/${of%:*} value=${of#*:}
    same $file $value && cmp $file.$value.rows $back.$value.rows && echo "$of: $(wc -l <$back.$value.rows) functions"
done
