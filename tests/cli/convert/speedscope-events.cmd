ptk convert --to speedscope testdata/chrome/overlap.json | head -n 40
ptk convert --to speedscope testdata/chrome/overlap.json | python3 -c '
import json, sys
for profile in json.load(sys.stdin)["profiles"]:
    stack, now = [], profile["startValue"]
    for mark in profile["events"]:
        assert mark["at"] >= now
        now = mark["at"]
        if mark["type"] == "O": stack.append(mark["frame"])
        else: assert stack.pop() == mark["frame"]
    assert not stack and now == profile["endValue"]
    print(profile["name"], len(profile["events"]), "marks nest")'
