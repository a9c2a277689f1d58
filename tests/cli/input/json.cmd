# JSON of a form that no reader knows: its outermost keys are named, and those that are known
printf '{"a": 1, "spam": [{"no": 2}], "eggs": {"x": "y\\": z"}, "cut' | ptk info -
printf '\357\273\277 [{"q": {"no": 1}, "r": "s"}, {"no": 2}]' | ptk info -
printf '{"\033[31mred": 1}' | ptk info -
printf '[1, 2, "x"]' | ptk info -
printf '{"cut' | ptk info -
