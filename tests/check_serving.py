#!/usr/bin/env python3
"""check_serving.py PTK TRACE...: what `ptk serve` says of made traces is their truth (NAME.truth.json), to the nanosecond;
and the laws: device time is kept, and repeated device ranges, kernels' names and the order of rows change nothing."""
import gzip, json, os, subprocess, sys, tempfile

ptk = sys.argv[1]
faults = 0


def fault(path, text):
    global faults
    faults += 1
    if faults <= 20:
        print(f"{os.path.basename(path)}: {text}")


def serve(path):
    done = subprocess.run([ptk, "serve", "-q", "-f", "json", path], capture_output=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def check_steps(path, got, truth):
    steps = got["steps_of_run"]
    if len(steps) != len(truth["steps"]):
        return fault(path, f"{len(steps)} steps for {len(truth['steps'])}")
    off = steps[0]["start"] - truth["steps"][0]["device_start"]
    for a, b in zip(steps, truth["steps"]):
        pairs = [("stage", a["stage"], b["stage"]), ("busy", a["busy"], b["busy"]), ("forward", a["forward_busy"], b["forward_busy"]),
                 ("period", a["period"], b["period"]), ("start", a["start"] - off, b["device_start"]), ("end", a["end"] - off, b["device_end"])]
        if truth["style"] == "none":   # stages are inferred: mixed steps are as prefill
            pairs[0] = ("stage", a["stage"], "decode" if b["stage"] == "decode" else "prefill")
            pairs = [pairs[0], pairs[1], *pairs[3:]]
        else:
            pairs += [("host", a["host_time"], b["host_ns"]), ("prompts", a["prompts"], b["ctx_requests"]), ("generations", a["generations"], b["gen_requests"]),
                      ("prompt tokens", a["prompt_tokens"], b["ctx_tokens"]), ("generation tokens", a["generation_tokens"], b["gen_tokens"])]
            if b["sums"] and truth["preset"] == "sglang-verify" and b["stage"] == "decode":   # verification is generation, whatever the letter
                b["sums"] = dict(c=b["sums"]["g"], g=b["sums"]["c"])
            if b["sums"] and b["stage"] != "dummy" and truth["family"] != "atom":
                pairs += [("sums", [a["prompt_keys"], a["prompt_queries_squared"], a["prompt_query_keys"], a["generation_keys"], a["generation_queries_squared"],
                                    a["generation_query_keys"]], [b["sums"]["c"][x] for x in ("sk", "sqsq", "sqsk")] + [b["sums"]["g"][x] for x in ("sk", "sqsq", "sqsk")])]
        for what, x, y in pairs:
            if x != y:
                fault(path, f"step {b['index']} {what}: {x} for {y}")


def check_stages(path, got, truth):
    for row in got["stages"]:
        want = truth["stages"].get(row["stage"])
        if not want:
            fault(path, f"stage {row['stage']}")
            continue
        for of in ("busy", "period"):
            w = want[of]
            if not w:
                continue
            for a, b in (("p50", "p50"), ("p95", "p95"), ("p99", "p99"), ("sum", "sum")):
                if row[f"{of}_{a}"] != w[b]:
                    fault(path, f"{row['stage']} {of} {a}: {row[of + '_' + a]} for {w[b]}")
            bins = {str(x["from"]): x["steps"] for x in got["histogram"] if x["stage"] == row["stage"] and x["of"] == of}
            if bins != w["histogram"]:
                fault(path, f"{row['stage']} {of} histogram: {bins} for {w['histogram']}")
        if row["tokens"] != want["tokens"]:
            fault(path, f"{row['stage']} tokens: {row['tokens']} for {want['tokens']}")


def check_between(path, got, truth):
    if got["idle_between"] != truth["idle_between"] or got["gaps"] != len(truth["between"]):
        fault(path, f"idle {got['idle_between']} in {got['gaps']} for {truth['idle_between']} in {len(truth['between'])}")
    if truth["style"] == "double":   # ranges that begin within a function may cut it: the split differs
        return
    by = {x["name"] or "no host row": x["idle"] for x in got["idle_owners"]}
    if by != truth["idle_by"]:
        fault(path, f"idle by {by} for {truth['idle_by']}")
    if sum(by.values()) != got["idle_between"]:
        fault(path, "owners' parts do not add up")
    owners = {x["after"]: x["owner"] for x in truth["between"]}
    for i, step in enumerate(got["steps_of_run"]):
        if step["gap"] and step["gap_owner"] != owners.get(i):
            fault(path, f"gap behind {i} is of {step['gap_owner']}, not {owners.get(i)}")


def check_fit(path, got, truth):
    kinds = {"fit_decode": "tokens", "fit_decode_padded": "padded batch"}
    for key, by in kinds.items():
        want = truth[key]
        rows = [f for f in got["fits"] if f["by"].startswith(by) and "cached" not in f["by"]]
        if not want or truth["style"] == "none" or (key == "fit_decode_padded" and truth["family"] != "atom"):
            continue
        if not any(abs(f["fixed_ns"] - want["intercept_ns"]) < 0.1 and abs(f["ns_per_token"] - want["ns_per_token"]) < 0.01 and abs(f["r2"] - want["r2"]) < 1e-4 for f in rows):
            fault(path, f"{key}: {rows} for {want}")


def check_totals(path, got, truth):
    t = truth["totals"]
    for a, b in (("span", "span"), ("steps", "steps"), ("dummy_steps", "dummy_steps"), ("generated_low", "output_tokens_low"), ("generated_high", "output_tokens_high")):
        if got[a] != t[b]:
            fault(path, f"{a}: {got[a]} for {t[b]}")
    if got["before_first_step"] + got["launched_before_recording"] != t["unattributed_device_ns"]:
        fault(path, "device time in no step")
    if t["output_tokens_low"] is not None and not t["output_tokens_low"] <= t["output_tokens_true"] <= (t["output_tokens_high"] or 1 << 62):
        fault(path, "the true tokens are outside")


def strip(got):
    return json.dumps([{k: v for k, v in s.items() if k not in ("start", "end", "host_start")} for s in got["steps_of_run"]] +
                      [got["stages"], got["idle_owners"], got["fits"], got["histogram"]])


def check_laws(path, got):
    if sum(s["busy"] for s in got["steps_of_run"]) + got["before_first_step"] + got["launched_before_recording"] != got["device_time"]:
        fault(path, "steps' device time and the rest are not all device time")
    data = json.load(gzip.open(path, "rt"))
    for law in ("annotations", "names", "order"):
        rows = [dict(e) for e in data["traceEvents"]]
        if law == "annotations":
            rows = [e for e in rows if e.get("cat") != "gpu_user_annotation"]
        if law == "names":
            for i, e in enumerate(rows):
                if e.get("cat") == "kernel":
                    e["name"] = f"k{i * 7919 % 100003}"
        if law == "order":
            rows = rows[::-1]
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "t.json")
            json.dump(dict(data, traceEvents=rows), open(other, "w"))
            changed = serve(other)
        if not changed or strip(changed) != strip(got):
            fault(path, f"law of {law}: something changes")


for path in sys.argv[2:]:
    truth = json.load(open(path.replace(".json.gz", ".truth.json")))
    got = serve(path)
    if not got:
        fault(path, "no answer")
        continue
    check_steps(path, got, truth)
    if truth["style"] != "none":
        check_stages(path, got, truth)
        check_totals(path, got, truth)
    check_between(path, got, truth)
    check_fit(path, got, truth)
    if path.endswith("-s1.json.gz") and truth["style"] != "none":
        check_laws(path, got)
print(f"serving: {len(sys.argv) - 2} traces, {faults} faults")
sys.exit(faults > 0)
