"""An export of Nsight Systems in SQLite, with as many kernels as asked and a launch for each: make_nsys.py KERNELS FILE."""
import random
import sqlite3
import sys

TABLES = """
CREATE TABLE META_DATA_EXPORT(name text, value text);
CREATE TABLE StringIds(id integer primary key, value text);
CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs int);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start int, end int, deviceId int, contextId int, streamId int, correlationId int,
    globalPid int, demangledName int, shortName int, gridX int, gridY int, gridZ int, blockX int, blockY int, blockZ int);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start int, end int, globalTid int, correlationId int, nameId int);
"""
NAMES, PID = 300, 1 << 48 | 4242 << 24


def main():
    count, draw, now, launched = int(sys.argv[1]), random.Random(7), 1000, 0
    base = sqlite3.connect(sys.argv[2])
    base.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + TABLES)
    base.execute("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION_MAJOR', '3')")
    base.executemany("INSERT INTO StringIds VALUES (?, ?)", [(n, "void kernel_%03d<float>(float*, int)" % n) for n in range(NAMES)])
    base.execute("INSERT INTO StringIds VALUES (?, 'cudaLaunchKernel_v7000')", (NAMES,))
    for number in range(count):
        launched += draw.randrange(2000, 9000)
        now = max(now, launched) + draw.randrange(500, 4000)
        length, name = draw.randrange(1000, 30000), int(NAMES * draw.random() ** 2)
        base.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, ?)",
                     (launched, launched + 1500, PID | 1, number + 1, NAMES))
        base.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 7, ?, ?, ?, ?, 64, 1, 1, 256, 1, 1)",
                     (now, now + length, number + 1, PID, name, name))
        now += length
    base.commit()


main()
