#!/usr/bin/env python3
"""What `ptk overlap` of several ranks says of their collectives beside what `ptk job` does.

usage: compare_ranks_job.py PTK SHARED

Of each job of the corpus, and of generated ones of several layouts and faults: skew, transfer and number of the
collectives by operation and ranks; by rank in how many it took part, to how many it came last, how long others
waited for it and it for others. `summary` and the page show the same figures, from the same pass. Both must say
what the generator knows, on the true clock.
"""
import collections
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

PTK, SHARED = sys.argv[1:3]
GENERATOR = os.path.join(SHARED, 'tools', 'gen_job.py')
fails = []


def ptk(command, *words):
    run = subprocess.run([PTK, command, '-q', '-f', 'json', *words], capture_output=True)
    if run.returncode == 4: # of phases alone: no device's work
        return None
    if run.returncode:
        fails.append('%s %s: status %d: %s' % (command, words[-1], run.returncode, run.stderr.decode()))
        return None
    return json.loads(run.stdout)


def members(text):
    return tuple(sorted(map(int, re.findall(r'\d+', text or ''))))


def by_collective(rows, key):
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for row in rows:
        for i, figure in enumerate(('count', 'skew', 'transfer')):
            sums[row['operation'], members(row[key])][i] += row[figure]
    return dict(sums)


def compare(name, got, want):
    for key in sorted(set(got) | set(want), key=str):
        if got.get(key) != want.get(key):
            fails.append('%s: %s: overlap says %s, job %s' % (name, key, got.get(key), want.get(key)))


def compare_job(name, paths, truth=None):
    overlap, job = ptk('overlap', '-n', '0', *paths), ptk('job', '--by', 'group', *paths)
    figures = 'collectives', 'last', 'made_wait', 'waited'
    if not overlap or not job or 'workers' not in job:
        return
    compare(name, by_collective(overlap.get('collectives', []), 'group_ranks'),
            by_collective(job['groups'], 'members'))
    compare(name, {row['rank']: [row[figure] for figure in figures] for row in overlap['ranks']},
            {row['rank']: [row[figure] for figure in figures] for row in job['workers']})
    if not truth:
        return
    skew = sum(row['skew'] for row in overlap.get('collectives', []))
    true = sum(row['skew_ns'] for row in truth['joins'].values())
    if abs(skew - true) > 0.01 * true + 20000 * len(paths):
        fails.append('%s: %d ns of skew, not %d' % (name, skew, true))


FAULTS = ['', 'slow-rank:%d:1.5', 'slow-stage:0:1.3', 'slow-link:%d:20', 'late-loader:%d:30', 'clock:0:5000',
          'clock:0:-250:20', 'slow-rank:%d:1.2', 'late-loader:%d:40:2', 'missing:%d']
LAYOUTS = [(2, 1, 1), (4, 2, 2), (2, 2, 1), (1, 4, 2), (8, 1, 1)]


def generated(count):
    for at in range(count):
        (dp, pp, tp), fault = LAYOUTS[at % len(LAYOUTS)], FAULTS[at // len(LAYOUTS) % len(FAULTS)]
        if fault.startswith('slow-stage') and pp == 1 or 'missing' in fault and dp * pp * tp == 2:
            fault = ''
        words = ['--dp', dp, '--pp', pp, '--tp', tp, '--gpus', 2, '--steps', 3, '--seed', at]
        if fault:
            words += ['--fault', fault % (at % (dp * pp * tp)) if '%d' in fault else fault]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, GENERATOR, '-o', folder, *map(str, words)], check=True)
            with open(os.path.join(folder, 'truth.json')) as file:
                truth = json.load(file)
            paths = sorted(glob.glob(os.path.join(folder, 'rank*')))
            compare_job('job %d (%s)' % (at, ' '.join(map(str, words))), paths,
                        None if 'missing' in fault else truth)


def main():
    corpus = sorted(glob.glob(os.path.join(SHARED, 'corpus', 'job', '*', 'ranks')))
    jobs = [sorted(glob.glob(os.path.join(folder, 'rank*'))) for folder in corpus]
    count = int(os.environ.get('JOBS', 50))
    jobs += [sorted(glob.glob('testdata/chrome/' + folder)) for folder in
             ('job/rank*', 'jobs/before/rank*', 'jobs/after/rank*', 'ranks/rank-*.json', 'ranks/groups-*.json')]
    for paths in jobs:
        compare_job(os.path.dirname(paths[0]), paths)
    generated(count)
    for fail in fails:
        print('FAIL ' + fail)
    print('corpus: ranks and job: %d jobs, %d figures differ' % (len(jobs) + count, len(fails)))
    return bool(fails)


if __name__ == '__main__':
    sys.exit(main())
