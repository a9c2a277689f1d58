# Kineto, Nsight Systems and Paddle; pprof and folded: one answer a pass
python3 tests/check_producers.py "$PTK"
