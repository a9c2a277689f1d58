# The times of samples, where they have some.
ptk hotspots -q --by thread testdata/otlp/times.otlp
ptk hotspots -q --by thread testdata/otlp/services.otlp
