"""Profiles of every format with as many records as one likes.

FORMATS has for each name a function from a count to the file's bytes in pieces. The rows of n records are
linear in n: each record says the same again, later, or of another function whose name ends in its number."""
import csv
import io
import itertools
import json
import marshal
import os
import pickle
import sqlite3
import struct
import sys
import tempfile
import tracemalloc
import types

BLOCK = 1000


def repeated(head, record, tail="", between=""):
    """A text of `record`, a text or a function of its number, between a head and a tail."""
    make = record if callable(record) else lambda i: record

    def pieces(count):
        yield head.encode()
        for first in range(0, count, BLOCK):
            block = between.join(make(i) for i in range(first, min(first + BLOCK, count)))
            yield ((between if first else "") + block).encode()
        yield tail.encode()

    return pieces


def sample(name):
    with open(os.path.join("testdata", name), "rb") as file:
        return file.read()


def json_list(document, path, entries):
    """The document with a list at `path` filled from `entries(count)`."""
    mark = "\0"
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = mark
    head, tail = json.dumps(document, separators=(",", ":")).split(json.dumps(mark))
    return repeated(head + "[", lambda i: json.dumps(entries(i), separators=(",", ":")), "]" + tail, ",")


# ---- protocol buffers ----

def varint(number):
    number &= (1 << 64) - 1
    digits = bytearray()
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    digits.append(number)
    return bytes(digits)


def number(field, value):
    return varint(field << 3) + varint(value)


def inside(field, *parts):
    value = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    return varint(field << 3 | 2) + varint(len(value)) + value


def blocks(head, record, count, tail=b""):
    yield head
    for first in range(0, count, BLOCK):
        yield b"".join(record(i) for i in range(first, min(first + BLOCK, count)))
    yield tail


def pprof(count):
    texts = ["", "cpu", "nanoseconds", "main.c"] + ["function_%d" % i for i in range(100)]
    head = inside(1, number(1, 1), number(2, 2))
    tail = b"".join(inside(4, number(1, i + 1), inside(4, number(1, i + 1), number(2, i)))
                    + inside(5, number(1, i + 1), number(2, i + 4), number(4, 3)) for i in range(100))
    tail += b"".join(inside(6, text) for text in texts)
    stacks = [inside(2, inside(1, b"".join(varint((i * 7 + j * (i % 5 + 1)) % 100 + 1) for j in range(30))),
                     inside(2, varint(1000))) for i in range(100)]
    return blocks(head, lambda i: stacks[i % 100], count, tail)


def otlp_dictionary():
    texts = ["", "cpu", "nanoseconds"] + ["function_%d" % i for i in range(100)]
    tables = b"".join(inside(5, text) for text in texts) + inside(2) + inside(3) + inside(7)
    for i in range(100):
        tables += inside(3, number(1, i + 3)) + inside(2, inside(3, number(1, i + 1)))
        tables += inside(7, inside(1, b"".join(varint((i + j * j) % 100 + 1) for j in range(20))))
    return inside(2, tables)


def otlp(count):
    """One message: its samples' own length stands before them."""
    samples = [inside(2, number(1, i % 100 + 1), inside(4, varint(1000))) for i in range(100)]
    body = inside(1, number(1, 1), number(2, 2)) + b"".join(samples[i % 100] for i in range(count))
    return [otlp_dictionary(), inside(1, inside(2, inside(2, body)))]


def otlp_messages(count):
    """Many, the length of each before it."""
    body = inside(1, number(1, 1), number(2, 2)) + inside(2, number(1, 7), inside(4, varint(1000)))
    message = otlp_dictionary() + inside(1, inside(2, inside(2, body)))
    return blocks(b"", lambda i: struct.pack(">I", len(message)) + message, count)


