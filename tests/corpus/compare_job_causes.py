#!/usr/bin/env python3
"""ptk job on generated jobs drawn at random: who is at fault comes first, nobody is where nobody is, and what a job gains
without its fault is the truth that the simulation knows.

usage: compare_job_causes.py PTK SHARED [JOBS [SEED]]

Kernels have long tails in some jobs, which are nobody's fault. A job is one of
  single   one fault; the step without it is within 1 % of the truth
  two      two faults; the first is that without which steps are shortest, or the two where they are alike
  partial  one fault, and ranks without a file, which are not at fault; the truth lies in the bracket
  healthy  none
  gone     none, and ranks without a file: nobody is named
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

PTK, SHARED = os.path.abspath(sys.argv[1]), sys.argv[2]
JOBS = int(sys.argv[3]) if len(sys.argv) > 3 else 24
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
sys.path.insert(0, os.path.join(SHARED, 'tools'))
import gen_job  # noqa: E402

LAYOUTS = [(4, 2, 2), (2, 2, 2), (4, 4, 1), (8, 1, 2), (2, 4, 2), (16, 1, 1), (2, 2, 4), (8, 2, 1)]


class TailedJob(gen_job.Job):
    """Some operations take much longer, at random, in a job with and without its faults."""

    def program(self, rank, step, ops, joins, seq, missed):
        super().program(rank, step, ops, joins, seq, missed)
        rng = random.Random('%s tails %d %d' % (self.o.seed, rank, step))
        for op in ops:
            long = rng.random() < self.o.tails
            jitter = rng.uniform(1 - self.o.jitter, 1 + self.o.jitter)
            if long:
                op.dur = int(op.dur * rng.uniform(2, 6))
            elif op.join is None:
                op.dur = int(op.dur * jitter)


gen_job.Job = TailedJob


def options_of(rng):
    dp, pp, tp = rng.choice(LAYOUTS)
    has_tails = rng.random() < 0.5
    return argparse.Namespace(dp=dp, pp=pp, tp=tp, gpus=rng.choice([4, 8]), steps=rng.choice([4, 5, 6]),
                              microbatches=rng.choice([4, 6, 8]), forward=rng.choice([6.0, 10.0, 14.0]),
                              kernels=4, cpu_ops=0, seed=str(rng.randrange(10**6)), gzip=False,
                              tails=rng.choice([0.002, 0.01, 0.02]) if has_tails else 0,
                              jitter=rng.choice([0.0, 0.02, 0.05]))


def has_equals(o, fault, gone):
    """Whether some group between hosts is whole and without the rank of a slow link: else all transfers of a kind are
    as slow, and no trace can tell (--peak-link can)."""
    if fault[0] != 'slow-link':
        return True
    job = TailedJob(o, [])
    groups = {tuple(g[2]) for (use, _), g in job.groups.items() if use == 'DATA_PARALLEL_GROUP'}
    return any(len(ranks) > 1 and fault[1] not in ranks and not set(ranks) & set(gone) and
               len({job.host(r) for r in ranks}) > 1 for ranks in groups)


def fault_of(rng, o):
    world = o.dp * o.pp * o.tp
    kind = rng.choice(['slow-rank', 'slow-rank', 'slow-stage', 'slow-link', 'late-loader'])
    if kind == 'slow-stage' and o.pp == 1:
        kind = 'slow-rank'
    if kind == 'slow-link' and world <= o.gpus:
        kind = 'late-loader'
    if kind == 'slow-stage':
        return (kind, rng.randrange(o.pp), round(rng.uniform(1.12, 1.5), 2))
    if kind == 'late-loader':
        return (kind, rng.randrange(world), round(rng.uniform(15, 60)), rng.choice([1, 1, 2]))
    return (kind, rng.randrange(world), round(rng.uniform(1.12, 1.7) if kind == 'slow-rank' else rng.uniform(10, 50), 2))


def mean_without(o, faults, k):
    times = TailedJob(o, faults[:k] + faults[k + 1:]).simulate()[0]
    return sum(times) / len(times)


def draw(rng, kind):
    """A job whose faults each cost 3 % of a step at least."""
    while True:
        o = options_of(rng)
        faults = []
        for _ in range({'single': 1, 'two': 2, 'partial': 1}.get(kind, 0)):
            faults.append(fault_of(rng, o))
        if len({fault[:2] for fault in faults}) < len(faults):
            continue
        gone = []
        if kind in ('partial', 'gone'):
            world = o.dp * o.pp * o.tp
            others = [r for r in range(world) if not faults or faults[0][0] == 'slow-stage' or faults[0][1] != r]
            gone = rng.sample(others, rng.randrange(1, max(2, world // 6)))
        if not all(has_equals(o, fault, gone) for fault in faults):
            continue
        times = TailedJob(o, faults).simulate()[0]
        whole = sum(times) / len(times)
        without = [mean_without(o, faults, k) for k in range(len(faults))]
        if kind == 'two':
            if min(without) <= whole * 0.97:
                return o, faults, gone, whole, without
        elif all(time <= whole * 0.97 for time in without):
            return o, faults, gone, whole, without


def is_of(finding, fault, o):
    """Whether a finding is about a fault."""
    named = [int(rank) for rank in finding['ranks'].split(',') if rank]
    if fault[0] == 'slow-stage':
        # a stage of one rank is that rank
        return (finding['kind'] == 'slow-stage' and finding['stage'] == fault[1]) or \
            (o.dp * o.tp == 1 and finding['kind'] == 'slow-rank' and named == [fault[1]])
    return finding['kind'] == fault[0] and fault[1] in named and \
        (fault[0] != 'slow-rank' or len(named) == 1)


def is_set(finding, faults):
    named = {int(rank) for rank in finding['ranks'].split(',') if rank}
    return all(fault[0] == 'slow-rank' for fault in faults) and finding['kind'] == 'slow-rank' and \
        named == {fault[1] for fault in faults}


def is_about_speed(finding):
    return finding.get('step_time_without') is not None


def check(kind, rng):
    """What is wrong, or None."""
    o, faults, gone, whole, without = draw(rng, kind)
    folder = tempfile.mkdtemp()
    job = TailedJob(o, faults)
    runs = job.simulate(keep=True)[1]
    job.write(folder, runs)
    what = '%s, dp %d pp %d tp %d gpus %d steps %d tails %g jitter %g seed %s %s' % (
        kind, o.dp, o.pp, o.tp, o.gpus, o.steps, o.tails, o.jitter, o.seed, faults)
    for rank in gone:
        os.remove(os.path.join(folder, 'rank%03d.pt.trace.json' % rank))
    what += ' without %s' % gone if gone else ''
    run = subprocess.run([PTK, 'job', '-q', '-f', 'json', folder], capture_output=True)
    if os.environ.get('KEEP'):
        what += ' in ' + folder
    else:
        shutil.rmtree(folder)
    if run.returncode:
        return 'cause', '%s: status %d: %s' % (what, run.returncode, run.stderr.decode())
    findings = [row for row in json.loads(run.stdout)['findings'] if is_about_speed(row)]
    said = [(row['kind'], row['ranks'], row['stage'], row['step_time_without']) for row in findings]
    if not faults:
        return ('healthy', '%s: names %s' % (what, said)) if findings else None
    best = min(without)
    first = [fault for k, fault in enumerate(faults) if without[k] <= best + 0.01 * whole]
    if not findings or not (any(is_of(findings[0], fault, o) for fault in first) or
                            (kind == 'two' and is_set(findings[0], faults))):
        return 'cause', '%s: %s, truth without %s of %.0f' % (what, said, without, whole)
    got = findings[0]
    if kind == 'single' and abs(got['step_time_without'] - best) > 0.01 * best:
        return 'headline', '%s: without it %.0f, truth %.0f of %.0f' % (what, got['step_time_without'], best, whole)
    if kind == 'partial' and not got['step_time_without_least'] - 0.01 * best <= best <= \
            got['step_time_without_most'] + 0.01 * best:
        return 'bracket', '%s: %.0f … %.0f, truth %.0f of %.0f' % (
            what, got['step_time_without_least'], got['step_time_without_most'], best, whole)
    return None


def main():
    kinds = ['single', 'two', 'single', 'partial', 'healthy', 'two', 'gone']
    count, wrong = {}, {}
    for n in range(JOBS):
        kind = kinds[n % len(kinds)]
        fail = check(kind, random.Random('%d %d' % (SEED, n)))
        for key in {'single': ['cause', 'headline'], 'partial': ['cause', 'bracket']}.get(
                kind, ['healthy' if kind in ('healthy', 'gone') else 'cause']):
            count[key] = count.get(key, 0) + 1
        if fail:
            wrong[fail[0]] = wrong.get(fail[0], 0) + 1
            print('%s: %s' % fail)
    for key in sorted(count):
        print('corpus: job causes: %s right in %d of %d' % (key, count[key] - wrong.get(key, 0), count[key]))
    return any(wrong.get(key, 0) > 0.03 * count[key] + 0.5 for key in count)


sys.exit(main())
