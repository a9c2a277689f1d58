// selection.js — what is selected, in words: name, time, share, what launched it and what that was in; sums of a range
(function () {
    "use strict";

    const { make, button } = ptk;
    const SUMS = 8;

    // ---- an event ----

    // All of one name: how many, and how long together.
    function sumOfName(data, name) {
        let count = 0, time = 0;
        for (let event = 0; event < data.events; event++)
            if (data.name[event] === name) {
                count++;
                time += data.end[event] - data.start[event];
            }
        return { count, time };
    }

    // What launched it and what is around that, or what is around it.
    function chainOf(data, event) {
        const launch = data.launch[event];
        return launch >= 0 ? [launch, ...ptk.around(data, launch)] : ptk.around(data, event);
    }

    function tellLink(data, timeline, list, event) {
        const item = make("li", list), name = data.name[event];
        button(item, ptk.nameOf(data, name), () => ptk.showEvent(timeline, event, false));
        const place = ptk.placeOf(data, name);
        item.append(` ${ptk.kindOf(data, name)}, ${ptk.duration((data.end[event] - data.start[event]) * data.unit)}`);
        if (place) make("span", item, { className: "source", textContent: " " + place });
    }

    function tellEvent(panel, timeline) {
        const { view, data } = timeline, event = view.selected, name = data.name[event];
        const length = data.end[event] - data.start[event], sum = sumOfName(data, name), place = ptk.placeOf(data, name);
        make("h3", panel, { textContent: ptk.nameOf(data, name), title: ptk.fullName(data, name) });
        const line = make("p", panel);
        make("strong", line, { textContent: ptk.duration(length * data.unit) });
        line.append(` at ${ptk.moment(data, data.start[event])}, ${ptk.kindOf(data, name)} on ` +
                    `${ptk.titleOf(ptk.trackOf(data, event))}. ${ptk.count(sum.count)} of this name take ` +
                    `${ptk.duration(sum.time * data.unit)}, ${ptk.share(sum.time, data.span)} of the span.`);
        if (place) make("p", panel, { className: "source", textContent: place });
        const chain = chainOf(data, event);
        if (chain.length) {
            make("h4", panel, { textContent: data.launch[event] >= 0 ? "Launched by" : "Inside" });
            const list = make("ol", panel);
            chain.forEach(each => tellLink(data, timeline, list, each));
        }
        const row = make("div", panel, { className: "buttons" });
        for (const [text, step] of [["[ Before", -1], ["After ]", 1]])
            button(row, text, () => {
                const next = view.neighbour(step);
                if (next >= 0) ptk.showEvent(timeline, next, false);
            });
        button(row, "Fit", () => view.fit());
        button(row, "This name", () => view.choose({ name }));
        button(row, "This track", () => view.choose({ track: data.tracks.indexOf(ptk.trackOf(data, event)) }));
    }

    // ---- a range ----

    // How long the rows of each device's streams have an event in the range.
    function busyOf(data, from, to) {
        const spans = [];
        for (const track of data.tracks.filter(each => each.kind === "stream"))
            for (const row of track.rows)
                for (let at = ptk.firstEndingAfter(data, row, from); at < row.count; at++) {
                    const event = ptk.eventAt(row, at);
                    if (data.start[event] >= to) break;
                    spans.push([Math.max(from, data.start[event]), Math.min(to, data.end[event])]);
                }
        let busy = 0, until = from;
        for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
            busy += Math.max(0, end - Math.max(start, until));
            until = Math.max(until, end);
        }
        return { busy, isThere: spans.length > 0 };
    }

    function tellRange(panel, timeline) {
        const { view, data } = timeline, [from, to] = view.range;
        const sums = ptk.sumRange(data, from, to, ptk.tracksOf(view)), { busy, isThere } = busyOf(data, from, to);
        make("h3", panel, { textContent: `Range of ${ptk.duration((to - from) * data.unit)}` });
        make("p", panel, { textContent: `From ${ptk.moment(data, from)} to ${ptk.moment(data, to)}.` +
            (isThere ? ` Devices are busy for ${ptk.duration(busy * data.unit)} (${ptk.share(busy, to - from)}).` : "") });
        for (const row of timeline.idle.rows) {
            const gap = timeline.idle.gapAt(row, (from + to) / 2);
            if (gap && gap.range[0] >= from && gap.range[1] <= to)
                make("p", panel, { textContent: `The device is idle for ${ptk.duration((gap.range[1] - gap.range[0]) * data.unit)} in the middle of it: ${gap.text}.` });
        }
        const list = make("ol", panel);
        for (const sum of sums.slice(0, SUMS)) {
            const item = make("li", list);
            button(item, ptk.nameOf(data, sum.key), () => ptk.showEvent(timeline, sum.event, false));
            item.append(` ${ptk.duration(sum.time * data.unit)}, ${ptk.count(sum.count)} ${sum.count === 1 ? "event" : "events"}`);
        }
        const row = make("div", panel, { className: "buttons" });
        button(row, "Zoom to the range", () => view.go(from, to));
        button(row, "Clear", () => view.setRange(null));
    }

    // ---- the panel ----

    ptk.addPanel = function (timeline) {
        const panel = make("div", timeline.frame, { className: "panel" });
        panel.setAttribute("role", "status");
        const update = what => {
            if (what === "view") return;
            panel.replaceChildren();
            if (timeline.view.selected >= 0) tellEvent(panel, timeline);
            if (timeline.view.range) tellRange(panel, timeline);
            if (!panel.firstChild && timeline.data.events)
                make("p", panel, { textContent: "Select an event to see its time and what launched it. " +
                    "Drag over the axis to measure a range." });
        };
        timeline.view.onChange(update);
        update("selection");
    };

    // What the colours of events mean, of those kinds that are there.
    function addColors(help, data) {
        const kinds = new Set(data.names.map((_, name) => ptk.kindOf(data, name)));
        const list = make("ul", help, { className: "colors" });
        for (const kind of [...kinds].filter(each => each !== "host")) {
            const item = make("li", list), [r, g, b] = ptk.colorOfKind(kind);
            make("span", item, { className: "key" }).style.background = `rgb(${r},${g},${b})`;
            item.append(kind);
        }
        if (kinds.has("host")) make("li", list, "host: by name");
    }

    ptk.addTools = function (timeline) {
        const { view } = timeline, tools = make("div", null, { className: "toolbar" });
        timeline.frame.prepend(tools);
        const finder = timeline.finder = make("input", tools, { type: "search", placeholder: "find a name", hidden: !view.data.events });
        finder.setAttribute("aria-label", "find a name on the timeline");
        finder.addEventListener("input", () => view.search(finder.value));
        finder.addEventListener("keydown", event => {
            if (event.key === "Escape") timeline.canvas.focus();
            if (event.key !== "Enter" || !view.found) return;
            const event_ = view.longest(each => view.found[view.data.name[each]]);
            if (event_ < 0) return;
            ptk.showEvent(timeline, event_);
            timeline.canvas.focus();
        });
        button(tools, "Whole run", () => view.whole());
        button(tools, "−", () => view.zoom(1.25)).setAttribute("aria-label", "zoom out");
        button(tools, "+", () => view.zoom(0.8)).setAttribute("aria-label", "zoom in");
        const help = timeline.help = make("details", tools, { className: "help" });
        make("summary", help, { textContent: "Keys and colours" });
        const list = make("dl", help);
        for (const [key, means] of ptk.keys) {
            make("dt", list, { textContent: key });
            make("dd", list, { textContent: means });
        }
        addColors(help, view.data);
    };
})();
