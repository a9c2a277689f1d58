"""One run, told by several producers, is one run: ptk must conclude the same from each.
Random runs of a training loop are written as traces of Kineto, Nsight Systems and Paddle, and random
stacks as pprof and folded. Whole microseconds, which all of them can say."""
import json, os, random, sqlite3, subprocess, sys, tempfile

ptk = sys.argv[1]
checked = failed = 0


def ask(*command):
    return json.loads(subprocess.run([ptk, *command, '-q', '-f', 'json'], capture_output=True, check=True).stdout)


class Run:
    """A thread that launches kernels and copies on two streams, and waits for them now and then."""

    def __init__(self, seed):
        chance = random.Random(seed)
        now, self.host, self.calls, self.work, done = 100, [], [], [], {7: 0, 20: 0}
        self.steps, last = [], 0
        for step in range(3):
            begin = now
            for _ in range(chance.randint(4, 9)):
                start, operator = now, chance.choice(['aten::mm', 'aten::relu', 'aten::add_'])
                now += chance.randint(3, 90)
                for _ in range(chance.randint(1, 3)):
                    kind = chance.choice(['kernel', 'kernel', 'kernel', 'copy'])
                    name = 'cudaLaunchKernel' if kind == 'kernel' else 'cudaMemcpyAsync'
                    call, stream = chance.randint(4, 9), chance.choice([7, 7, 20])
                    correlation = len(self.calls) + 1
                    self.calls.append((name, now, call, correlation))
                    ran = max(now + call + chance.randint(2, 5), done[stream] + 1)
                    length = chance.randint(5, 150)
                    self.work.append((kind, ran, length, stream, correlation, chance.choice(['gemm_128x64', 'relu_kernel'])))
                    done[stream] = ran + length
                    now += call + chance.randint(1, 4)
                now += chance.randint(1, 20)
                self.host.append((operator, start, now - start))
                now += chance.randint(1, 40)
            end = max(max(done.values()), now) + chance.randint(3, 9)
            self.calls.append(('cudaDeviceSynchronize', now, end - now, len(self.calls) + 1))
            now = end + 5
            self.steps.append((step, begin - 1, now - begin + 1))
            now += chance.randint(10, 60)


ZERO = 1700000000000000  # us


def write_kineto(run, path):
    events = []

    def add(cat, name, start, length, tid, pid=4000, **args):
        events.append({'ph': 'X', 'cat': cat, 'name': name, 'pid': pid, 'tid': tid, 'ts': ZERO + start, 'dur': length, 'args': args})

    for number, start, length in run.steps:
        add('user_annotation', 'ProfilerStep#%d' % number, start, length, 4000)
    for name, start, length in run.host:
        add('cpu_op', name, start, length, 4000)
    for name, start, length, correlation in run.calls:
        add('cuda_runtime', name, start, length, 4000, correlation=correlation)
    for kind, start, length, stream, correlation, name in run.work:
        where = dict(device=0, stream=stream, correlation=correlation)
        if kind == 'copy':
            add('gpu_memcpy', 'Memcpy HtoD (Pinned -> Device)', start, length, stream, 0, bytes=4096, **where)
        else:
            add('kernel', name, start, length, stream, 0, grid=[216, 1, 1], block=[128, 1, 1], **where)
    with open(path, 'w') as out:
        json.dump({'schemaVersion': 1, 'deviceProperties': [{'id': 0, 'name': 'Synthetic GPU', 'numSms': 108}],
                   'traceEvents': events}, out)


