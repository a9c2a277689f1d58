#!/usr/bin/env python3
"""What ptk job says of traces that are cut, of another run, counted or clocked otherwise.

usage: compare_job_faults.py PTK SHARED
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

PTK, SHARED = os.path.abspath(sys.argv[1]), sys.argv[2]
GENERATOR = os.path.join(SHARED, 'tools', 'gen_job.py')
BASE = 1700000000000000000
HOUR, DAY = 3600 * 10**9, 86400 * 10**9
fails = []


def ptk(*words):
    return subprocess.run([PTK, *words], capture_output=True)


class Job:
    """A generated job, whose traces can be changed."""

    def __init__(self, options=''):
        self.folder = tempfile.TemporaryDirectory()
        self.generate(self.folder.name, options)

    @staticmethod
    def generate(folder, options):
        subprocess.run([sys.executable, GENERATOR, '-o', folder, '--microbatches', '4',
                        *options.split()], check=True)
        os.remove(os.path.join(folder, 'truth.json'))

    def path(self, rank):
        return os.path.join(self.folder.name, 'rank%03d.pt.trace.json' % rank)

    def change(self, ranks, function):
        for rank in ranks:
            with open(self.path(rank)) as f:
                text = f.read()
            with open(self.path(rank), 'w') as f:
                f.write(function(text))

    def paths(self):
        return [os.path.join(self.folder.name, name) for name in sorted(os.listdir(self.folder.name))]


def figures(report):
    """Those that no clock and no name of a rank may change."""
    return [report[key] for key in ('slowdown', 'step_replayed', 'step_ideal')] + \
        sorted((row['stage'], row['slowdown']) for row in report['workers'])


def expect(what, job, line='', status=0, slowest=None, like=None, first=None):
    """The exit status; a line of the report or a message; the slowest rank; equal figures."""
    run = ptk('job', job.folder.name)
    if run.returncode != status:
        return fails.append('%s: status %d: %s' % (what, run.returncode, run.stderr.decode()))
    if line.lower() not in ' '.join((run.stdout.decode() + run.stderr.decode()).lower().split()):
        fails.append('%s: nowhere "%s"' % (what, line))
    if status:
        return None
    report = json.loads(ptk('job', '-q', '-f', 'json', job.folder.name).stdout)
    if first and report['findings'][0]['kind'] != first:
        fails.append('%s: first is %s' % (what, report['findings'][0]))
    if slowest is not None and report['findings'][0].get('rank') != slowest:
        fails.append('%s: not rank %d: %s' % (what, slowest, report['findings'][:1]))
    if like:
        for got, want in zip(figures(report)[:3], like[:3]):
            if abs(got - want) > 0.005 * want:
                fails.append('%s: %s, not %s' % (what, got, want))
    return report


def steps_from(first):
    return lambda text: re.sub(r'ProfilerStep#(\d+)',
                               lambda m: 'ProfilerStep#%d' % (int(m[1]) + first), text)


def clock(ns):
    return lambda text: text.replace('"baseTimeNanoseconds": %d' % BASE,
                                     '"baseTimeNanoseconds": %d' % (BASE + ns))


def times(function):
    return lambda text: re.sub(r'"ts": ([0-9.]+)',
                               lambda m: '"ts": %.3f' % function(float(m[1])), text)


def without_host(text):
    return re.sub(r'"hostname": "[^"]*",', '', text)


def traces():
    slow = '--fault slow-rank:5:1.5 '
    want = figures(expect('healthy clocks', Job(slow), slowest=5))
    for part, line in ((0.6, 'the trace of rank 3 is cut'),
                       (0.1, 'rank 3 lacks steps that most have, and is left out')):
        job = Job(slow)
        job.change([3], lambda text: text[:int(len(text) * part)])
        expect('rank 3 cut at %.1f' % part, job, line, slowest=5)
    job = Job(slow)
    job.change([3], lambda text: text[:300])
    expect('rank 3 without events', job, 'rank 3 has no trace', slowest=5)
    for ranks, first in (([3], 10), (range(8), 2), (range(16), 100)):
        job = Job(slow)
        job.change(ranks, steps_from(first))
        expect('steps counted from %d' % first, job, 'corrected by the collectives'
               if len(ranks) < 16 else '', slowest=5, like=want)
    job = Job(slow)
    other = Job('--dp 2 --seed 9')
    os.replace(other.path(3), os.path.join(job.folder.name, 'zz.json'))
    expect('a rank of a smaller job', job, 'rank 3 is of a job of 8 ranks, others are of one of 16', 3)
    for ns in (0, DAY, -DAY):
        job = Job(slow)
        other = Job('--seed 9')
        other.change([3], clock(ns))
        os.replace(other.path(3), job.path(3))
        expect('a rank of another run', job, 'collectives of rank 3 do not end', first='foreign-rank')
    job = Job('--fault missed:10')
    expect('a rank that stopped', job, 'rank 10 never entered', first='missed-collective')


def clocks():
    slow = '--fault slow-rank:5:1.5 '
    want = figures(expect('clocks that agree', Job(slow), slowest=5))
    job = Job(slow)
    job.change(range(8, 16), clock(2 * HOUR))
    expect('a host two hours ahead', job, 'the clock of host node0001 is 7200 s ahead', slowest=5,
           like=want)
    job = Job(slow)
    for rank in range(16):
        job.change([rank], lambda text: clock(random.Random(rank).randint(-10**9, 10**9))(
            without_host(text)))
    expect('a clock for each rank', job, slowest=5, like=want)
    for ppm in (-200, 20, 200):
        job = Job(slow + '--steps 12 --fault clock:1:5000:%d' % ppm)
        report = expect('a clock that drifts by %d' % ppm, job, 'host node0001', slowest=5)
        row = report['clocks'][8]
        moved = row['offset_last'] - row['offset']
        ran = report['step_recorded'] * 11
        if abs(row['offset'] - 5000000) > 50000 or abs(moved - ppm * ran / 1e6) > 50000:
            fails.append('drift of %d: %s' % (ppm, row))
    for at, by in ((600000, 50000), (350000, -3000), (550000, 2000000)):
        job = Job(slow)
        job.change(range(8, 16), times(lambda ts: ts + (by if ts > at else 0)))
        report = expect('a clock set by %d us' % by, job, 'host node0001', slowest=5, like=want)
        if abs(report['clocks'][8]['offset_last'] - by * 1000) > 50000:
            fails.append('clock set by %d us: %s' % (by, report['clocks'][8]))


def renumbered():
    """Ranks named otherwise, consistently, change no figure but by what clocks are uncertain by, as
    it is the smallest rank's that others are compared with."""
    job = Job('--dp 8 --pp 1 --tp 2 --fault slow-rank:11:1.3')
    want = expect('as numbered', job, slowest=11)

    def rename(text):
        text = re.sub(r'"rank": (\d+)', lambda m: '"rank": %d' % ((int(m[1]) + 8) % 16), text)
        return re.sub(r'("ranks": |"Process Group Ranks": "?)\[([^]]*)\]', lambda m: m[1] + '[' +
                      ', '.join(str(x) for x in sorted((int(r) + 8) % 16
                                                       for r in m[2].split(','))) + ']', text)

    job.change(range(16), rename)
    got = expect('numbered otherwise', job, slowest=3)
    for key in ('slowdown', 'launch_slowdown', 'step_replayed', 'step_ideal'):
        if abs(got[key] - want[key]) > 1e-5 * abs(want[key]):
            fails.append('other numbers change %s: %s, not %s' % (key, got[key], want[key]))


