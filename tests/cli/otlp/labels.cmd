ptk labels testdata/otlp/services.otlp