def write_nsys(run, path):
    base, texts = sqlite3.connect(path), {}

    def text(name):
        return texts.setdefault(name, len(texts) + 1)

    base.executescript('''
        CREATE TABLE META_DATA_EXPORT(name text, value text);
        CREATE TABLE StringIds(id integer primary key, value text);
        CREATE TABLE TARGET_INFO_GPU(id int, name text, smCount int, cuDevice int);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start int, end int, deviceId int, contextId int, streamId int,
            correlationId int, globalPid int, demangledName int, gridX int, gridY int, gridZ int, blockX int, blockY int, blockZ int);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start int, end int, deviceId int, contextId int, streamId int,
            correlationId int, globalPid int, bytes int, copyKind int, srcKind int, dstKind int);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start int, end int, globalTid int, correlationId int, nameId int);
        CREATE TABLE NVTX_EVENTS(start int, end int, eventType int, rangeId int, text text, globalTid int, textId int);
        INSERT INTO META_DATA_EXPORT VALUES('EXPORT_SCHEMA_VERSION', '3.17.2');
        INSERT INTO TARGET_INFO_GPU VALUES(0, 'Synthetic GPU', 108, 0);''')
    pid, tid = 4000 << 24, 4000 << 24 | 4000
    for number, start, length in run.steps:
        base.execute('INSERT INTO NVTX_EVENTS VALUES(?,?,59,0,?,?,NULL)', (start * 1000, (start + length) * 1000, 'ProfilerStep#%d' % number, tid))
    for name, start, length in run.host:
        base.execute('INSERT INTO NVTX_EVENTS VALUES(?,?,59,0,?,?,NULL)', (start * 1000, (start + length) * 1000, name, tid))
    for name, start, length, correlation in run.calls:
        base.execute('INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(?,?,?,?,?)', (start * 1000, (start + length) * 1000, tid, correlation, text(name + '_v7000')))
    for kind, start, length, stream, correlation, name in run.work:
        row = (start * 1000, (start + length) * 1000, 0, 1, stream, correlation, pid)
        if kind == 'copy':
            base.execute('INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(?,?,?,?,?,?,?,4096,1,1,2)', row)
        else:
            base.execute('INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(?,?,?,?,?,?,?,?,216,1,1,128,1,1)', row + (text(name),))
    base.executemany('INSERT INTO StringIds VALUES(?,?)', [(number, name) for name, number in texts.items()])
    base.commit()
    base.close()


def write_paddle(run, path):
    events, first = [], run.steps[0][1]

    def add(cat, name, start, length, tid, pid=4000, **args):
        shown = '%.3f ms' % (length / 1000) if length > 1000 else '%.3f us' % length
        args.update(start_time='%.3f us' % (start - first), end_time='%.3f us' % (start + length - first))
        events.append({'ph': 'X', 'cat': cat, 'name': '%s[%s]' % (name, shown), 'pid': pid, 'tid': tid, 'ts': ZERO + start, 'dur': length, 'args': args})

    for number, start, length in run.steps:
        add('ProfileStep', 'ProfileStep#%d' % number, start, length, '4000(Python)')
    for name, start, length in run.host:
        add('Operator', name, start, length, '4000(C++)')
    for name, start, length, correlation in run.calls:
        add('CudaRuntime', name, start, length, '4000(C++)', **{'correlation id': correlation})
    for kind, start, length, stream, correlation, name in run.work:
        args = {'device': 0, 'context': 1, 'stream': stream, 'correlation id': correlation}
        if kind == 'copy':
            add('Memcpy', 'MEMCPY_HtoD', start, length, stream, 0, bytes=4096, **args)
        else:
            add('Kernel', name, start, length, stream, 0, grid=[216, 1, 1], block=[128, 1, 1], **args)
    with open(path, 'w') as out:
        json.dump({'displayTimeUnit': 'ms', 'schemaVersion': '1.0.2', 'span_indx': '0',
                   'deviceProperties': [{'id': 0, 'name': 'Synthetic GPU', 'smCount': 108}],
                   'traceEvents': events + [{}], 'ExtraInfo': {}}, out)


def plain(name):
    """Copies have a name of each producer's own, steps one of each framework's."""
    if name and 'HtoD' in name:
        return 'copy'
    return name.replace('ProfileStep', 'ProfilerStep') if name else name


def kept(rows, *keys):
    return sorted([plain(row[key]) if key == 'name' else row[key] for key in keys] for row in rows)


