#!/usr/bin/env python3
"""Compares ptk summary with Paddle's own tables, byte for byte, with what torch-tb-profiler says of
steps and devices, and with what Holistic Trace Analysis (HTA) says of launches. Where they differ on purpose it says why.

    compare_summary.py PTK SHARED
"""
import json
import os
import subprocess
import sys
import tarfile

PTK, SHARED = sys.argv[1:3]
CASES = ["flat_case1", "flat_case2", "train_flat_noncccl", "train_ns", "train_us"]
VARIANTS = {
    "CPUMin-ms": ["--sort", "CPUMin"],
    "CPUTotal-ms": [],
    "CPUTotal-nodetail-ms": ["--no-detail"],
    "CPUTotal-ns": ["--time-unit", "ns"],
    "CPUTotal-s": ["--time-unit", "s"],
    "CPUTotal-threadsep-ms": ["--thread-sep"],
    "CPUTotal-us": ["--time-unit", "us"],
    "GPUAvg-ms": ["--sort", "GPUAvg"],
    "GPUTotal-ms": ["--sort", "GPUTotal"],
}
PARTS = {
    "Kernel": "kernel", "Memcpy": "memcpy", "Memset": "memset", "Communication": "communication",
    "Runtime": "runtime", "DataLoader": "dataloader", "CpuOp": "operator", "Total": "time",
}
# torch-tb-profiler is not followed here; the parts of steps are not compared, the device's are where
# they are not said to differ, too.
STEPS_DIFFER = {
    "nccl_data": "it takes NCCL kernels without an External id for computation",
    "sampled_rank-0": "it takes NCCL kernels without an External id for computation",
    "mi300_resnet": "it takes RCCL kernels for computation, and shows the device's step 15 as another",
    "ns_resolution": "its times since 1970 are doubles, which there step by 0.25 us",
    "step_based_trace": "it counts an annotation of the device as the host's",
    "h100_": "it leaves driver calls (cuda_driver) out of the runtime's",
}
DEVICE_DIFFERS = {
    "mi250_minitoy": "it drops the last step, which has little device work",
    "vllm": "without steps its span is that of the operators, here of all events",
    "mi210_gpu_only": "it finds no host operators and so no span",
    "torch_compile": "without steps its span is that of the operators, here of all events",
}
# By file and operator; "" is every operator of the file.
OPERATORS_DIFFER = {
    "ns_resolution": {"": STEPS_DIFFER["ns_resolution"]},
    "sampled_rank-0": {"": "it finds no operator for work without an External id"},
    "step_based_trace": {"": "it finds no operator for work without an External id"},
    "mi300_resnet": {"": "it drops the steps that do little on the device"},
    "nccl_data": {"record_param_comms": "calls of cudaEventRecord and the like are self time to it",
                  "aten::cudnn_batch_norm_backward": "the same, with cudaStreamGetPriority"},
    "h100_": {"aten::bmm": "it knows no launches through cuda_driver", "aten::addmm": "the same",
              "aten::matmul": "the same", "aten::linear": "the same"},
    "vllm": {"vllm::": "Python functions inside an operator are self time to it"},
    "torch_compile": {"Torch-Compiled Region": "Python functions inside are self time to it"},
}


def run(*args):
    done = subprocess.run([PTK, "summary", "-q", *args], capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"FAIL ptk summary {' '.join(args)}: {done.stderr.decode()}")
    return done.stdout


def compare_paddle():
    same, wrong = 0, 0
    for case in CASES:
        path = f"{SHARED}/corpus/chrome/paddle-synthetic/{case}.json"
        path = path if os.path.exists(path) else path + ".gz"
        for variant, options in VARIANTS.items():
            with open(f"{SHARED}/oracle/paddle/{case}.exact.{variant}.txt", "rb") as file:
                wanted = file.read()
            got, plain = run(path, "--paddle-compat", *options), run(path, *options)
            if got == wanted and plain.startswith(wanted):
                same += 1
            else:
                wrong += 1
                print(f"FAIL {case} {variant}: not Paddle's")
    print(f"corpus: {same} of Paddle's reports equal to the byte, {wrong} not")
    return wrong


