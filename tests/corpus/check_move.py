#!/usr/bin/env python3
"""what-if --gpu: a model recorded on one chip, moved to another that it was recorded on, too.

 bracket      what was recorded there lies in the bracket
 leaving out  MOVE_SLACK was not fitted to the pair at hand: 1.2 times what the other models need is enough for each
"""
import json, os, subprocess, sys

PTK, SHARED = sys.argv[1:3]
TRACES = SHARED + "/corpus/chrome/tracelens/tests/traces"
CHIPS = {"h100": "H100 80GB HBM3", "mi300": "MI300X"}
MODELS = ("Qwen_Qwen1.5-0.5B-Chat__1016005", "Falconsai_nsfw_image_detection__1016002", "gaunernst_bert-small-uncased__1016001")
SLACK, MARGIN = 1.5, 1.2
failed, need = 0, {}

for model in MODELS:
    answer = {}
    for chip, other in (("h100", "mi300"), ("mi300", "h100")):
        run = subprocess.run([PTK, "what-if", "-q", "-f", "json", "--gpu", CHIPS[other], os.path.join(TRACES, chip, model + ".json.gz")],
                             capture_output=True, text=True)
        answer[chip] = json.loads(run.stdout)
    for chip, other in (("h100", "mi300"), ("mi300", "h100")):
        low, high, there = answer[chip]["device_low"], answer[chip]["device_high"], answer[other]["device_time"]
        if not low <= there <= high:
            failed += 1
            print("FAIL %s to %s: %d is not from %d to %d" % (model, other, there, low, high))
        need[model] = max(need.get(model, 1), there / (high / SLACK), low * SLACK / there)
for model in MODELS:
    others = max(need[m] for m in MODELS if m != model)
    if not need[model] <= MARGIN * others <= MARGIN * SLACK:
        failed += 1
        print("FAIL %s needs a slack of %.3f, the others %.3f" % (model, need[model], others))
print("moved: %d models, slack needed %s, %d failed" % (len(MODELS), ", ".join("%.3f" % need[m] for m in MODELS), failed))
sys.exit(failed > 0)
