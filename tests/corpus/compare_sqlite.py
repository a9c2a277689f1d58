"""Compares ptk with SQL on the databases of nvprof and Nsight Systems: events by kind and their
time; and the golden numbers of formats/nvprof.md."""
import csv, glob, io, json, os, sqlite3, subprocess, sys

ptk, shared = sys.argv[1], sys.argv[2]
P = 'CUPTI_ACTIVITY_KIND_'
failed = checked = 0


def expect(what, wanted, found):
    global failed, checked
    checked += 1
    if wanted != found:
        print('FAIL', what, 'expected', wanted, 'found', found)
        failed += 1


def ask(*command):
    return subprocess.run([ptk, *command], capture_output=True, text=True)


for path in sorted(glob.glob(shared + '/corpus/nvprof/n*-sqlite/*')):
    name = os.path.basename(path)
    base = sqlite3.connect('file:%s?mode=ro&immutable=1' % path, uri=True)
    tables = {row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    wanted = {}
    for table, kind in (('KERNEL', 'kernel'), ('CONCURRENT_KERNEL', 'kernel'), ('MEMCPY', 'memcpy'),
                        ('MEMCPY2', 'memcpy'), ('MEMSET', 'memset'), ('RUNTIME', 'runtime'),
                        ('DRIVER', 'runtime'), ('SYNCHRONIZATION', 'sync')):
        if P + table in tables:
            count, ns = base.execute('SELECT count(*), coalesce(sum(end - start), 0) FROM ' + P + table).fetchone()
            have = wanted.get(kind, (0, 0))
            wanted[kind] = have[0] + count, have[1] + ns
    out = ask('overlap', '-q', '-f', 'json', path)
    if not any(count for count, ns in wanted.values()):
        expect(name + ' exit', 4, out.returncode)
        continue
    found = {}
    for row in csv.DictReader(io.StringIO(ask('hotspots', '-q', '-f', 'csv', '-n', '0', path).stdout)):
        kind = 'kernel' if row['kind'] == 'communication' else row['kind']
        found[kind] = found.get(kind, 0) + int(row['calls'])
    for kind, (count, ns) in wanted.items():
        expect(name + ' ' + kind, count, found.get(kind, 0))
    kinds = {}
    for row in json.loads(out.stdout)['kinds']:
        kind = 'kernel' if row['kind'] == 'communication' else row['kind']
        kinds[kind] = kinds.get(kind, 0) + row['sum']
    for kind in ('kernel', 'memcpy', 'memset'):
        if kind in wanted:
            expect(name + ' ns of ' + kind, wanted[kind][1], kinds.get(kind, 0))
    if name == 'v18_rtx2080ti.prof':
        device = json.loads(out.stdout)['devices'][0]
        rows = {row['kind']: row for row in json.loads(out.stdout)['kinds']}
        expect('2080 Ti sum', 991261033, rows['kernel']['sum'])
        expect('2080 Ti union', 501165483, rows['kernel']['union'])
print('databases: %d figures compared, %d differ' % (checked, failed))
sys.exit(failed > 0 or checked < 40)