def otlp_json(count):
    strings = ["", "cpu", "nanoseconds"] + ["function_%d" % i for i in range(100)]
    tables = {"stringTable": strings, "functionTable": [{}] + [{"nameStrindex": i + 3} for i in range(100)],
              "locationTable": [{}] + [{"lines": [{"functionIndex": i + 1}]} for i in range(100)],
              "stackTable": [{}] + [{"locationIndices": [i + 1, 1]} for i in range(100)]}
    profile = {"sampleType": {"typeStrindex": 1, "unitStrindex": 2}, "samples": None}
    message = {"resourceProfiles": [{"scopeProfiles": [{"profiles": [profile]}]}], "dictionary": tables}
    return json_list(message, ["resourceProfiles", 0, "scopeProfiles", 0, "profiles", 0, "samples"],
                     lambda i: {"stackIndex": i % 100 + 1, "values": ["1000"]})(count)


def perfetto(count):
    def packet(time, *parts):
        return inside(1, number(8, time), *parts, number(10, 1), number(13, 2))

    head = inside(1, inside(60, number(1, 5), inside(2, "row")), number(10, 1), number(13, 1))
    head += inside(1, inside(12, b"".join(inside(2, number(1, i + 1), inside(2, "slice_%d" % i))
                                          for i in range(100))), number(10, 1), number(13, 2))
    return blocks(head, lambda i:
                  packet(1000 * i, inside(11, number(9, 1), number(11, 5), number(10, 1 + i % 100)))
                  + packet(1000 * i + 800, inside(11, number(9, 2), number(11, 5))), count)


def xplane(count):
    """A plane of one line; the next planes have a millisecond of their own."""
    def plane(first, events):
        names = b"".join(inside(4, number(1, i + 1), inside(2, number(1, i + 1), inside(2, "kernel_%d" % i)))
                         for i in range(100))
        line = b"".join(inside(4, number(1, i % 100 + 1), number(2, i * 1000000), number(3, 800000))
                        for i in range(first, first + events))
        return inside(1, number(1, 1), inside(2, "/device:GPU:0"),
                      inside(3, number(1, 1), inside(2, "Stream #1(Kernel)"), number(3, 1000), line), names)

    return [plane(0, count)]


# ---- pickles and marshalled values ----

def line_profile(count):
    module = types.ModuleType("_line_profiler")
    module.LineStats = type("LineStats", (), {"__module__": "_line_profiler"})
    sys.modules["_line_profiler"] = module
    stats = module.LineStats()
    stats.timings = {("work.py", i, "function_%d" % i): [(j, 10, 1000) for j in range(i, i + 10)] for i in range(count)}
    stats.unit = 1e-6
    return [pickle.dumps(stats, 2)]


def pstats(count):
    rows = {("main.py", 1, "main"): (1, 1, 1.0, 1.0, {})}
    for i in range(count):
        rows["work.py", i, "function_%d" % i] = 2, 2, 0.001, 0.002, {("main.py", 1, "main"): (2, 2, 0.001, 0.002)}
    return [marshal.dumps(rows)]


def torch_memory(count):
    frames = [{"name": "init", "filename": "layers.py", "line": 12}, {"name": "main", "filename": "main.py", "line": 3}]

    def segment(i):
        address = 1 << 40 | i << 21
        block = {"address": address, "size": 1 << 21, "requested_size": 1 << 21, "state": "active_allocated",
                 "frames": frames}
        return {"device": 0, "address": address, "total_size": 1 << 21, "allocated_size": 1 << 21,
                "active_size": 1 << 21, "requested_size": 1 << 21, "stream": 0, "segment_type": "large",
                "segment_pool_id": (0, 0), "is_expandable": False, "frames": frames, "blocks": [block]}

    return [pickle.dumps({"segments": [segment(i) for i in range(count)], "device_traces": [[]]}, 4)]


def traced(count):
    traces = [(0, 100 + i % 7 * 0, (("work.py", 20 + i % 50), ("main.py", 3)), 2) for i in range(count)]
    return [pickle.dumps(tracemalloc.Snapshot(traces, 2), 4)]


# ---- databases, which are files ----

