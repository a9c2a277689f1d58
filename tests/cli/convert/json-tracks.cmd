for file in tensorflow1 jax node; do
    ptk convert --to json testdata/chrome/$file.json | grep -o '{"kind":"[a-z]*","name":"[^"]*"' | sort -u
done
