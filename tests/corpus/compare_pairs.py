"""ptk roofline on a trace and the metrics of another run: each kernel's FLOPs, bytes, time, and the
golden numbers of semantics/roofline.md."""
import csv, glob, io, os, subprocess, sys

ptk, shared = sys.argv[1], sys.argv[2]
folder = shared + '/corpus/nvprof/pairs-gtx1080ti/'
UNIT = {'s': 1e9, 'ms': 1e6, 'us': 1e3, 'ns': 1}
failed = checked = 0


def table(path, start):
    lines = [l.strip() for l in open(path, errors='replace')]
    at = next(i for i, l in enumerate(lines) if l.startswith(start))
    header = next(csv.reader([lines[at]]))
    return [dict(zip(header, row)) for row in csv.reader(lines[at + 1:]) if len(row) == len(header)]


def kernels(stem):
    times, counts = {}, {}
    units, *rows = table(folder + stem + '.trace.csv', '"Start"')
    for row in rows:
        if row['Grid X']:
            name = row['Name'].rsplit(' [', 1)[0]
            times[name] = times.get(name, 0) + float(row['Duration']) * UNIT[units['Duration']]
    for row in table(folder + stem + '.metrics.csv', '"Device"'):
        one = counts.setdefault(row['Kernel'], {'n': int(row['Invocations'])})
        try:
            one[row['Metric Name']] = float(row['Avg'])
        except ValueError:
            pass
    return times, counts


def close(a, b, by=1e-6):
    return abs(a - b) <= by * max(abs(a), abs(b)) + 1e-9


def expect(what, wanted, found, by=1e-6):
    global failed, checked
    checked += 1
    if not close(wanted, found, by):
        print('FAIL', what, 'expected', wanted, 'found', found)
        failed += 1


for path in sorted(glob.glob(folder + '*.trace.csv')):
    stem = os.path.basename(path)[:-len('.trace.csv')]
    times, counts = kernels(stem)
    out = subprocess.run([ptk, 'roofline', '-q', '-f', 'csv', '-n', '0', path,
                          folder + stem + '.metrics.csv'], capture_output=True, text=True).stdout
    rows = {row['name']: row for row in csv.DictReader(io.StringIO(out))}
    for name, time in times.items():
        one, row = counts.get(name), rows[name]
        expect(stem + ' ns', time, int(row['time']), 1e-6)
        if not one or 'flop_count_sp' not in one:
            continue
        calls = int(row['calls'])
        expect(stem + ' FLOP', calls * sum(one['flop_count_' + p] for p in ('sp', 'dp', 'hp')),
               int(row['flops']), 1e-6)
        expect(stem + ' bytes', calls * 32 * (one['dram_read_transactions'] +
                                              one['dram_write_transactions']), int(row['bytes']), 1e-6)
    golden = {'cudasdk_BlackScholes': ('BlackScholesGPU', 512, 224758, 295565785, 79886080),
              'cudasdk_matrixMul': ('void matrixMulCUDA', 301, 95916, 131072000, None),
              'rodinia_lavaMD': ('kernel_gpu_cuda', 1, 46173000, 11415296000, None)}.get(stem)
    if golden:
        row = next(row for name, row in rows.items() if name.startswith(golden[0]))
        expect(stem + ' launches', golden[1], int(row['calls']))
        expect(stem + ' ns a launch', golden[2], int(row['time']) / golden[1], 1e-5)
        expect(stem + ' FLOP a launch', golden[3], int(row['flops']) / golden[1])
        if golden[4]:
            expect(stem + ' bytes a launch', golden[4], int(row['bytes']) / golden[1])
    if stem == 'cudasdk_BlackScholes':
        expect('intensity', 3.700, float(row['intensity']), 1e-3)
        expect('FLOP/s', 1315.0e9, float(row['achieved_flops']), 1e-3)
        expect('B/s', 355.4e9, float(row['achieved_bytes']), 1e-3)
print('nvprof pairs: %d figures compared, %d differ' % (checked, failed))
sys.exit(failed > 0 or checked < 50)
