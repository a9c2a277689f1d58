ptk summary -t copies - <<'EOF'
{"schemaVersion": 1, "traceEvents": [
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoD (Device -> Device)","pid":0,"tid":7,"ts":0,"dur":10,"args":{"device":0,"stream":7,"bytes":40000}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoD (Device -> Device)","pid":0,"tid":7,"ts":20,"dur":30,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"gpu_memset","name":"Memset (Device)","pid":0,"tid":7,"ts":60,"dur":5,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"work","pid":0,"tid":7,"ts":70,"dur":5,"args":{"device":0,"stream":7}}]}
EOF