def reason(name, table):
    return next((why for part, why in table.items() if part in name), None)


def is_near(wanted, got, most):
    if wanted is None or got is None:
        return (wanted or 0) == (got or 0)
    return abs(wanted - got) <= most


def compare_steps(name, oracle, got):
    rows = {row["step"].split("#")[-1]: row for row in got["steps"]}
    count = wrong = 0
    for step, costs in zip(oracle["steps"], oracle["steps_costs_us"]):
        row = rows.get(str(step)) or (got["steps"][0] if len(got["steps"]) == 1 else None)
        for theirs, ours in PARTS.items():
            count += 1
            if row is None or not is_near(costs[theirs], row[ours] / 1000, 1):
                wrong += 1
                print(f"FAIL {name} step {step} {ours}: {row and row[ours]} is not {costs[theirs]} us")
    return count, wrong


def compare_devices(name, oracle, got):
    rows = {str(row["device"]): row for row in got["gpu"]}
    count = wrong = 0
    for device, gpu in oracle["gpu"].items():
        occupancy = gpu["est_occupancy_pct"]
        wanted = {"utilization": gpu["utilization"], "sm_efficiency": gpu["est_sm_efficiency"],
                  "occupancy": None if occupancy is None else occupancy / 100}
        for key, figure in wanted.items():
            count += 1
            if not is_near(figure, rows[device][key], 1e-4):
                wrong += 1
                print(f"FAIL {name} device {device} {key}: {rows[device][key]} is not {figure}")
    return count, wrong


def figures_by_name(got):
    figures = {row["name"]: [row["calls"], row["cpu_total"], row["gpu_total"], 0, 0]
               for row in got["operator"] if row["level"] == "operator"}
    for row in got["operator_shapes"]:
        figures[row["name"]][3] += row["host_self"]
        figures[row["name"]][4] += row["device_self"]
    return figures


def compare_operators(name, oracle, got):
    """Calls, host and device time with what is inside, and without."""
    known = next((table for part, table in OPERATORS_DIFFER.items() if part in name), {})
    figures, same, wrong, met = figures_by_name(got), 0, 0, set()
    for row in oracle["operators"]:
        ours = figures[row["name"]]
        wanted = [row[key] for key in ("host", "device", "self_host", "self_device")]
        pairs = list(zip([row["calls"] / 1000] + wanted, ours))
        # It counts an operator inside another of its name again.
        pairs = pairs[3:] if row["calls"] > ours[0] else pairs
        is_same = all(is_near(a, b / 1000, 0.5) for a, b in pairs)
        excuse = [part for part in known if not is_same and row["name"].startswith(part)]
        met.update(excuse)
        same += is_same
        if not is_same and not excuse:
            wrong += 1
            print(f"FAIL {name} {row['name']}: {ours} is not {row['calls']}, {wanted} us")
    return same, wrong, met


def compare_kernels(name, oracle, got):
    rows = {row["name"]: row for row in got["kernel"]}
    wrong = [row["name"] for row in oracle["kernels"]
             if row["count"] != rows[row["name"]]["calls"]
             or not is_near(row["sum"], rows[row["name"]]["gpu_total"] / 1000, 0.001 * row["count"])]
    if wrong:
        print(f"FAIL {name} kernels: {wrong}")
    return len(oracle["kernels"]) - len(wrong), len(wrong)


def compare_names(archive, members):
    """Operators and kernels by name."""
    operators = kernels = wrongs = 0
    excused = set()
    for member in members:
        oracle = json.load(archive.extractfile(member))
        name = os.path.basename(member.name)
        got = json.loads(run("-f", "json", "-t", "operator", "-t", "operator-shapes", "-t", "kernel",
                             f"{SHARED}/{oracle['file']}"))
        same, wrong, met = compare_operators(name, oracle, got)
        operators, wrongs, excused = operators + same, wrongs + wrong, excused | met
        same, wrong = compare_kernels(name, oracle, got)
        kernels, wrongs = kernels + same, wrongs + wrong
    for table in OPERATORS_DIFFER.values():
        for part in set(table) - excused:
            wrongs += 1
            print(f"FAIL {part}: differs no more, although {table[part]}")
    print(f"corpus: {operators} operators and {kernels} kernels equal torch-tb-profiler's, {wrongs} do not")
    return wrongs


