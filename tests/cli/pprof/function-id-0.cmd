# Converters of .NET count functions from 0; without such a function, a line of function 0 has none.
for file in function_id_0 no_function_id; do
    ptk tree testdata/pprof/$file.pb
done
