// timeline_input.js — pointer, wheel and keys on the timeline
(function () {
    "use strict";

    const STILL = 4; // pixels that a click may move

    // ---- pointer ----

    // Dragging moves the picture; from the axis, or with Shift, it measures a range.
    ptk.listenToPointer = function (timeline) {
        const { canvas, view, overview } = timeline;
        let drag = null;

        canvas.addEventListener("pointerdown", event => {
            const measures = event.shiftKey || event.offsetY < timeline.axis;
            drag = { x: event.offsetX, y: event.offsetY, moved: 0, from: measures ? timeline.time(event.offsetX) : null };
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener("pointermove", event => {
            if (!drag) return;
            const shift = event.offsetX - drag.x;
            drag.moved += Math.abs(shift) + Math.abs(event.offsetY - drag.y);
            if (drag.from !== null) {
                const to = timeline.time(event.offsetX);
                if (drag.moved > STILL) view.setRange(to > drag.from ? [drag.from, to] : [to, drag.from]);
            } else {
                view.pan(-shift * (view.to - view.from) / timeline.width);
                timeline.scroller.scrollTop -= event.offsetY - drag.y;
            }
            drag.x = event.offsetX;
            drag.y = event.offsetY;
        });
        canvas.addEventListener("pointerup", event => {
            if (drag && drag.moved < STILL) click(event);
            drag = null;
            view.writeAddress();
        });
        canvas.addEventListener("dblclick", event => {
            const found = timeline.eventAt(event.offsetX, event.offsetY);
            if (found >= 0) view.fit(found);
        });

        // What the host does meanwhile is in the sums of the range.
        function measureGap(row, time) {
            const gap = timeline.idle.gapAt(row, time);
            view.setRange(gap && gap.range);
        }

        function click(event) {
            const line = timeline.lineAt(event.offsetY);
            if (line && line.group) return timeline.toggle(line.group);
            if (line && line.idle) return measureGap(line.idle, timeline.time(event.offsetX));
            if (event.offsetY < timeline.axis) return view.setRange(null);
            view.select(timeline.eventAt(event.offsetX, event.offsetY));
        }

        canvas.addEventListener("wheel", event => {
            event.preventDefault();
            const size = event.deltaMode ? 16 : 1;
            if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
                view.pan((event.deltaX || event.deltaY) * size * (view.to - view.from) / timeline.width);
            else
                view.zoom(Math.exp(event.deltaY * size * 0.0022), timeline.time(event.offsetX));
        }, { passive: false });

        // The overview: a stretch that is dragged is shown; a click moves there.
        let began = null;
        const timeOf = event => event.offsetX / timeline.width * view.end;
        overview.addEventListener("pointerdown", event => {
            began = timeOf(event);
            overview.setPointerCapture(event.pointerId);
        });
        overview.addEventListener("pointermove", event => {
            if (began === null) return;
            const now = timeOf(event);
            if (Math.abs(now - began) > STILL / timeline.width * view.end)
                view.show(Math.min(now, began), Math.max(now, began));
        });
        overview.addEventListener("pointerup", event => {
            const now = timeOf(event), half = (view.to - view.from) / 2;
            if (began !== null && Math.abs(now - began) <= STILL / timeline.width * view.end) view.show(now - half, now + half);
            began = null;
            view.writeAddress();
        });
    };

    // ---- keys ----

    ptk.keys = [
        ["W S, + −", "zoom in and out"],
        ["A D, ← →", "move"],
        ["↑ ↓", "scroll the tracks"],
        ["0", "the whole run"],
        ["F", "fit what is selected"],
        ["/", "find a name; Enter goes to its longest event"],
        ["[ ]", "the same name before and after"],
        ["M", "mark the middle, or take the mark away"],
        ["Esc", "select nothing"],
    ];

    function step(timeline, by) {
        const next = timeline.view.neighbour(by);
        if (next >= 0) ptk.showEvent(timeline, next, false);
    }

    ptk.listenToKeys = function (timeline) {
        const { view } = timeline;
        const move = share => view.pan((view.to - view.from) * share);
        const scroll = by => { timeline.scroller.scrollTop += by; };
        const actions = {
            a: () => move(-0.1), d: () => move(0.1), ArrowLeft: () => move(-0.1), ArrowRight: () => move(0.1),
            ArrowUp: () => scroll(-28), ArrowDown: () => scroll(28),
            w: () => view.zoom(0.8), s: () => view.zoom(1.25), "+": () => view.zoom(0.8), "=": () => view.zoom(0.8),
            "-": () => view.zoom(1.25), 0: () => view.whole(), f: () => view.fit(), m: () => view.toggleMark(),
            "/": () => timeline.finder.focus(), "[": () => step(timeline, -1), "]": () => step(timeline, 1),
            "?": () => timeline.help.toggleAttribute("open"),
            Escape: () => view.clear(),
        };
        timeline.canvas.addEventListener("keydown", event => {
            const act = !event.ctrlKey && !event.metaKey && !event.altKey && (actions[event.key] || actions[event.key.toLowerCase()]);
            if (!act) return;
            event.preventDefault();
            act();
        });
    };

    // ---- showing an event ----

    ptk.showEvent = function (timeline, event, fits = true) {
        const { view, data } = timeline;
        timeline.reveal(event);
        view.select(event);
        if (fits || data.end[event] < view.from || data.start[event] > view.to) view.fit(event);
    };
})();
