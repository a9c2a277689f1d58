ptk hotspots testdata/otlp/services.otlp