def conclusions(path):
    overlap, critical = ask('overlap', path), ask('critical-path', '-n', '0', path)
    device = ask('hotspots', '--value', 'device', '-n', '0', path)
    host = ask('hotspots', '--value', 'host', '-n', '0', path)
    changed = ask('what-if', '--scale', 'gemm=2', path)
    return {
        'overlap': [{key: row[key] for key in row if key != 'start'} for row in overlap['devices']],
        'idle causes': overlap['idle_causes'],
        'idle owners': kept(overlap['idle_owners'], 'cause', 'name', 'gaps', 'idle'),
        'path': [critical['length'], kept(critical['parts'], 'part', 'time')],
        'on the path': kept(critical['rows'], 'name', 'time'),
        'device': kept([row for row in device['rows'] if row['self']], 'name', 'calls', 'self'),
        'host': kept([row for row in host['rows'] if row['kind'] == 'runtime'], 'name', 'calls', 'self', 'cum'),
        'steps': [plain(str(row)) for row in ask('summary', '-t', 'steps', path)['steps']],
        'what-if': [changed[key] for key in sorted(changed) if isinstance(changed[key], (int, float))],
        'bound': [ask('bound', path)['devices'][0][key] for key in ('time', 'compute', 'copy_only', 'idle')],
    }


def compare(what, wanted, found):
    global checked, failed
    for key in wanted:
        checked += 1
        if wanted[key] != found[key]:
            failed += 1
            print('FAIL %s, %s:\n  %s\n  %s' % (what, key, wanted[key], found[key]))


def varint(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, content):
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def write_stacks(seed, folder):
    """Random stacks, the same in both forms: functions that call themselves and one another."""
    chance = random.Random(seed)
    names = ['main', 'parse', 'solve', 'walk', 'hash', 'copy']
    stacks = {}
    for _ in range(60):
        stack = ('main',) + tuple(chance.choice(names[1:]) for _ in range(chance.randint(0, 6)))
        stacks[stack] = stacks.get(stack, 0) + chance.randint(1, 50)
    texts = ['', 'samples', 'count'] + names
    body = field(1, field(1, 1) + field(2, 2))
    for stack, count in stacks.items():
        places = b''.join(varint(names.index(name) + 1) for name in reversed(stack))
        body += field(2, field(1, places) + field(2, varint(count)))
    for number, name in enumerate(names, 1):
        body += field(4, field(1, number) + field(4, field(1, number)))
        body += field(5, field(1, number) + field(2, texts.index(name)))
    body += b''.join(field(6, text.encode()) for text in texts)
    with open(folder + '/stacks.pb', 'wb') as out:
        out.write(body)
    with open(folder + '/stacks.folded', 'w') as out:
        for stack, count in stacks.items():
            out.write('%s %d\n' % (';'.join(stack), count))
    return folder + '/stacks.folded', folder + '/stacks.pb'


def sampled(path):
    rows = ask('hotspots', '-n', '0', path)['rows']
    return {
        'hotspots': kept(rows, 'name', 'self', 'cum'),
        'callers': kept(ask('callers', '-n', '0', '^walk$', path)['rows'][0]['edges'], 'name', 'self', 'cum'),
        'tree': kept(ask('tree', '--depth', '0', '--min-percent', '0', path)['rows'], 'name', 'depth', 'self', 'total'),
        'hidden': kept(ask('tree', '--hide', '^walk$', '--depth', '0', '--min-percent', '0', path)['rows'], 'name', 'depth', 'self', 'total'),
    }


for seed in range(4):
    with tempfile.TemporaryDirectory() as folder:
        run, told = Run(seed), {}
        for name, write, ending in (('Kineto', write_kineto, 'json'), ('Nsight Systems', write_nsys, 'sqlite'), ('Paddle', write_paddle, 'json')):
            path = os.path.join(folder, '%s.%s' % (name[0], ending))
            write(run, path)
            told[name] = conclusions(path)
        for name in ('Nsight Systems', 'Paddle'):
            compare('run %d by Kineto and %s' % (seed, name), told['Kineto'], told[name])
        folded, pprof = write_stacks(seed, folder)
        compare('stacks %d as folded and pprof' % seed, sampled(folded), sampled(pprof))
print('producers: %d compared, %d differ' % (checked, failed))
sys.exit(failed > 0)
