// event_sums.js — walks over the events of a selection, and what they come to: by name, by line, by track
(function () {
    "use strict";

    // The first event of a track that reaches beyond `from`.
    function firstReaching(data, track, from) {
        let first = track.first + track.events;
        for (const row of track.rows) {
            const at = ptk.firstEndingAfter(data, row, from);
            if (at < row.count) first = Math.min(first, ptk.eventAt(row, at));
        }
        return first;
    }

    // Of the events that began last at each depth, the innermost that holds this one; -1: none.
    function innermostAround(data, open, event) {
        for (let depth = data.depth[event] - 1; depth >= 0; depth--)
            if (open[depth] >= 0 && data.end[open[depth]] >= data.end[event]) return open[depth];
        return -1;
    }

    // Calls `visit` for each event that touches the stretch, track by track in order of start, with the event
    // around it (-1: none).
    ptk.walk = function (data, tracks, [from, to], visit) {
        for (const track of tracks) {
            const open = new Array(track.rows.length).fill(-1), past = track.first + track.events;
            for (let event = firstReaching(data, track, from); event < past && data.start[event] < to; event++) {
                const around = innermostAround(data, open, event);
                open[data.depth[event]] = event;
                if (data.end[event] > from || data.start[event] >= from) visit(event, around, track);
            }
        }
    };

    ptk.lengthWithin = (data, event, [from, to]) =>
        Math.max(0, Math.min(data.end[event], to) - Math.max(data.start[event], from));

    // By key: time (of events in no other of their key), own time, events, the longest of them.
    ptk.sumsOf = function (data, tracks, stretch, keyOf) {
        const sums = new Map();
        const sumOf = (key, event) => {
            if (!sums.has(key)) sums.set(key, { key, time: 0, self: 0, count: 0, longest: -1, event, track: null, until: 0 });
            return sums.get(key);
        };
        ptk.walk(data, tracks, stretch, (event, around, track) => {
            const sum = sumOf(keyOf(event, track), event), length = ptk.lengthWithin(data, event, stretch);
            sum.count++;
            sum.self += length;
            if (around >= 0) sumOf(keyOf(around, track), around).self -= length;
            if (sum.track !== track || sum.until < data.end[event]) {
                sum.time += length;
                sum.track = track;
                sum.until = data.end[event];
            }
            if (length > sum.longest) Object.assign(sum, { longest: length, event });
        });
        return [...sums.values()];
    };

    ptk.sumRange = (data, from, to, tracks = data.tracks) =>
        ptk.sumsOf(data, tracks, [from, to], event => data.name[event]).sort((a, b) => b.time - a.time);
})();
