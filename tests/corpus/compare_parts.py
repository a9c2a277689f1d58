#!/usr/bin/env python3
"""The laws of parts: any tree of reduces is one process, byte for byte.

usage: compare_parts.py PTK SHARED
"""
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

PTK, SHARED = sys.argv[1:3]
rng = random.Random(1)
fails = []


def ptk(*words, env=None):
    run = subprocess.run([PTK, *words], capture_output=True, env=env)
    if run.returncode:
        fails.append('%s: status %d: %s' % (' '.join(words), run.returncode, run.stderr.decode()))
    return run.stdout


def content(path):
    with open(path, 'rb') as f:
        return f.read()


def trees(folder, traces, count):
    whole = os.path.join(folder, 'whole.part')
    ptk('map', '-q', '-o', whole, *traces)
    want = content(whole)
    ptk('map', '-q', '-o', whole + '1', *reversed(traces))
    if content(whole + '1') != want:
        fails.append('the order of traces changes the bytes')
    leaves = []
    for i, trace in enumerate(traces):
        leaves.append(os.path.join(folder, 'leaf%d.part' % i))
        ptk('map', '-q', '-o', leaves[-1], trace)
    none = os.path.join(folder, 'none.part')
    ptk('reduce', '-o', none)
    for k in range(count):
        todo, made = list(leaves), 0
        rng.shuffle(todo)
        while len(todo) > 1:
            n = rng.randint(1, min(len(todo), 17))
            out = os.path.join(folder, 'tree%d-%d.part' % (k, made))
            made += 1
            taken = todo[:n] + [none] * rng.randint(0, 2)
            if rng.random() < 0.3:
                taken += [rng.choice(todo[:n])]
            rng.shuffle(taken)
            ptk('reduce', '-o', out, *taken)
            todo = todo[n:] + [out]
            rng.shuffle(todo)
        if content(todo[0]) != want:
            fails.append('tree %d of %d leaves differs' % (k, len(leaves)))
    if ptk('reduce', whole) != want:
        fails.append('a part alone is not itself')
    if ptk('job', '-q', '-f', 'json', whole).split(b'\n', 2)[2] != \
            ptk('job', '-q', '-f', 'json', *traces).split(b'"warnings"', 1)[0].split(b'\n', 2)[2]:
        report_of_part = json.loads(ptk('job', '-q', '-f', 'json', whole))
        report = json.loads(ptk('job', '-q', '-f', 'json', *traces))
        for key in report:
            if key not in ('inputs', 'warnings') and report[key] != report_of_part[key]:
                fails.append('the report of the part differs in ' + key)
    return whole


def shifted(folder, traces):
    """A constant on one host's clock changes nothing but that clock."""
    moved = []
    for trace in traces:
        with open(trace) as f:
            text = f.read()
        if '"hostname": "node0001"' in text:
            text = text.replace('"baseTimeNanoseconds": 1700000000000000000',
                                '"baseTimeNanoseconds": 1700000003700000000')
        moved.append(os.path.join(folder, 'moved-' + os.path.basename(trace)))
        with open(moved[-1], 'w') as f:
            f.write(text)
    before = json.loads(ptk('job', '-q', '-f', 'json', *traces))
    after = json.loads(ptk('job', '-q', '-f', 'json', *moved))
    for key in before:
        if key in ('inputs', 'clocks', 'findings', 'warnings', 'workers'):
            continue
        if before[key] != after[key]:
            fails.append('a shift of one host\'s clock changes ' + key)
    made = [sum(row['made_wait'] for row in report['workers']) for report in (before, after)]
    if made[0] != made[1]:
        fails.append('a shift of one host\'s clock changes who waited')


def packed(folder, traces):
    path = os.path.join(folder, os.path.basename(traces[0]) + '.gz')
    with gzip.open(path, 'wb') as f:
        f.write(content(traces[0]))
    if ptk('map', '-q', path) != ptk('map', '-q', traces[0]):
        fails.append('packing changes a part')


def main():
    with tempfile.TemporaryDirectory() as folder:
        job = os.path.join(folder, 'job')
        subprocess.run([sys.executable, os.path.join(SHARED, 'tools', 'gen_job.py'), '-o', job,
                        '--dp', '4', '--pp', '2', '--tp', '2', '--microbatches', '4', '--steps', '2',
                        '--fault', 'slow-rank:5:1.3'], check=True)
        traces = sorted(os.path.join(job, name) for name in os.listdir(job)
                        if name != 'truth.json')
        trees(folder, traces, 12)
        shifted(folder, traces)
        packed(folder, traces)
    with tempfile.TemporaryDirectory() as folder:
        ranks = os.path.join(SHARED, 'corpus', 'job', 'ST', 'ranks')
        trees(folder, sorted(os.path.join(ranks, name) for name in os.listdir(ranks)
                             if name.startswith('rank')), 6)
    for fail in fails:
        print('FAIL parts: ' + fail)
    print('corpus: parts %s' % ('failed' if fails else 'passed'))
    sys.exit(bool(fails))


main()
