// page_data.js — the page's columns: base 64, deflate and varints become events, rows and counters
(function () {
    "use strict";

    const COLUMNS = ["starts", "lengths", "names", "launches", "cells", "points", "gaps", "path"];
    const CELLS_MOST = 8192, HEIGHTS = 65535, DEPTH_MOST = 255, BLOCK = 32;

    function bytesOf(text) {
        if (Uint8Array.fromBase64)
            return Uint8Array.fromBase64(text);
        const binary = atob(text), bytes = new Uint8Array(binary.length);
        for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
        return bytes;
    }

    async function inflate(bytes) {
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    }

    // Numbers one after the other: seven bits a byte, the lowest first.
    class Varints {
        constructor(bytes) {
            this.bytes = bytes;
            this.at = 0;
        }

        next() {
            let byte = this.bytes[this.at++], value = byte & 127;
            for (let scale = 128; byte & 128; scale *= 128) {
                byte = this.bytes[this.at++];
                value += (byte & 127) * scale;
            }
            return value;
        }
    }

    // ---- events ----

    function readTimes(data, starts, lengths) {
        const Times = data.span < 2 ** 32 ? Uint32Array : Float64Array;
        data.start = new Times(data.events);
        data.end = new Times(data.events);
        let event = 0;
        for (const track of data.tracks) {
            track.first = event;
            for (let i = 0, time = 0; i < track.events; i++, event++) {
                time += starts.next();
                data.start[event] = time;
                data.end[event] = time + lengths.next();
            }
        }
    }

    // Numbers of events, each as its difference to the one before; -1: none.
    class References {
        constructor(numbers) {
            this.numbers = numbers;
            this.last = 0;
        }

        next() {
            const code = this.numbers.next();
            if (!code) return -1;
            this.last += code % 2 ? (code - 1) / 2 : -code / 2;
            return this.last;
        }
    }

    function readLaunches(data, launches) {
        data.launch = new Int32Array(data.events);
        for (const track of data.tracks) {
            const references = new References(launches);
            for (let i = 0; i < track.events; i++) data.launch[track.first + i] = references.next();
        }
    }

    // Idle time of each device, by time, with the owner's place, -1: none, and what the device waits for.
    function readGaps(data, numbers) {
        for (const idle of data.gaps) {
            const count = idle.gaps;
            Object.assign(idle, { start: new Float64Array(count), end: new Float64Array(count), owner: new Int32Array(count),
                                  kind: new Uint8Array(count) });
            for (let i = 0, time = 0; i < count; i++) {
                idle.start[i] = time += numbers.next();
                idle.end[i] = time + numbers.next();
                idle.owner[i] = numbers.next() - 1;
                idle.kind[i] = numbers.next();
            }
        }
    }

    // Pieces of the critical path, by time.
    function readPath(data, numbers) {
        const { path } = data, references = new References(numbers);
        path.start = new Float64Array(path.pieces);
        path.end = new Float64Array(path.pieces);
        path.part = new Uint8Array(path.pieces);
        path.event = new Int32Array(path.pieces);
        for (let i = 0, time = 0; i < path.pieces; i++) {
            time += numbers.next();
            path.start[i] = time;
            path.end[i] = time + numbers.next();
            path.part[i] = numbers.next();
            path.event[i] = references.next();
        }
    }

    function readNames(data, names) {
        const Names = data.names.length < 65535 ? Uint16Array : Uint32Array;
        data.name = new Names(data.events);
        for (let i = 0; i < data.events; i++) data.name[i] = names.next();
    }

    // Of each track where something was left out: how many events, and how busy, by cell of this width.
    function readCells(data, cells) {
        for (const track of data.tracks) {
            const filled = cells.next();
            track.cells = filled ? { from: 0, width: data.cell, count: new Uint32Array(CELLS_MOST), busy: new Uint8Array(CELLS_MOST) } : null;
            for (let i = 0, at = 0; i < filled; i++) {
                at += cells.next();
                track.cells.count[at] = cells.next();
                track.cells.busy[at] = cells.next();
            }
        }
    }

    function readPoints(data, points) {
        for (const series of data.series) {
            series.time = new Float64Array(series.points);
            series.value = new Float64Array(series.points);
            for (let i = 0, time = 0; i < series.points; i++) {
                time += points.next();
                series.time[i] = time;
                series.value[i] = series.least + (series.most - series.least) * points.next() / HEIGHTS;
            }
        }
    }

    // ---- rows: events of one track that do not overlap ----

    // How deep each event is nested; what overlaps without nesting goes a row lower.
    function findDepths(data, track, counts) {
        const free = [];
        for (let event = track.first; event < track.first + track.events; event++) {
            const start = data.start[event];
            let depth = 0;
            while (depth < free.length && free[depth] > start) depth++;
            depth = Math.min(depth, DEPTH_MOST);
            free[depth] = data.end[event];
            data.depth[event] = depth;
            counts[depth] = (counts[depth] || 0) + 1;
        }
    }

    // `longest`: of each block of events the longest; `busy`: time of all events before.
    function finishRow(data, row) {
        const {start, end} = data, {first, ids, count} = row;
        row.longest = new Uint32Array(Math.ceil(count / BLOCK));
        row.busy = new Float64Array(count + 1);
        for (let i = 0, busy = 0, most = 0; i < count; i++) {
            const event = first + (ids ? ids[i] : i), length = end[event] - start[event];
            row.busy[i + 1] = busy += length;
            if (i % BLOCK && length <= most)
                continue;
            row.longest[Math.floor(i / BLOCK)] = i;
            most = length;
        }
    }

    ptk.finishRow = finishRow;

    function makeRows(data, track) {
        const counts = [];
        findDepths(data, track, counts);
        track.rows = counts.map((count, depth) =>
            ({ track, depth, count: 0, first: track.first, ids: counts.length > 1 ? new Uint32Array(count) : null }));
        for (let event = track.first; event < track.first + track.events; event++) {
            const row = track.rows[data.depth[event]];
            if (row.ids) row.ids[row.count] = event - track.first;
            row.count++;
        }
        track.rows.forEach(row => finishRow(data, row));
    }

    // The event at a place in a row.
    ptk.eventAt = (row, at) => row.first + (row.ids ? row.ids[at] : at);

    // The first place in a row whose event ends after `time`.
    ptk.firstEndingAfter = function({end}, {first, ids, count}, time) {
        let low = 0, high = count;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (end[first + (ids ? ids[middle] : middle)] > time)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    };

    // The first place from `from` on whose event begins at `time` or later: mostly near.
    ptk.firstStartingAt = function({start}, {first, ids, count}, time, from) {
        let step = 1, low = from, high = count;
        while (low + step < high && start[first + (ids ? ids[low + step] : low + step)] < time)
            step *= 2;
        high = Math.min(high, low + step);
        low += step >> 1;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (start[first + (ids ? ids[middle] : middle)] >= time)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    };

    ptk.trackOf = function (data, event) {
        let low = 0, high = data.tracks.length;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (data.tracks[middle].first <= event) low = middle;
            else high = middle;
        }
        while (data.tracks[low].first + data.tracks[low].events <= event) low--;
        return data.tracks[low];
    };

    // The events around one on its track, the innermost first.
    ptk.around = function (data, event) {
        const track = ptk.trackOf(data, event), found = [];
        for (let depth = data.depth[event] - 1; depth >= 0; depth--) {
            const row = track.rows[depth];
            const at = ptk.firstStartingAt(data, row, data.start[event] + 1, 0) - 1;
            const outer = at >= 0 ? ptk.eventAt(row, at) : -1;
            if (outer >= 0 && data.end[outer] >= data.end[event]) found.push(outer);
        }
        return found;
    };

    // ---- texts ----

    // A time of the page as one since the first start of its own timeline.
    ptk.moment = (data, time) => ptk.duration((time - data.zero) * data.unit);

    ptk.nameOf = (data, name) => name < data.names.length ? data.names[name][0] : "(a name that is not in this page)";
    ptk.kindOf = (data, name) => name < data.names.length ? data.kinds[data.names[name][1]] : "other";
    ptk.fullName = (data, name) => name < data.names.length ? data.names[name][2] || data.names[name][0] : "";

    // "train.py:12"; empty where the file does not say.
    ptk.placeOf = function (data, name) {
        const [, , , file, line] = data.names[name] || [];
        return file ? file + (line > 0 ? ":" + line : "") : "";
    };

    // Four digits and a unit: "315.0 us".
    ptk.duration = function (nanoseconds) {
        const size = Math.abs(nanoseconds);
        const [scale, unit] = size >= 1e9 ? [1e9, "s"] : size >= 1e6 ? [1e6, "ms"] : size >= 1e3 ? [1e3, "us"] : [1, "ns"];
        const value = nanoseconds / scale;
        return (scale === 1 ? value.toFixed(0) : value.toPrecision(4).replace(/e\+?(\d+)/, "e$1")) + " " + unit;
    };

    ptk.count = number => number.toLocaleString("en");
    ptk.share = (part, whole) => whole > 0 ? (100 * part / whole).toFixed(2) + "%" : "";

    // ---- all of it ----

    async function readOne(index, columns) {
        const data = JSON.parse(index.textContent), bytes = bytesOf(columns.textContent);
        let at = 0;
        const parts = await Promise.all(data.columns.map(size => inflate(bytes.subarray(at, at += size))));
        const column = Object.fromEntries(COLUMNS.map((name, i) => [name, new Varints(parts[i])]));
        readTimes(data, column.starts, column.lengths);
        readNames(data, column.names);
        readLaunches(data, column.launches);
        readCells(data, column.cells);
        readPoints(data, column.points);
        readGaps(data, column.gaps);
        readPath(data, column.path);
        data.rank = "rank" in index.dataset ? Number(index.dataset.rank) : -1;
        data.shift = Number(index.dataset.shift || 0);
        index.remove();
        columns.remove();
        return data;
    }

    // The page's timeline, and those of other ranks on its clock. Null where the page has no events, or the browser
    // cannot inflate.
    ptk.readData = async function () {
        const indices = [...document.querySelectorAll("script.index")], columns = [...document.querySelectorAll("script.columns")];
        if (!indices.length || typeof DecompressionStream === "undefined") return null;
        const all = [];
        for (const [i, index] of indices.entries()) all.push(await readOne(index, columns[i]));
        const data = ptk.joinRanks(all);
        data.depth = new Uint8Array(data.events);
        data.tracks.forEach(track => makeRows(data, track));
        return data;
    };
})();