def database(name, statement, rows):
    def pieces(count):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "database")
            with open(path, "wb") as file:
                file.write(sample(name))
            with sqlite3.connect(path) as connection:
                connection.execute("PRAGMA synchronous=OFF")
                connection.executemany(statement, (rows(i) for i in range(count)))
            connection.close()
            with open(path, "rb") as file:
                yield from iter(lambda: file.read(1 << 20), b"")

    return pieces


NSYS = ("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid, "
        "demangledName, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, "
        "dynamicSharedMemory) VALUES (?, ?, 0, 1, 7, ?, 0, 1, 1, 1, 1, 64, 1, 1, 32, 0, 0)")
NVPROF = ("INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (start, end, deviceId, contextId, streamId, gridX, gridY, "
          "gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory, correlationId, "
          "name) VALUES (?, ?, 0, 1, 9, 1, 1, 1, 64, 1, 1, 32, 0, 0, ?, 1)")
ROCPD = ("INSERT INTO rocpd_region_0198c0de_1093_7000_8000_000000000001 (track_id, name_id, start, end) "
         "VALUES (1, 1, ?, ?)")


# ---- what the samples in testdata hold, over and over ----

def perf_data(count):
    """The samples of the data section `count` times; the features' sections move."""
    whole = bytearray(sample("perf/two-events.data"))
    begin, size = struct.unpack_from("<QQ", whole, 40)
    features = sum(bin(byte).count("1") for byte in whole[72:104])
    samples, at = b"", begin
    while at < begin + size:
        kind, _, length = struct.unpack_from("<IHH", whole, at)
        samples += whole[at:at + length] if kind == 9 else b""
        at += length
    more = samples * (count - 1)
    struct.pack_into("<Q", whole, 48, size + len(more))
    for i in range(features):
        at = begin + size + 16 * i
        struct.pack_into("<Q", whole, at, struct.unpack_from("<Q", whole, at)[0] + len(more))
    return [bytes(whole[:begin + size]), more, bytes(whole[begin + size:])]


def firefox(count):
    document = json.loads(sample("firefox/processed-66.json"))
    for thread in document["threads"]:
        samples = thread["samples"]
        length = samples["length"]
        for key, column in samples.items():
            if isinstance(column, list) and len(column) == length:
                samples[key] = (column * count if key != "time" else
                                [at + 1000 * i for i in range(count) for at in column])
        samples["length"] = length * count
    return [json.dumps(document, separators=(",", ":")).encode()]


def cpu_samples(count):
    """gperftools' words: 5 of a header, a stack a record, 3 of an end, then the mappings."""
    stacks = [struct.pack("<5Q", 2, 3, 0x400100 + i, 0x400200 + i, 0x400300) for i in range(100)]
    return blocks(struct.pack("<5Q", 0, 3, 0, 10000, 0), lambda i: stacks[i % 100], count,
                  struct.pack("<3Q", 0, 1, 0) + b"00400000-00500000 r-xp 00000000 08:01 42 /bin/prog\n")


def rocprof_json():
    document = json.loads(sample("rocprof/run_results.json"))
    records = document["rocprofiler-sdk-tool"][0]["buffer_records"]
    kernel = records["kernel_dispatch"][0]
    records["hip_api"], records["memory_copy"], records["marker_api"] = [], [], []
    return json_list(document, ["rocprofiler-sdk-tool", 0, "buffer_records", "kernel_dispatch"],
                     lambda i: dict(kernel, start_timestamp=1000000000000 + 1000 * i,
                                    end_timestamp=1000000000900 + 1000 * i))


def flight_recorder():
    document = json.loads(sample("flight-recorder/healthy_json/trace_0"))
    entry = document["entries"][0]
    second = 1000000000
    return json_list(document, ["entries"], lambda i: dict(
        entry, record_id=i, collective_seq_id=i + 1, op_id=i + 1,
        time_created_ns=entry["time_created_ns"] + i * second,
        time_discovered_started_ns=entry["time_discovered_started_ns"] + i * second,
        time_discovered_completed_ns=entry["time_discovered_completed_ns"] + i * second))