def compare_torch():
    counts, wrongs, skipped = 0, 0, []
    with tarfile.open(f"{SHARED}/oracle/torch-tb.tar.xz") as archive:
        members = [m for m in archive.getmembers() if m.name.endswith(".json")]
        members.sort(key=lambda member: member.name)
        wrongs += compare_names(archive, members)
        for member in members:
            oracle = json.load(archive.extractfile(member))
            name = os.path.basename(member.name)
            got = json.loads(run("-f", "json", "-t", "steps", "-t", "gpu", f"{SHARED}/{oracle['file']}"))
            for compare, table in ((compare_steps, STEPS_DIFFER), (compare_devices, {})):
                if reason(name, DEVICE_DIFFERS) or reason(name, table):
                    skipped.append(name)
                    continue
                count, wrong = compare(name, oracle, got)
                counts, wrongs = counts + count, wrongs + wrong
    print(f"corpus: {counts - wrongs} figures equal torch-tb-profiler's, {wrongs} do not; "
          f"{len(skipped)} tables differ on purpose")
    return wrongs


# The calls that HTA takes for launches.
LAUNCHES = {"cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernel", "cuLaunchKernelEx",
            "cudaMemcpyAsync", "cudaMemsetAsync"}


def compare_launches(name, oracle, got):
    """HTA's launch statistics and longest queues of one rank that it has not filtered by steps."""
    stats = next(iter(oracle["cuda_kernel_launch_stats"].values()))
    rows = [row for row in got["launches"] if row["call"] in LAUNCHES]
    pairs = [(stats["n"], sum(row["works"] for row in rows))]
    pairs += [(stats["sums"][theirs], sum(row[ours] for row in rows) / 1000) for theirs, ours in
              (("cpu_duration", "call_time"), ("gpu_duration", "work_time"), ("launch_delay", "delay"))]
    longest = {row["stream"].split()[-1]: row["longest"] for row in got["queues"]}
    wrong = [pair for pair in pairs if not is_near(*pair, 0.5)]
    # A launch and a start in one microsecond: HTA takes them in any order, ptk the launch first.
    queues = [(queue["queue_length_max"], longest.get(str(queue["stream"])))
              for queue in oracle["queue_length_summary"]]
    wrong += [pair for pair in queues if not is_near(*pair, 1)]
    if wrong:
        print(f"FAIL {name} launches: {wrong}")
    return len(pairs) + len(queues), len(wrong)


def compare_hta():
    counts, wrongs = 0, 0
    with tarfile.open(f"{SHARED}/oracle/hta.tar.xz") as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name):
            oracle = json.load(archive.extractfile(member)) if member.name.endswith(".json") else {}
            stats = oracle.get("cuda_kernel_launch_stats") or {}
            files = oracle.get("files") or []
            if len(files) != 1 or len(stats) != 1 or not next(iter(stats.values())).get("n"):
                continue
            if any(oracle["iterations"].values()) or any(oracle["negative_dur_events"].values()):
                continue
            if "mtia" in member.name:  # launched by other calls than CUDA's
                continue
            got = json.loads(run("-f", "json", "-t", "launches", "-t", "queues", f"{SHARED}/{files[0][1]}"))
            count, wrong = compare_launches(os.path.basename(member.name), oracle, got)
            counts, wrongs = counts + count, wrongs + wrong
    print(f"corpus: {counts - wrongs} launch figures equal HTA's, {wrongs} do not")
    return wrongs


sys.exit(1 if compare_hta() + compare_paddle() + compare_torch() else 0)
