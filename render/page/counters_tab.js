// counters_tab.js — a tab: memory and other counters over the selected time, as curves
(function () {
    "use strict";

    const { make } = ptk;
    const HEIGHT = 120, HEAD = 16;

    const BYTES = ["B", "KiB", "MiB", "GiB", "TiB"];

    // Of bytes as in the chapters.
    ptk.figureOf = function (series, value) {
        if (series.unit !== "bytes") return ptk.figure(value);
        let unit = 0;
        for (; Math.abs(value) >= 1024 && unit + 1 < BYTES.length; unit++) value /= 1024;
        return `${unit ? value.toPrecision(4) : value} ${BYTES[unit]}`;
    };

    // Four digits: "292.6 M".
    ptk.figure = function (value) {
        const size = Math.abs(value);
        const [scale, letter] = size >= 1e12 ? [1e12, " T"] : size >= 1e9 ? [1e9, " G"] : size >= 1e6 ? [1e6, " M"] : [1, ""];
        return letter ? (value / scale).toPrecision(4) + letter : value.toLocaleString("en");
    };

    // The place of the last point at `time` or before; -1: none.
    ptk.pointAt = function (series, time) {
        let low = 0, high = series.points;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (series.time[middle] > time) high = middle;
            else low = middle + 1;
        }
        return low - 1;
    };

    // The area below a counter between two times, in a box of the canvas; each value lasts until the next.
    ptk.drawArea = function (context, series, [from, to], box) {
        const scale = series.most > series.least ? box.height / (series.most - series.least) : 0, bottom = box.y + box.height;
        const x = time => box.x + Math.max(0, Math.min(1, (time - from) / (to - from))) * box.width;
        const first = Math.max(0, ptk.pointAt(series, from));
        context.beginPath();
        context.moveTo(x(series.time[first] || 0), bottom);
        let at = first;
        for (; at < series.points && series.time[at] < to; at++) {
            const y = bottom - (series.value[at] - series.least) * scale;
            context.lineTo(x(series.time[at]), y);
            context.lineTo(x(at + 1 < series.points ? series.time[at + 1] : to), y);
        }
        context.lineTo(x(at < series.points ? series.time[at] : to), bottom);
        context.closePath();
        context.fill();
    };

    function mostIn(series, [from, to]) {
        let most = -Infinity;
        for (let at = Math.max(0, ptk.pointAt(series, from)); at < series.points && series.time[at] < to; at++)
            most = Math.max(most, series.value[at]);
        return most;
    }

    class Curves {
        constructor(view, place) {
            this.view = view;
            this.facts = make("p", place, { className: "facts" });
            this.facts.setAttribute("role", "status");
            this.canvas = make("canvas", place, { className: "curves" });
            this.canvas.setAttribute("role", "img");
            this.canvas.addEventListener("pointermove", event => this.tell(event));
            this.canvas.addEventListener("pointerleave", () => this.tell(null));
            new ResizeObserver(() => this.canvas.isConnected && this.draw()).observe(place);
        }

        draw() {
            const { data } = this.view, width = this.canvas.parentNode.clientWidth;
            const height = data.series.length * HEIGHT, stretch = ptk.stretchOf(this.view), { theme } = ptk.timeline;
            const context = ptk.contextOf(this.canvas, width, height);
            data.series.forEach((series, i) => {
                context.fillStyle = "#96b4dc";
                ptk.drawArea(context, series, stretch, { x: 0, y: i * HEIGHT + HEAD, width, height: HEIGHT - HEAD - 8 });
                context.fillStyle = theme.ink;
                context.fillText(this.textOf(series, stretch), 0, i * HEIGHT + HEAD / 2, width);
            });
            this.canvas.setAttribute("aria-label", "counters over the selected time: " +
                data.series.map(series => this.textOf(series, stretch)).join("; "));
            this.tell(null);
        }

        textOf(series, stretch) {
            const most = mostIn(series, stretch);
            const title = ptk.titleOf(series), whole = ptk.figureOf(series, series.most), here = most > -Infinity ? ptk.figureOf(series, most) : "";
            if (here === whole) return `${title}: at most ${whole}`;
            return title + (here ? `: at most ${here} here, ` : ": nothing here, ") + `${whole} in the whole run`;
        }

        tell(event) {
            const { data } = this.view, series = event && data.series[Math.floor(event.offsetY / HEIGHT)];
            if (!series) {
                this.facts.textContent = "Rest the pointer on a curve to see its value.";
                return;
            }
            const [from, to] = ptk.stretchOf(this.view), time = from + event.offsetX / this.canvas.clientWidth * (to - from);
            const at = ptk.pointAt(series, time);
            this.facts.textContent = `${series.name} at ${ptk.moment(data, time)}: ` + (at < 0 ? "not yet" : "about " + ptk.figureOf(series, Number(series.value[at].toPrecision(4))));
        }
    }

    ptk.selectedTabs.push({
        // Of a snapshot the curves are in the chapter of its memory.
        get id() { return document.getElementById("memory") ? "memory" : "counters"; },
        get title() { return this.id === "memory" ? "Memory" : "Memory and counters"; },
        rest: "When the snapshot was taken", isThere: data => data.series.length > 0,
        build: (view, place) => {
            const curves = new Curves(view, place);
            return () => curves.draw();
        },
    });
})();
