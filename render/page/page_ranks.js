// page_ranks.js — the timelines of a job's ranks as one: on the clock and in the unit of the page's own
(function () {
    "use strict";

    // Names that several ranks have are one. Returns, for each rank, the number of each of its names.
    function joinNames(all) {
        const names = [], numbers = new Map();
        const places = all.map(data => data.names.map(name => {
            const key = name.join("\0");
            if (!numbers.has(key)) numbers.set(key, names.push(name) - 1);
            return numbers.get(key);
        }));
        places.forEach((place, i) => { place[all[i].names.length] = names.length; }); // those that have no name in the page
        return { names, places };
    }

    // From a rank's units of time to the page's.
    function clockOf(own, data) {
        const scale = data.unit / own.unit, shift = data.shift / own.unit;
        return time => Math.floor(time * scale + shift) + own.zero;
    }

    function joinEvents(joined, all, places) {
        const Times = joined.span < 2 ** 32 ? Uint32Array : Float64Array, Names = joined.names.length < 65535 ? Uint16Array : Uint32Array;
        Object.assign(joined, { start: new Times(joined.events), end: new Times(joined.events), name: new Names(joined.events),
                                launch: new Int32Array(joined.events), tracks: [] });
        let first = 0;
        all.forEach((data, rank) => {
            const clock = clockOf(joined, data);
            for (let i = 0; i < data.events; i++) {
                joined.start[first + i] = clock(data.start[i]);
                joined.end[first + i] = clock(data.end[i]);
                joined.name[first + i] = places[rank][data.name[i]];
                joined.launch[first + i] = data.launch[i] < 0 ? -1 : first + data.launch[i];
            }
            for (const track of data.tracks) {
                if (track.cells) Object.assign(track.cells, { from: clock(0), width: track.cells.width * data.unit / joined.unit });
                joined.tracks.push({ ...track, first: first + track.first, rank: data.rank });
            }
            first += data.events;
        });
    }

    // Time 0 is the first start of all; `zero` is that of the page's own timeline.
    ptk.joinRanks = function (all) {
        const [own] = all;
        own.zero = 0;
        if (all.length === 1) {
            own.tracks.forEach(track => { track.rank = own.rank = -1; });
            return own;
        }
        own.zero = Math.max(0, ...all.map(data => Math.ceil(-data.shift / own.unit)));
        const span = Math.max(...all.map(data => clockOf(own, data)(data.span))), { names, places } = joinNames(all);
        const joined = { ...own, span, names, events: all.reduce((sum, data) => sum + data.events, 0) };
        const move = time => time + own.zero;
        joinEvents(joined, all, places);
        joined.steps = own.steps.map(([number, start, end]) => [number, move(start), move(end)]);
        joined.series.forEach(series => { series.time = series.time.map(move); });
        for (const times of [joined.path, ...joined.gaps].flatMap(each => [each.start, each.end])) times.forEach((time, i) => { times[i] = move(time); });
        return joined;
    };
})();