def ncu():
    lines = sample("ncu/raw.csv").decode().splitlines()
    return repeated("\n".join(lines[:2]) + "\n", lambda i: '"%d"' % i + lines[2][3:] + "\n")


def rocprof():
    head = sample("rocprof/kernel_trace.csv").decode().splitlines()[0]
    return repeated(head + "\n", lambda i: '"KERNEL_DISPATCH","Agent 4",1,0,99,%d,16,"void relax_%d<float>(float*)",%d,'
                    '%d,%d,1024,0,32,0,16,64,4,1,6400,40,1\n' % (i + 1, i % 50, i, 1000 * i, 1000 * i + 800))


def nvprof():
    lines = sample("nvprof/trace.csv").decode().splitlines()
    return repeated("\n".join(lines[:5]) + "\n", lambda i: "%d.000000,500.000000," % i + lines[6].split(",", 2)[2] + "\n")


def speedscope(count):
    stacks = [[(i * 7 + j * (i % 5 + 1)) % 100 for j in range(30)] for i in range(100)]
    texts = [json.dumps(stack, separators=(",", ":")) for stack in stacks]
    frames = json.dumps([{"name": "function_%d" % i, "file": "main.c", "line": i} for i in range(100)])
    head = ('{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":%s},"profiles":'
            '[{"type":"sampled","name":"p","unit":"nanoseconds","startValue":0,"endValue":%d,"samples":['
            % (frames, 1000 * count))
    yield from repeated(head, lambda i: texts[i % 100], '],"weights":[', ",")(count)
    yield from repeated("", "1000", "]}]}", ",")(count)


def opened_and_closed():
    head = ('{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"outer"},'
            '{"name":"inner"}]},"profiles":[{"type":"evented","name":"p","unit":"nanoseconds","startValue":0,"endValue":'
            '1000000000000,"events":[')
    return repeated(head, lambda i: '{"type":"O","frame":0,"at":%d},{"type":"O","frame":1,"at":%d},'
                    '{"type":"C","frame":1,"at":%d},{"type":"C","frame":0,"at":%d}'
                    % (i * 100, i * 100 + 10, i * 100 + 60, i * 100 + 90), "]}]}", ",")


def stackprof():
    first = 70098916485000
    frames = {str(first + i): {"name": "function_%d" % i, "file": "main.rb", "line": i + 1, "total_samples": 1,
                               "samples": 1} for i in range(100)}
    stacks = [",".join(["30", *(str(first + (i * 7 + j * (i % 5 + 1)) % 100) for j in range(30)), "5"])
              for i in range(100)]
    head = '{"version":1.2,"mode":"wall","interval":1000,"gc_samples":0,"missed_samples":0,"frames":%s,"raw":['
    return repeated(head % json.dumps(frames), lambda i: stacks[i % 100], "]}", ",")


def safari(count):
    stack = ('{"timestamp":4.5,"stackFrames":[{"name":"work_%d","line":3,"column":17,"url":"main.js"},'
             '{"name":"main","line":9,"column":17,"url":"main.js"}]}')
    head = '{"version":1,"recording":{"instrumentTypes":[],"sampleStackTraces":['
    yield from repeated(head, lambda i: stack % (i % 100), '],"sampleDurations":[', ",")(count)
    yield from repeated("", "0.001", "]}}", ",")(count)


def cpuprofile(count):
    frame = {"scriptId": "1", "url": "file:///srv/main.js", "columnNumber": 0}
    nodes = [{"id": 1, "callFrame": dict(frame, functionName="(root)", lineNumber=-1), "children": list(range(2, 102))}]
    nodes += [{"id": i, "callFrame": dict(frame, functionName="function_%d" % i, lineNumber=i)} for i in range(2, 102)]
    head = '{"nodes":%s,"startTime":0,"endTime":%d,"samples":[' % (json.dumps(nodes), 1000 * count)
    yield from repeated(head, lambda i: str(i % 100 + 2), '],"timeDeltas":[', ",")(count)
    yield from repeated("", "1000", "]}", ",")(count)


