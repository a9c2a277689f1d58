"""Compares ptk with read_nvprof.py of ../shared: rows by kind, and the sums of calls and times."""
import csv, glob, io, json, os, re, subprocess, sys

ptk, shared = sys.argv[1], os.path.abspath(sys.argv[2])
sys.argv = [sys.argv[0], '/dev/null']
reader = {}
source = open(shared + '/tools/read_nvprof.py').read()
exec(source[:source.rindex('\nfor f in sorted(')], reader)


def run(command, path):
    done = subprocess.run([ptk, *command, path], capture_output=True)
    return done.returncode, done.stdout.decode('utf-8', 'replace')


def facts(path):
    status, out = run(['info', '-f', 'json'], path)
    return json.loads(out) if status == 0 else None


def sums(path):
    """Calls and ns of all summary rows, as the reader's expressions find them."""
    calls = ns = slack = 0
    header = units = None
    lines = open(path, 'rb').read().decode('utf-8', 'replace').splitlines()
    for at, line in enumerate(lines):
        text = line.strip()
        if text.startswith(('"Type","Time(%)"', '"Time(%)","Time","Calls"')):
            header = next(csv.reader([text]))
            units = dict(zip(header, next(csv.reader([lines[at + 1].strip()]))))
            continue
        if re.match(r'^(Type\s+)?Time\(%\)\s+Time\s+Calls', text):
            header = None
            unit = re.match(r'^\s*%\s+(s|ms|us|ns)\b', lines[at + 1]) if at + 1 < len(lines) else None
            units = unit and unit.group(1)
            continue
        row = None
        if header and text.count(',') >= len(header) - 1:
            cells = next(csv.reader([text]))
            if len(cells) == len(header):
                row = dict(zip(header, cells))
                try:
                    time, count = float(row['Time']) * reader['TU'][units['Time']], int(row['Calls'])
                except (ValueError, KeyError):
                    continue
                slack += reader['TU'][units['Time']] * 1e-6 + 1e-9 * time
        elif header is None:
            found = reader['TXT'].match(line)
            if found:
                time, count = reader['tval'](found.group('time')), int(found.group('calls'))
            elif units and (found := reader['TXTU'].match(line)):
                time, count = float(found.group('time')) * reader['TU'][units], int(found.group('calls'))
            if not found or time is None:
                continue
            row, slack = found, slack + 1e-4 * time + 1
        if row is not None:
            calls, ns = calls + count, ns + time
    return calls, ns, slack


def rows_of(info):
    found = {}
    for key in ('device_rows', 'api_rows', 'openacc_rows', 'range_rows', 'metric_rows', 'event_rows'):
        found[key] = info.get(key) or 0
    return found


checked = failed = 0
for path in sorted(glob.glob(shared + '/corpus/nvprof/*/*')):
    kind, expected = reader['parse'](path)
    if kind.startswith('nsys-csv'):
        checked += 1
        info, name = facts(path), os.path.basename(path)
        rows = sum((info or {}).get(key) or 0 for key in
                   ('device_rows', 'api_rows', 'range_rows', 'os_rows'))
        table = list(csv.DictReader(l for l in open(path) if ',' in l and '[' not in l.split(',')[0]))
        column = next(c for c in table[0] if c.startswith(('Total Time', 'Duration (')))
        status, out = run(['hotspots', '-q', '-f', 'csv', '-n', '0', '--value', 'time'], path)
        ns = sum(int(row['self']) for row in csv.DictReader(io.StringIO(out)))
        want = sum(int(row[column]) for row in table if 'DurChild (ns)' not in row or row['Lvl'] == '0')
        if rows != expected['trace_rows'] or ns != want:
            print('FAIL', name, 'expected', expected['trace_rows'], want, 'found', rows, ns)
            failed += 1
        continue
    if not kind.startswith('nvprof') or 'sqlite' in kind:
        continue
    wanted = {key: expected.get(key, 0) for key in ('sum_rows', 'trace_rows', 'api_rows')}
    counted = sum(expected.get(key, 0) for key in ('metric_rows', 'event_rows'))
    lines = open(path, 'rb').read().decode('utf-8', 'replace').splitlines()
    wide = {'csv_wide_flop_counts_titanx_pascal.csv': 1, 'csv_wide_trace_events_metrics_gtxtitan.csv': 4}
    counted += sum(' instances)"' in line for line in lines) + wide.get(os.path.basename(path), 0)
    counted += sum(bool(re.match(r'^\s*\d+\s+[a-z_0-9]+(\s+\S+){3}$', line)) for line in lines) \
        if 'nvprof-text-events' in kind else 0
    if not any(wanted.values()) and not counted:
        continue
    checked += 1
    name = path[len(shared) + len('/corpus/nvprof/'):]
    info = facts(path)
    if info is None:
        print('FAIL', name, 'is not read;', wanted)
        failed += 1
        continue
    found = rows_of(info)
    if 'trace' in kind:
        pairs = [('trace rows', wanted['trace_rows'], found['device_rows']),
                 ('api rows', wanted['api_rows'], found['api_rows'])]
    elif wanted['sum_rows']:
        total = sum(found[k] for k in ('device_rows', 'api_rows', 'openacc_rows', 'range_rows'))
        pairs = [('summary rows', wanted['sum_rows'], total)]
        status, out = run(['hotspots', '-q', '-f', 'csv', '-n', '0', '--value', 'time'], path)
        table = list(csv.DictReader(io.StringIO(out)))
        calls, ns, slack = sums(path)
        pairs.append(('calls', calls, sum(int(r['calls']) for r in table)))
        time = sum(int(r['cum']) for r in table)
        if abs(time - ns) > slack:
            pairs.append(('ns', ns, time))
    else:
        pairs = []
    pairs.append(('metric rows', counted, found['metric_rows']))
    for what, want, have in pairs:
        if want != have:
            print('FAIL', name, what, 'expected', want, 'found', have)
            failed += 1
print('nvprof: %d files compared, %d differ' % (checked, failed))
sys.exit(failed > 0 or checked < 20)