def blame():
    """Who came last, and who waited, add up."""
    job = Job()
    report = json.loads(ptk('job', '-q', '-f', 'json', job.folder.name).stdout)
    joins = sum(row['count'] for row in report['collectives'])
    if sum(row['last'] for row in report['workers']) != joins:
        fails.append('not every collective has one rank that came last')


def slow_link():
    """Without a slow link all that goes over it is quick, also what no other group does."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, GENERATOR, '-o', folder, '--dp', '4', '--pp', '1', '--tp', '2', '--gpus', '4',
                        '--steps', '3', '--fault', 'slow-link:4:40'], check=True)
        with open(os.path.join(folder, 'truth.json')) as f:
            truth = 1e9 * json.load(f)['mean_step_time_healthy']
        os.remove(os.path.join(folder, 'truth.json'))
        first = json.loads(ptk('job', '-q', '-f', 'json', folder).stdout)['findings'][0]
        if first['kind'] != 'slow-link' or abs(first['step_time_without'] - truth) > 0.001 * truth:
            fails.append('a slow link: %s without it, not %.0f' % (first['step_time_without'], truth))


def killed():
    """A reduce that is killed leaves its output as it was, or whole."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job()
        out, parts = os.path.join(folder, 'out.part'), []
        for i, path in enumerate(job.paths()):
            parts.append(os.path.join(folder, '%d.part' % i))
            ptk('map', '-q', '-o', parts[-1], path)
        whole = ptk('reduce', *parts).stdout
        begun = time.monotonic()
        ptk('reduce', '-o', out, *parts)
        took = time.monotonic() - begun
        for k in range(40):
            if os.path.exists(out):
                os.remove(out)
            process = subprocess.Popen([PTK, 'reduce', '-o', out, *parts])
            time.sleep(took * k / 36)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if os.path.exists(out):
                with open(out, 'rb') as f:
                    if f.read() != whole:
                        fails.append('a reduce that was killed left half a part')
        again = ptk('reduce', '-o', out, *parts)
        if again.returncode or open(out, 'rb').read() != whole:
            fails.append('a reduce after one that was killed differs')


traces()
clocks()
renumbered()
blame()
slow_link()
killed()
for fail in fails:
    print('FAIL job faults: ' + fail)
print('corpus: job faults %s' % ('failed' if fails else 'passed'))
sys.exit(bool(fails))