def v8_log():
    import gzip
    lines = gzip.decompress(sample("v8-log/spool.log.gz")).decode().splitlines(True)
    first = next(i for i, line in enumerate(lines) if line.startswith("profiler,begin"))
    codes = [line for line in lines if line.startswith("code-creation")]
    return repeated("".join(lines[:first + 1] + codes),
                    lambda i: "tick,0x1266bea,%d,0,0x0,6,0x1562cb3,0x1095122\n" % (1000 + 1000 * i))


def massif(count):
    yield ("desc: x\ncmd: ./app\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=%d\n"
           "mem_heap_extra_B=8\nmem_stacks_B=0\nheap_tree=peak\nn%d: %d (heap allocation functions) malloc/new/new[], "
           "--alloc-fns, etc.\n" % (1000 * count, count, 1000 * count)).encode()
    yield from repeated("", lambda i: " n1: 1000 0x%x: work_%d (work.c:%d)\n  n0: 1000 0x1102F0: main (main.c:9)\n"
                        % (0x200000 + i, i % 100, i % 100 + 1))(count)


KERNEL = ('{"ph":"X","cat":"kernel","name":"kernel_%d","pid":0,"tid":7,"ts":%d.125,"dur":8.250,"args":{"device":0,'
          '"stream":7,"correlation":%d,"grid":[64,1,1],"block":[256,1,1]}}')
NCCL = sample("nccl-inspector/node0-pid4000.log").decode().splitlines(True)[0]
GOROUTINE = ("goroutine %d [chan receive]:\nmain.worker(0x1)\n\t/srv/main.go:85 +0xbe\nmain.main()\n"
             "\t/srv/main.go:127 +0x5ae\n\n")
CALLED = ("fn=main\n5 20\ncfn=work_%d\ncalls=3 7\n5 130\n\nfn=work_%d\n7 130\n\n")
STAT = "I1117 11:13:42.981539 2522362816 Stat.cpp:133] Stat=forward_%d  total=136.141   avg=13.6141   max=20.5   min=11.25  count=10\n"
STAT_HEAD = "I1117 11:13:42.981501 2522362816 Stat.cpp:130] ======= StatSet: [GlobalStatInfo] status ======\n"
STAT_TAIL = STAT_HEAD.replace("StatSet: [GlobalStatInfo]", "BarrierStatSet").replace("130]", "141]")
SCRIPT = ("prog  4711/4711 [003] %d.%06d:     250000 cpu-clock:pppH:\n\t55d0c0a01139 work_%d+0x10 (/usr/bin/prog)\n"
          "\t55d0c0a01200 main+0x20 (/usr/bin/prog)\n\n")
POINT = (' {"tb":9600,"tbk":200,"tl":71084354,"mb":9600,"mbk":200,"gb":9600,"gbk":200,"eb":9600,"ebk":200,"rb":3380,'
         '"wb":9400,"fs":[1,%d,3]}')
CALL = ('{"identifier":"work_%d\\u0000work.py\\u0000%d","time":0.002,"attributes":{"l5":0.002},"children":['
        '{"identifier":"[self]","time":0.001,"children":[]}]}')
RUBY = ('{"trace":[{"name":"work_%d","relative_path":"a.rb","absolute_path":"/srv/a.rb","lineno":%d},{"name":"<main>",'
        '"relative_path":"a.rb","absolute_path":"/srv/a.rb","lineno":16}],"pid":42,"thread_id":4242,'
        '"time":{"secs_since_epoch":1700000000,"nanos_since_epoch":%d},"on_cpu":true}\n')
XML_ROW = ('<row><sample-time>1000</sample-time><weight fmt="1.00 ms">1000000</weight><backtrace><frame name="work_%d" addr="0x3">'
           '<binary name="app" path="/app"/></frame><frame name="main" addr="0x2"><binary name="app"/></frame></backtrace></row>\n')
