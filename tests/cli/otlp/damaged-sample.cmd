# Times are found, and what follows them in their sample is damaged: nothing was begun that could be ended.
ptk timeline tests/fuzz/seeds/otlp/time_then_damage
