// relatives.js — a tab: who calls or launches what is selected, what it calls, and what it runs on devices
(function () {
    "use strict";

    const { make, button } = ptk;
    const LISTED = 40;

    function add(sums, key, length, event) {
        const sum = sums.get(key);
        if (!sum) sums.set(key, { key, time: length, count: 1, event });
        else {
            sum.time += length;
            sum.count++;
        }
    }

    // Callers and callees of a name in the stretch; a launch is the caller of what it launched.
    function relativesOf(view, name) {
        const { data } = view, stretch = ptk.stretchOf(view), callers = new Map(), callees = new Map();
        ptk.walk(data, ptk.tracksOf(view), stretch, (event, around) => {
            const length = ptk.lengthWithin(data, event, stretch), caller = data.launch[event] >= 0 ? data.launch[event] : around;
            if (data.name[event] === name) add(callers, caller < 0 ? -1 : data.name[caller], length, caller);
            if (around >= 0 && data.name[around] === name) add(callees, data.name[event], length, event);
        });
        return { callers, callees };
    }

    // What is launched inside of events of a name, and runs in the stretch.
    function workOf(view, name) {
        const { data } = view, [from, to] = ptk.stretchOf(view), isInside = new Uint8Array(data.events), work = new Map();
        ptk.walk(data, data.tracks, [0, to], (event, around) => {
            isInside[event] = data.name[event] === name || (around >= 0 && isInside[around]) ? 1 : 0;
        });
        ptk.walk(data, ptk.tracksOf(view), [from, to], event => {
            const launch = data.launch[event];
            if (launch >= 0 && isInside[launch]) add(work, data.name[event], ptk.lengthWithin(data, event, [from, to]), event);
        });
        return work;
    }

    function list(view, place, title, none, sums) {
        const { data } = view, column = make("div", place), sorted = [...sums.values()].sort((a, b) => b.time - a.time);
        make("h3", column, { textContent: title });
        if (!sorted.length) make("p", column, { textContent: none });
        const table = sorted.length ? make("tbody", make("table", column)) : null;
        for (const sum of sorted.slice(0, LISTED)) {
            const row = make("tr", table);
            make("td", row, { textContent: ptk.duration(sum.time * data.unit), className: "right" });
            make("td", row, { textContent: ptk.count(sum.count) + "×", className: "right" });
            const cell = make("td", row);
            if (sum.key < 0) cell.textContent = "(nothing that the file has)";
            else button(cell, ptk.nameOf(data, sum.key), () => {
                view.choose({ name: sum.key });
                ptk.showEvent(ptk.timeline, sum.event, false);
            }).title = ptk.fullName(data, sum.key);
        }
        if (sorted.length > LISTED) make("p", column, { textContent: `and ${ptk.count(sorted.length - LISTED)} more` });
    }

    function tell(view, place) {
        const name = ptk.nameInFocus(view), { data } = view;
        place.replaceChildren();
        if (name < 0) {
            make("p", place, { textContent: "Select an event or a name to see what calls it, and what it calls." });
            return;
        }
        const { callers, callees } = relativesOf(view, name), columns = make("div", null, { className: "columns" });
        make("p", place, { textContent: ptk.nameOf(data, name), className: "name", title: ptk.fullName(data, name) });
        place.append(columns);
        list(view, columns, "Called or launched by", "Nothing in this selection.", callers);
        list(view, columns, "Calls", "Nothing that the file has.", callees);
        const work = workOf(view, name);
        if (work.size) list(view, columns, "Runs on devices", "", work);
    }

    ptk.selectedTabs.push({
        id: "relatives", title: "Callers and callees", isThere: data => data.events > 0,
        build: (view, place) => {
            const box = make("div", place, { className: "relatives" });
            return () => tell(view, box);
        },
    });
})();