DTRACE = ("              genunix`work_%d+0x2a\n              unix`sys_syscall+0x1a2\n\n"
          "              store`main_%d+0x21\n               25\n\n")
SAMPLED = ("    176 Thread_11\n    + 176 main  (in app) + 4  [0x1000]\n    +   80 work  (in app) + 8  [0x1100]\n"
           "    +   !  40 memcpy  (in libsystem_platform.dylib) + 2  [0x7fff2]\n")
TIMES = sample("time/two.txt").decode()
FLAT = ("Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self              self     total           \n"
        " time   seconds   seconds    calls  ms/call  ms/call  name    \n")
HEAP = "     1:     1000 [     2:     2000] @ 0x400100 0x%x\n"
NODE = ('{"callFrame":{"functionName":"function_%d","scriptId":"23","url":"file:///srv/main.js","lineNumber":%d,'
        '"columnNumber":3},"selfSize":1000,"id":%d,"children":[]}')
REPORT = ("# Samples: 213  of event 'cpu-clock'\n# Event count (approx.): 53250000\n#\n"
          "# Overhead  Command  Shared Object         Symbol                             \n"
          "# ........  .......  ....................  ...................................\n#\n")


SWITCHES = """ <idle>-0 [001] d..2. %d.%09d: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=work_%d next_pid=7 next_prio=120
 work-7 [001] d..2. %d.%09d: sched_switch: prev_comm=work_%d prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
"""

KERNEL_NODE = '{"children": [], "frame": {"name": "work_%d"}, "metrics": {"time (ns)": 1000, "count": 2}}'

SAMPLER_HEAD = """{"type":"meta","v":1,"run_id":"0","sample_interval_usec":1000}
{"type":"str_def","v":1,"run_id":"0","defs":[{"str_id":0,"value":"work.py"}]}
"""
SAMPLER = """{"type":"str_def","v":1,"run_id":"0","defs":[{"str_id":1%d,"value":"work_%d"}]}
{"type":"frame_def","v":1,"run_id":"0","defs":[{"frame_id":%d,"path_str_id":0,"func_str_id":1%d,"line":7}]}
{"type":"agg","v":1,"run_id":"0","kind":"frame","scope":"final","entries":[{"frame_id":%d,"self":2,"cumulative":2}]}
"""
SAMPLER_TAIL = '{"type":"end","v":1,"run_id":"0","samples_total":1}\n'


def pstats_text(count):
    yield from repeated("         %d function calls in %.3f seconds\n\n   Ordered by: internal time\n\n"
                        "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n"
                        % (100 * count, 0.01 * count),
                        lambda i: "      100    0.010    0.000    0.010    0.000 svc.py:%d(function_%d)\n" % (i + 1, i),
                        "\n\n")(count)


