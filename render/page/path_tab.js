// path_tab.js — a tab: what of the critical path is in the selection, by what ran or waited
(function () {
    "use strict";

    const { make } = ptk;

    // The first piece that ends after `time`.
    ptk.firstPiece = function (path, time) {
        let low = 0, high = path.pieces;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (path.end[middle] > time) high = middle;
            else low = middle + 1;
        }
        return low;
    };

    // Names of events, and parts that are in none, as -1 - part.
    function sumsOf(view) {
        const { data } = view, { path } = data, [from, to] = ptk.stretchOf(view), tracks = new Set(ptk.tracksOf(view)), sums = new Map();
        for (let at = ptk.firstPiece(path, from); at < path.pieces && path.start[at] < to; at++) {
            const event = path.event[at], time = Math.min(path.end[at], to) - Math.max(path.start[at], from);
            if (view.track >= 0 && !(event >= 0 && tracks.has(ptk.trackOf(data, event)))) continue;
            const key = event >= 0 ? data.name[event] : -1 - path.part[at], sum = sums.get(key);
            if (!sum) sums.set(key, { key, time, count: 1, longest: time, event, part: path.part[at] });
            else {
                sum.time += time;
                sum.count++;
                if (time > sum.longest) Object.assign(sum, { longest: time, event });
            }
        }
        return [...sums.values()];
    }

    const figure = (title, value) => ({ title, value, of: (data, sum) => ptk.duration(value(sum) * data.unit) });
    const nameOf = (data, key) => key >= 0 ? ptk.nameOf(data, key) : data.path.parts[-1 - key];
    const kind = {
        label: "what is on the critical path",
        columns: [
            { title: "name", of: (data, sum) => nameOf(data, sum.key) },
            { title: "part", of: (data, sum) => data.path.parts[sum.part] },
            figure("time on the path", sum => sum.time),
            { title: "share", value: sum => sum.time, of: (data, sum, view) => {
                const [from, to] = ptk.stretchOf(view);
                return ptk.share(sum.time, to - from);
            } },
            { title: "pieces", value: sum => sum.count, of: (data, sum) => ptk.count(sum.count) },
            figure("longest", sum => sum.longest),
        ],
        textOf: (data, sum) => nameOf(data, sum.key),
        collect: sumsOf,
        choose: (view, sum) => { if (sum.key >= 0) ptk.chooseName(view, sum.key, sum.event); },
        isChosen: (view, sum) => sum.key >= 0 && ptk.nameInFocus(view) === sum.key,
    };

    ptk.selectedTabs.push({
        id: "critical-path", title: "Critical path", isThere: data => data.path.pieces > 0,
        build: (view, place) => {
            const { data } = view, table = new ptk.SumTable(view, place, kind);
            if (data.path.rest) make("p", place, { textContent: `Shorter pieces of the path, together ${ptk.duration(data.path.rest * data.unit)}, are left out.` });
            return () => table.update();
        },
    });
})();
