#!/usr/bin/env python3
"""ptk job beside the reference's figures, and on generated jobs whose faults are known.

usage: compare_job.py PTK SHARED
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

PTK, SHARED = sys.argv[1:3]
fails = []


def job(*operands):
    run = subprocess.run([PTK, 'job', '-q', '-f', 'json', *operands], capture_output=True)
    if run.returncode:
        fails.append('%s: status %d: %s' % (operands[-1], run.returncode, run.stderr.decode()))
        return None
    return json.loads(run.stdout)


def near(what, got, want, tolerance=0.005, absolute=False):
    if got is None or abs(got - want) > tolerance * (1 if absolute else abs(want)):
        fails.append('%s: %s, not %s' % (what, got, want))


def compare(name, got, want):
    near(name + ' slowdown', got['slowdown'], want['S'])
    if 'launch_slowdown' in want:
        near(name + ' launch slowdown', got['launch_slowdown'], want['launch_slowdown'])
    if want['S'] >= 1.03:
        near(name + ' M_W', got['m_w'], want['M_W'], absolute=True)
        near(name + ' M_S', got['m_s'], want['M_S'], absolute=True)
    for rows, key, figures in (('by_type', 'type', 'S_t'), ('by_stage', 'stage', 'S_stage'),
                               ('by_dp_rank', 'dp_rank', 'S_dp')):
        for row in got[rows]:
            if figures in want and str(row[key]) in want[figures]:
                near('%s %s' % (name, row[key]), row['slowdown'], want[figures][str(row[key])])
    for row in got['workers']:
        rank = str(row['rank'])
        if 'S_w_exact' in want:
            near('%s rank %s' % (name, rank), row['slowdown'], want['S_w_exact'][rank])
        elif 'S_w' in want:
            near('%s rank %s' % (name, rank), row['slowdown_estimate'], want['S_w'][rank])


def public():
    for name in ('AR', 'ST', 'STvaried'):
        folder = os.path.join(SHARED, 'corpus', 'job', name)
        with open(os.path.join(SHARED, 'oracle', 'job', name + '.json')) as f:
            want = json.load(f)['figures']
        for path in ('timeline-%s.json.gz' % name, 'ranks'):
            path = os.path.join(folder, path)
            got = job(path) if os.path.exists(path) else None
            if got:
                compare(path, got, want)


GENERATOR = os.path.join(SHARED, 'tools', 'gen_job.py')


def generate(folder, options):
    subprocess.run([sys.executable, GENERATOR, '-o', folder, *options.split()], check=True)


# Options, the kind of the first finding, and what must be in it.
FAULTS = [
    ('', None, {}),
    ('--fault slow-rank:5:1.5', 'slow-rank', {'rank': 5}),
    ('--fault slow-rank:14:1.2', 'slow-rank', {'rank': 14}),
    ('--fault slow-stage:1:1.3', 'slow-stage', {'stage': 1}),
    ('--fault slow-stage:0:1.2', 'slow-stage', {'stage': 0}),
    ('--fault slow-link:9:20', 'slow-link', {'ranks': '9'}),
    ('--fault slow-link:3:40', 'slow-link', {'ranks': '3'}),
    ('--fault late-loader:3:30', 'late-loader', {'rank': 3}),
    ('--fault late-loader:12:40:2', 'late-loader', {'rank': 12}),
    ('--fault clock:1:5000', 'clock-offset', {'host': 'node0001'}),
    ('--fault clock:1:3600000000', 'clock-offset', {'host': 'node0001'}),
    ('--fault missing:6', 'missing-rank', {'rank': 6}),
    ('--fault missed:10', 'missed-collective', {'rank': 10}),
    ('--fault missed:1', 'missed-collective', {'rank': 1}),
    ('--fault slow-rank:5:1.5 --fault clock:1:-3000:20 --fault missing:12', 'slow-rank',
     {'rank': 5}),
    ('--fault slow-rank:5:1.32 --fault slow-link:6:20', 'slow-rank', {'rank': 5}),
    ('--fault slow-rank:2:1.52 --fault slow-link:11:24', 'slow-rank', {'rank': 2}),
    ('--fault slow-rank:5:1.5 --fault slow-rank:1:1.5', 'slow-rank', {'set': {1, 5}}),
    ('--dp 2 --fault slow-rank:1:1.7 --fault slow-rank:2:1.7 --fault slow-rank:6:1.7', 'slow-rank', {'set': {1, 2, 6}}),
    ('--fault late-loader:6:30 --fault missing:11', 'late-loader', {'rank': 6}),
    ('--gpus 4 --fault clock:0:5000', 'clock-offset', {'host': 'node0000'}),
    ('--dp 4 --pp 4 --tp 1 --fault slow-rank:3:1.33 --fault slow-link:12:58', 'slow-rank',
     {'rank': 3}),
    ('--dp 2 --pp 4 --tp 2 --fault slow-rank:9:1.4', 'slow-rank', {'rank': 9}),
    ('--dp 8 --pp 1 --tp 2 --fault slow-rank:11:1.3', 'slow-rank', {'rank': 11}),
    ('--dp 16 --pp 1 --tp 1 --fault late-loader:7:25', 'late-loader', {'rank': 7}),
    ('--dp 2 --pp 4 --tp 2 --fault slow-stage:3:1.4', 'slow-stage', {'stage': 3}),
]


def faults(seeds):
    named = 0
    for options, kind, values in FAULTS:
        for seed in seeds:
            folder = tempfile.mkdtemp()
            generate(folder, options + ' --seed %s' % seed)
            got = job(folder)
            shutil.rmtree(folder)
            if not got:
                continue
            first = got['findings'][0] if got['findings'] else {'kind': None}
            wrong = first['kind'] != kind
            for key, value in values.items():
                if key == 'set':
                    wrong |= value != set(map(int, first['ranks'].split(',')))
                elif key == 'ranks':
                    wrong |= value not in first.get(key, '').split(',')
                else:
                    wrong |= first.get(key) != value
            if wrong:
                fails.append('%s, seed %s: the first finding is %s' % (options, seed, first))
            named += 1
    return named


def what_if():
    """A slow rank made as much faster: the step of the job without the fault, known by simulation; in
    the bracket where traces do not say which stream waits for which."""
    for seed in (1, 2):
        folder = tempfile.mkdtemp()
        generate(folder, '--fault slow-rank:5:1.5 --seed %d' % seed)
        with open(os.path.join(folder, 'truth.json')) as f:
            want = json.load(f)['mean_step_time_healthy'] * 1e9
        os.remove(os.path.join(folder, 'truth.json'))
        for is_inferred in (False, True):
            if is_inferred:
                for name in os.listdir(folder):
                    path = os.path.join(folder, name)
                    with open(path) as f:
                        lines = [line for line in f if '"cuda_sync"' not in line]
                    with open(path, 'w') as f:
                        f.writelines(lines)
            got = job('--what-if', 'rank 5=1.5', folder)
            if not got:
                continue
            near('what if rank 5', got['what_if_after'], want, 0.02 if is_inferred else 0.002)
            if is_inferred != (got['what_if_least'] < got['what_if_most']):
                fails.append('what if rank 5: a bracket that says otherwise')
            if is_inferred and not got['what_if_least'] <= want * 1.001 <= got['what_if_most'] * 1.002:
                fails.append('what if rank 5: %s is not in the bracket' % want)
        shutil.rmtree(folder)


VERDICTS = {'ok': None, 'undecided': 'undecided', 'missing-rank': 'missed-collective',
            'type-mismatch': 'mismatched-collective', 'size-mismatch': 'mismatched-collective',
            'dtype-mismatch': 'mismatched-collective', 'state-mismatch': 'stuck-collective',
            'order': 'collective-order', 'straggler': 'late-rank'}


def flight_recorder():
    """Dumps whose faults are known: the verdict, the collective and the culprit come first."""
    folder = os.path.join(SHARED, 'corpus', 'comm', 'flight-recorder')
    for name in sorted(os.listdir(folder)):
        if not name.endswith('.expected.tsv'):
            continue
        with open(os.path.join(folder, name)) as f:
            verdict, _, sequence, operation, culprits, _ = f.read().split('\n')[1].split('\t')
        got = job(os.path.join(folder, name.split('.')[0]))
        if not got:
            continue
        first = got['findings'][0] if got['findings'] else {'kind': None}
        wrong = first['kind'] != VERDICTS[verdict]
        if verdict != 'ok':
            wrong |= first.get('rank') != int(culprits)
        if verdict.endswith('mismatch') or verdict == 'missing-rank':
            wrong |= sequence.isdigit() and first['sequence'] != int(sequence)
            wrong |= first['operation'] != operation.split(' ')[0]
        if wrong:
            fails.append('flight recorder %s: %s' % (name, first))


def inspector():
    """Logs of NCCL's inspector: the shortest and the longest time in each collective, who was longest,
    and whose log lacks the last."""
    folder = os.path.join(SHARED, 'corpus', 'comm', 'nccl-inspector')
    with open(os.path.join(folder, 'expected.tsv')) as f:
        rows = [line.rstrip('\n').split('\t') for line in f][1:]
    got = job(*sorted(os.path.join(folder, name) for name in os.listdir(folder)
                      if name.endswith('.log')))
    for operation in {row[1] for row in rows}:
        mine = [row for row in rows if row[1] == operation]
        for row in got['collectives'] if got else ():
            if row['operation'] == operation:
                near(operation, row['transfer'], sum(int(r[5]) for r in mine) * 1e3, 1e-9)
                near(operation, row['skew'], sum(int(r[6]) - int(r[5]) for r in mine) * 1e3, 1e-9)
                best = max(float(r[9]) * int(r[6]) / int(r[5]) for r in mine)
                near(operation, row['bus_bandwidth'], best * 1e9, 0.01)
    kinds = [(f['kind'], f['rank']) for f in got['findings']] if got else None
    if kinds != [('missed-collective', int(rows[-1][10])), ('long-collectives', int(rows[-1][7]))]:
        fails.append('nccl inspector: %s' % kinds)


def generated():
    with open(os.path.join(SHARED, 'oracle', 'job', 'generated.json')) as f:
        jobs = json.load(f)['jobs']
    whole = {want['options']: want['figures'] for want in jobs}
    for want in jobs:
        figures = want['figures']
        folder = tempfile.mkdtemp()
        generate(folder, want['options'])
        got = job(folder)
        shutil.rmtree(folder)
        if got and 'missing' in want['options']:
            lacking(want['options'], got, figures, whole)
        elif got:
            compare(want['options'] or 'healthy', got, figures)


def lacking(name, got, figures, whole):
    """Where a rank has no file, the reference counts waiting for it as transfer, an upper bound, by
    which others look as slow as the culprit, and M_W is that of whoever comes first. Here that is left
    out: M_W is that of the job with all its ranks."""
    near(name + ' slowdown', got['slowdown'], figures['S'])
    near(name + ' launch slowdown', got['launch_slowdown'], figures['launch_slowdown'])
    for row in got['by_type']:
        if row['type'].endswith('-compute'):
            near('%s %s' % (name, row['type']), row['slowdown'], figures['S_t'][row['type']])
    if figures['S'] >= 1.03:
        near(name + ' M_W', got['m_w'], whole[name.split(' --fault clock')[0]]['M_W'], absolute=True)
        near(name + ' M_S', got['m_s'], figures['M_S'], absolute=True)
        near(name + ' next worst', got['workers'][1]['slowdown'], 1, absolute=True)


def public_lacking():
    """The public jobs without one of their files: as the reference says of the same."""
    for name, rank in (('AR', '020'), ('AR', '052'), ('ST', '002'), ('ST', '007')):
        folder = tempfile.mkdtemp()
        ranks = os.path.join(SHARED, 'corpus', 'job', name, 'ranks')
        for file in os.listdir(ranks):
            if rank not in file:
                shutil.copy(os.path.join(ranks, file), folder)
        run = subprocess.run([sys.executable, os.path.join(SHARED, 'tools', 'job_reference.py'),
                              '--levels', 'mw,ms', folder], capture_output=True, check=True)
        want = json.loads(run.stdout)
        want = want.get('figures', want)
        got = job(folder)
        shutil.rmtree(folder)
        if got:
            for figure, key in (('S', 'slowdown'), ('M_W', 'm_w'), ('M_S', 'm_s')):
                near('%s without rank %s: %s' % (name, rank, figure), got[key], want[figure],
                     absolute=figure != 'S')


public()
public_lacking()
what_if()
flight_recorder()
inspector()
generated()
named = faults((1, 2, 3))
for fail in fails:
    print('FAIL job: ' + fail)
print('corpus: job %s: %d generated jobs' % ('failed' if fails else 'passed', named))
sys.exit(bool(fails))