FORMATS = {
    "ascend": repeated("Op Name,Task Type,Stream ID,Task Start Time(us),Task Duration(us)\n",
                       lambda i: "work_%d,AI_CORE,12,%d.000\t,0.900\n" % (i % 100, 1717575960000000 + i)),
    "callgrind": repeated("# callgrind format\nversion: 1\ncreator: callgrind\nevents: Ir\n\nfl=main.c\n",
                          lambda i: CALLED % (i % 100, i % 100)),
    "chrome": repeated('{"traceEvents":[\n', lambda i: KERNEL % (i % 100, 10 * i, i), "\n]}\n", ",\n"),
    "cpuprofile": cpuprofile,
    "dhat": repeated('{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs",'
                     '"Mtu":"Minstr","tuth":500,"cmd":"./list","pid":696,"te":603376,"tg":597434,"pps":\n [',
                     lambda i: POINT % (2 + i % 2), '],"ftbl":["[root]","0x1: malloc (in /usr/lib/vg.so)",'
                     '"0x2: work (work.c:3)","0x3: main (work.c:9)"]}\n', ",\n"),
    "firefox": firefox,
    "flight-recorder": flight_recorder(),
    "folded": repeated("", lambda i: "main;outer_%d;inner_%d %d\n" % (i % 100, i % 1000, 12345)),
    "ftrace": repeated("# tracer: nop\n#\n", lambda i: SWITCHES % (i, 0, i % 100, i, 900, i % 100)),
    "goroutines": repeated("", lambda i: GOROUTINE % (i + 1)),
    "gperftools-block": repeated("--- contention:\ncycles/second=1000000000\n",
                                 "13881360339 8880 @ 0x4fca1c 0x4fc9f9\n#\t0x4fca1b\tsync.(*Mutex).Lock+0x5b\t\t/usr/"
                                 "mutex.go:90\n#\t0x4fc9f8\tmain.Put+0x38\t/srv/main.go:40\n\n"),
    "gperftools-cpu": cpu_samples,
    "gperftools-heap": lambda count: repeated(
        "heap profile: %d: %d [ %d: %d] @ heap/0\n" % (count, 1000 * count, 2 * count, 2000 * count),
        lambda i: HEAP % (0x400200 + i % 100),
        "\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 08:01 42 /bin/prog\n")(count),
    "ghc-json": repeated('{"program":"x","tick_interval":1000,"cost_centres":[{"id":7,"label":"f","module":"M","src_loc":"M.hs:1:2"}],'
                         '"profile":{"id":7,"ticks":0,"alloc":0,"children":[',
                         lambda i: '{"id":7,"entries":1,"alloc":16,"ticks":1,"children":[]}', "]}}", ","),
    "gprof": repeated(FLAT, lambda i: "  0.01   %9.2f     0.05        1    50.08    50.08  work_%d\n" % (i * 0.05, i)),
    "heapprofile": repeated('{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,'
                            '"columnNumber":-1},"selfSize":0,"id":1,"children":[',
                            lambda i: NODE % (i % 100, i % 100, i + 2), "]}}", ","),
    "importtime": repeated("import time: self [us] | cumulative | imported package\n",
                           lambda i: "import time:       138 |        138 |   module_%d\n"
                           "import time:        10 |        148 | package_%d\n" % (i, i)),
    "jfr": lambda count: itertools.repeat(sample("jfr/packed.jfr"), count),
    "kernel-annotations": repeated("{", lambda i: '"%d": [{"module_fqn": "Model_0/Layer_0", "name": "aten::mm"}]'
                                   % (38654705667 + i), "}", ",\n"),
    "lprof": line_profile,
    "massif": massif,
    "nccl-inspector": repeated("", NCCL),
    "ncu": ncu(),
    "nsys": database("sqlite/nsys.sqlite", NSYS, lambda i: (1310000 + 1000 * i, 1310800 + 1000 * i, 10000 + i)),
    "nvprof": nvprof(),
    "nvvp": database("sqlite/nvprof.nvvp", NVPROF, lambda i: (1700000000001000000 + 1000 * i, 1700000000001000800 + 1000 * i, 10000 + i)),
    "otlp": otlp,
    "otlp-json": otlp_json,
    "otlp-messages": otlp_messages,
    "paddle-stat": repeated(STAT_HEAD, lambda i: STAT % (i % 100), STAT_TAIL),
    "pc-samples": repeated('"Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment"\n',
                           lambda i: '18446744073709551615,%d,"work_%d","/src/v.cpp:80"\n' % (i % 100, i % 1000)),
    "perf-data": perf_data,
    "perf-report": repeated(REPORT, lambda i: "     0.01%%  work     libc.so.6             [.] work_%d\n" % i),
    "perf-script": repeated("", lambda i: SCRIPT % (1234 + i // 1000, i % 1000 * 1000, i % 100)),
    "perf-stat": repeated("", lambda i: "50.11,msec,task-clock:u%d,50113571,100.00,0.310,CPUs utilized\n" % i),
    "perfetto": perfetto,
    "pprof": pprof,
    "proton": repeated('[{"children": [', lambda i: KERNEL_NODE % (i % 100), '], "frame": {"name": "ROOT"}, '
                       '"metrics": {}}]', ", "),
    "pstats": pstats,
    "pstats-text": pstats_text,
    "pyinstrument": repeated('{"session":{"sample_count":9,"target_description":"x"},"frame_tree":{"identifier":"main","time":1e9,'
                             '"children":[', lambda i: CALL % (i % 100, i % 100), "]}}", ","),
    "rbspy": repeated('rbspy02\n{"sample_rate":100,"rbspy_version":"0.36.0"}\n', lambda i: RUBY % (i % 100, i % 50, i)),
    "rocpd": database("sqlite/rocpd.db", ROCPD, lambda i: (1000009000000 + 1000 * i, 1000009000800 + 1000 * i)),
    "rocprof": rocprof(),
    "rocprof-json": rocprof_json(),
    "safari": safari,
    "scalene": repeated('{"elapsed_time_sec":1000,"files":{"work.py":{"percent_cpu_time":100,"functions":[',
                        lambda i: '{"line":"work_%d","lineno":%d,"n_cpu_percent_python":0.0001,"n_cpu_percent_c":0,'
                        '"n_sys_percent":0,"n_malloc_mb":1}' % (i, i + 1), "]}}}", ","),
    "speedscope": speedscope,
    "speedscope-evented": opened_and_closed(),
    "stackprof": stackprof(),
    "tachyon-jsonl": repeated(SAMPLER_HEAD, lambda i: SAMPLER % (i, i, i, i, i), SAMPLER_TAIL),
    "text-stacks-dtrace": repeated("CPU     ID                    FUNCTION:NAME\n", lambda i: DTRACE % (i % 100, i % 10)),
    "text-stacks-sample": repeated("Call graph:\n", SAMPLED, "Total number in stack\n"),
    "time": repeated("", TIMES),
    "torch-memory": torch_memory,
    "tracemalloc": traced,
    "v8-log": v8_log(),
    "xctrace": repeated('<?xml version="1.0"?>\n<trace-query-result><node><schema name="time-profile"/>', lambda i: XML_ROW % (i % 100),
                        "</node></trace-query-result>\n"),
    "xplane": xplane,
}

# Rows of these have shares of the whole, which few rows do not reach: ptk says that rows are missing.
SHARES = {"gprof", "perf-report"}

# Whose records are all that a sample holds.
STEPS = {"firefox": 1, "jfr": 1, "perf-data": 1}

# How many bytes of memory a byte of the file may take: where the whole of it must be seen at once, where each record
# is a function of its own, where there are events. All else is read in a buffer.
KEPT = {
    "ascend": 1.5, "chrome": 0.25, "cpuprofile": 2, "firefox": 2, "flight-recorder": 1.25, "ftrace": 0.75,
    "ghc-json": 2, "gperftools-block": 0.75, "gperftools-cpu": 2.5, "gperftools-heap": 1.5, "gprof": 9,
    "heapprofile": 0.25, "importtime": 11, "jfr": 1, "kernel-annotations": 0.5, "lprof": 13, "massif": 1.25,
    "ncu": 2.25, "nsys": 2, "nvprof": 0.25, "nvvp": 2, "otlp": 1.25, "otlp-json": 0.75, "otlp-messages": 1.25,
    "pc-samples": 1, "perf-data": 1, "perf-report": 9, "perfetto": 4, "pprof": 1.75, "proton": 1, "pstats": 11,
    "pstats-text": 9, "pyinstrument": 2, "rocpd": 1.75, "rocprof": 0.25, "safari": 0.75, "scalene": 9,
    "speedscope": 1.75, "stackprof": 0.75, "tachyon-jsonl": 1.75, "text-stacks-sample": 3, "torch-memory": 2,
    "tracemalloc": 0.75, "xctrace": 0.25, "xplane": 4,
}


def memory_bound(name, size):
    """In MB."""
    return 16 + KEPT.get(name, 0) * size / 1000000
