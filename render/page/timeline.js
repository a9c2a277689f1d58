// timeline.js — the timeline on its canvas: an overview to drag in, steps, idle time, tracks that fold, counters
(function () {
    "use strict";

    const ROW = 14, HEAD = 18, AXIS = 20, CURVE = 34, CURVE_ALONE = 90, STEPS = 16, OVERVIEW = 44, TOOLS = 44, LETTER = 6.4;
    const ROWS_OPEN = 24, ROWS_OF_TRACK = 14;
    const WAITING = [140, 150, 165], AREA = [150, 180, 220], INK = "#14171b";

    const css = ([r, g, b]) => `rgb(${r},${g},${b})`;

    const { make } = ptk;

    // ---- what stands on which line ----

    const isDevice = track => track.kind === "stream" || track.kind === "ranges";

    // Streams, ranges of devices, threads, then the rest; lanes stay behind their track.
    function orderOf(track) {
        return ["stream", "ranges", "thread", "samples", "async", "instants", "totals"].indexOf(track.kind);
    }

    // Of each of several ranks the busiest stream, else thread: these stand above each other.
    function leadsOf(groups) {
        const busyOf = group => group.track.rows.length ? group.track.rows[0].busy[group.track.rows[0].count] : 0, leads = new Map();
        for (const group of groups.filter(each => each.track.rank >= 0)) {
            const lead = leads.get(group.track.rank), order = lead && orderOf(group.track) - orderOf(lead.track);
            if (!lead || order < 0 || (order === 0 && busyOf(group) > busyOf(lead))) leads.set(group.track.rank, group);
        }
        return new Set(leads.values());
    }

    function tracksInOrder(data) {
        const groups = [];
        for (const track of data.tracks) {
            if (!track.all) continue;
            const last = groups[groups.length - 1];
            if (track.lane && last && last.track.kind === track.kind) last.lanes.push(track);
            else groups.push({ track, lanes: [track] });
        }
        const leads = leadsOf(groups);
        return groups.sort((a, b) => leads.has(b) - leads.has(a) || orderOf(a.track) - orderOf(b.track) || a.track.rank - b.track.rank || a.track.device - b.track.device ||
                                     (isDevice(a.track) ? 0 : b.track.all - a.track.all));
    }

    // Tracks with their rows, the first of them open, as long as there is room.
    function makeGroups(data) {
        let room = ROWS_OPEN;
        return tracksInOrder(data).map(group => {
            const rows = group.lanes.flatMap(track => track.rows);
            const isOpen = room > 0 && orderOf(group.track) < 4;
            if (isOpen) room -= Math.min(rows.length, ROWS_OF_TRACK);
            const cells = group.lanes.map(track => track.cells).filter(Boolean);
            return { ...group, rows, cells, isOpen, title: ptk.titleOf(group.track) };
        });
    }

    // ---- the axis ----

    function tickOf(span) {
        const rough = span / 8, power = 10 ** Math.floor(Math.log10(rough));
        return [1, 2, 5, 10].find(factor => factor * power >= rough) * power;
    }

    function tickText(time, tick, span) {
        const [scale, unit] = span >= 3e9 ? [1e9, "s"] : span >= 3e6 ? [1e6, "ms"] : span >= 3e3 ? [1e3, "us"] : [1, "ns"];
        return (time / scale).toFixed(Math.max(0, Math.ceil(-Math.log10(tick / scale)))) + " " + unit;
    }

    class Timeline {
        constructor(section, view) {
            this.view = view;
            this.data = view.data;
            this.groups = makeGroups(this.data);
            this.axis = AXIS + (this.data.steps.length ? STEPS : 0);
            this.painter = new ptk.RowPainter(this.data);
            this.idle = new ptk.IdleRows(this.data);
            this.times = [];
            this.build(section);
            this.readTheme();
            this.layOut();
            view.onChange(() => this.redraw());
            new ResizeObserver(() => {
                if (this.width !== this.scroller.clientWidth)
                    this.layOut();
            }).observe(this.scroller);
            document.addEventListener("theme", () => { this.readTheme(); this.size(); });
            ptk.listenToPointer(this);
            ptk.listenToKeys(this);
        }

        build(section) {
            this.frame = make("div", null, { className: "timeline" });
            section.querySelector(".rest").before(this.frame);
            this.overview = make("canvas", this.frame, { className: "overview" });
            this.overview.setAttribute("aria-hidden", "true");
            this.scroller = make("div", this.frame, { className: "scroller" });
            this.spacer = make("div", this.scroller, { className: "spacer" });
            this.canvas = make("canvas", this.spacer, { tabIndex: 0 });
            this.canvas.setAttribute("role", "application");
            this.canvas.setAttribute("aria-label", "Timeline. A and D move, W and S zoom, 0 shows the whole run, " +
                "slash searches, brackets go to the same name before and after, question mark lists all keys.");
            this.scroller.addEventListener("scroll", () => this.redraw());
        }

        readTheme() { this.theme = ptk.themeColors(); }

        // ---- places ----

        // Each line of the picture with its height; those of rows are painted as pixels.
        layOut() {
            const lines = [];
            let y = this.axis, painted = 0;
            const add = (line, height) => { lines.push({ ...line, y, height }); y += height; };
            for (const row of this.idle.rows) add({ idle: row }, HEAD + ROW);
            if (this.data.path.pieces) add({ path: this.data.path }, HEAD + ROW);
            for (const group of this.groups) {
                add({ group }, HEAD);
                const rows = group.isOpen ? group.rows : group.rows.slice(0, 1);
                for (const row of rows) add({ row, painted: painted++ }, ROW);
                if (group.isOpen) for (const cells of group.cells) add({ cells, painted: painted++ }, ROW);
            }
            for (const series of this.data.series) add({ series }, this.data.events ? CURVE : CURVE_ALONE);
            this.lines = lines;
            this.height = y + 6;
            this.painted = painted;
            this.size();
        }

        size() {
            this.width = this.scroller.clientWidth || 300;
            this.shown = Math.min(this.height, Math.max(220, Math.round(innerHeight * 0.45) - OVERVIEW - TOOLS));
            this.spacer.style.height = this.height + "px";
            this.scroller.style.height = this.shown + "px";
            for (const [canvas, height] of [[this.canvas, this.shown], [this.overview, OVERVIEW]])
                ptk.contextOf(canvas, this.width, height, { alpha: false });
            this.ratio = devicePixelRatio || 1;
            this.isOverviewStale = true;
            this.draw(); // at once: a canvas of a new size is black
        }

        x(time) { return (time - this.view.from) / (this.view.to - this.view.from) * this.width; }
        time(x) { return this.view.from + x / this.width * (this.view.to - this.view.from); }
        lineAt(y) {
            const at = y + this.scroller.scrollTop;
            return y < this.axis ? null : this.lines.find(line => at >= line.y && at < line.y + line.height) || null;
        }

        // The event at a place of the canvas; -1: none.
        eventAt(x, y) {
            const line = this.lineAt(y), row = line && line.row;
            if (line && line.path) return this.pieceAt(line.path, this.time(x));
            if (!row) return -1;
            const pixel = (this.view.to - this.view.from) / this.width, time = this.time(x);
            const first = ptk.firstEndingAfter(this.data, row, time - pixel);
            if (first >= row.count || this.data.start[ptk.eventAt(row, first)] > time + pixel) return -1;
            const past = Math.max(first + 1, ptk.firstStartingAt(this.data, row, time + pixel, first));
            return ptk.eventAt(row, ptk.longestBetween(this.data, row, first, past));
        }

        pieceAt(path, time) {
            const at = ptk.firstPiece(path, time);
            return at < path.pieces && path.start[at] <= time ? path.event[at] : -1;
        }

        toggle(group) {
            group.isOpen = !group.isOpen;
            this.layOut();
        }

        // Opens the track of an event and scrolls to it.
        reveal(event) {
            const track = ptk.trackOf(this.data, event);
            const group = this.groups.find(each => each.lanes.includes(track));
            if (!group) return;
            if (!group.isOpen) this.toggle(group);
            const line = this.lineOf(event);
            const top = this.scroller.scrollTop, y = line.y;
            if (y < top + AXIS || y + ROW > top + this.shown) this.scroller.scrollTop = Math.max(0, y - this.shown / 2);
        }

        lineOf(event) {
            const row = ptk.trackOf(this.data, event).rows[this.data.depth[event]];
            return this.lines.find(line => line.row === row);
        }

        // ---- drawing ----

        redraw() {
            if (this.isWaiting) return;
            this.isWaiting = true;
            requestAnimationFrame(() => {
                this.isWaiting = false;
                const began = performance.now();
                this.draw();
                this.times.push(performance.now() - began);
            });
        }

        draw() {
            const context = this.canvas.getContext("2d", { alpha: false }), { theme, ratio } = this;
            context.setTransform(1, 0, 0, 1, 0, 0);
            context.fillStyle = theme.paper;
            context.fillRect(0, 0, this.canvas.width, this.canvas.height);
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            this.drawSteps(context);
            this.drawLines(context);
            this.drawRange(context);
            this.drawSelected(context);
            this.drawAxis(context);
            this.drawOverview();
        }

        visible() {
            const top = this.scroller.scrollTop, bottom = top + this.shown;
            return this.lines.filter(line => line.y + line.height > top && line.y < bottom);
        }

        drawSteps(context) {
            this.data.steps.forEach(([, start, end], i) => {
                const left = Math.max(0, this.x(start)), right = Math.min(this.width, this.x(end));
                if (i % 2 || right <= left) return;
                context.fillStyle = this.theme.band;
                context.fillRect(left, 0, right - left, this.shown);
            });
        }

        drawLines(context) {
            const lines = this.visible(), top = this.scroller.scrollTop, painter = this.painter;
            const rows = lines.filter(line => line.row || line.cells);
            painter.resize(this.canvas.width, rows.length);
            painter.begin(this.view, this.theme.papers);
            rows.forEach((line, i) => {
                if (line.row) painter.paintRow(line.row, i);
                else painter.paintCells(line.cells, i);
            });
            painter.finish();
            context.imageSmoothingEnabled = false;
            rows.forEach((line, i) =>
                context.drawImage(painter.canvas, 0, i, painter.width, 1, 0, line.y - top, this.width, ROW - 1));
            for (const label of painter.labels) {
                context.fillStyle = painter.isDimmed(this.data.name[label.event]) ? this.theme.ink : INK;
                this.drawLabel(context, ptk.nameOf(this.data, this.data.name[label.event]), label.left / this.ratio,
                               label.right / this.ratio, rows[label.line].y - top + ROW / 2);
            }
            for (const line of lines) {
                if (line.group) this.drawHeading(context, line, line.y - top);
                if (line.idle) this.drawIdle(context, line.idle, line.y - top);
                if (line.path) this.drawPath(context, line.path, line.y - top);
                if (line.series) this.drawCurve(context, line, line.y - top);
            }
        }

        drawLabel(context, text, left, right, y) {
            const room = Math.floor((right - left - 6) / LETTER);
            if (room > 2) context.fillText(text.length > room ? text.slice(0, room - 1) + "…" : text, left + 3, y);
        }

        drawHeading(context, line, y) {
            const { group } = line, isMore = group.rows.length + group.cells.length > 1;
            context.fillStyle = this.theme.ink;
            const mark = isMore ? (group.isOpen ? "▾ " : "▸ ") : "";
            const more = isMore && !group.isOpen ? ` (${group.rows.length} levels)` : "";
            this.drawLabel(context, mark + group.title + more, 0, this.width, y + HEAD / 2 + 1);
        }

        drawIdle(context, row, y) {
            context.fillStyle = this.theme.ink;
            this.drawLabel(context, row.title, 0, this.width, y + HEAD / 2 + 1);
            this.idle.draw(context, row, this, { y: y + HEAD, height: ROW - 1 });
        }

        // What runs has its kind's colour, what waits is dark.
        drawPath(context, path, y) {
            const { data, view } = this;
            context.fillStyle = this.theme.ink;
            this.drawLabel(context, (data.rank >= 0 ? `rank ${data.rank} · ` : "") + "critical path", 0, this.width, y + HEAD / 2 + 1);
            for (let at = ptk.firstPiece(path, view.from), past = 0; at < path.pieces && path.start[at] < view.to; at++) {
                const left = Math.max(0, this.x(path.start[at])), right = Math.min(this.width, this.x(path.end[at])), event = path.event[at];
                if (right < past) continue; // another one is in this pixel
                const isDim = view.marked && !(event >= 0 && view.marked[data.name[event]]);
                context.globalAlpha = isDim ? 0.3 : 1;
                context.fillStyle = event < 0 ? css(WAITING) : css(ptk.colorOfName(data, data.name[event]));
                context.fillRect(left, y + HEAD, Math.max(1, right - left), ROW - 1);
                context.globalAlpha = 1;
                past = left + 1;
                if (right - left < 40) continue;
                context.fillStyle = isDim ? this.theme.ink : INK;
                this.drawLabel(context, event < 0 ? path.parts[path.part[at]] : ptk.nameOf(data, data.name[event]), left, right, y + HEAD + ROW / 2);
            }
        }

        drawCurve(context, { series, height }, y) {
            context.fillStyle = css(AREA);
            ptk.drawArea(context, series, [this.view.from, this.view.to], { x: 0, y: y + HEAD, width: this.width, height: height - HEAD - 1 });
            context.fillStyle = this.theme.ink;
            this.drawLabel(context, `${ptk.titleOf(series)}: at most ${ptk.figureOf(series, series.most)}`, 0, this.width, y + HEAD / 2 + 1);
        }

        drawRange(context) {
            if (!this.view.range) return;
            const [left, right] = this.view.range.map(time => this.x(time));
            context.fillStyle = this.theme.link;
            context.globalAlpha = 0.15;
            context.fillRect(left, 0, right - left, this.shown);
            context.globalAlpha = 1;
            for (const x of [left, right]) context.fillRect(x - 0.5, 0, 1, this.shown);
        }

        middleOf(event) {
            const line = this.lineOf(event), { start, end } = this.data;
            return line && { x: this.x(start[event]), right: this.x(end[event]), y: line.y - this.scroller.scrollTop };
        }

        drawSelected(context) {
            const { data, view } = this;
            if (view.selected < 0) return;
            const box = this.middleOf(view.selected);
            if (!box) return;
            context.strokeStyle = this.theme.ink;
            context.lineWidth = 2;
            const left = Math.max(-4, box.x), right = Math.min(this.width + 4, Math.max(box.right, box.x + 2));
            context.strokeRect(left, box.y, Math.max(2, right - left), ROW - 1);
            const launch = data.launch[view.selected], from = launch >= 0 && this.middleOf(launch);
            if (from) this.drawArrow(context, from, box);
        }

        drawArrow(context, from, to) {
            context.lineWidth = 1.5;
            context.strokeStyle = this.theme.link;
            context.beginPath();
            context.moveTo(from.x, from.y + ROW / 2);
            context.bezierCurveTo(from.x + 30, from.y, to.x - 30, to.y + ROW, to.x, to.y + ROW / 2);
            context.stroke();
            context.beginPath();
            context.moveTo(to.x - 6, to.y + ROW / 2 - 4);
            context.lineTo(to.x, to.y + ROW / 2);
            context.lineTo(to.x - 6, to.y + ROW / 2 + 4);
            context.stroke();
        }

        drawAxis(context) {
            const { unit, zero } = this.data, from = this.view.from - zero, to = this.view.to - zero;
            const span = (to - from) * unit, tick = tickOf(span);
            context.fillStyle = this.theme.paper;
            context.fillRect(0, 0, this.width, this.axis - 2);
            context.fillStyle = this.theme.pale;
            context.fillRect(0, this.axis - 3, this.width, 1);
            for (let time = Math.ceil(from * unit / tick) * tick; time < to * unit; time += tick) {
                const x = this.x(time / unit + zero);
                context.fillRect(x, this.axis - 8, 1, 5);
                if (x < this.width - 50) context.fillText(tickText(time, tick, span), x + 3, this.axis - 11);
            }
            for (const [number, start, end] of this.data.steps) {
                const left = Math.max(0, this.x(start)), right = Math.min(this.width, this.x(end));
                if (right - left > 30) this.drawLabel(context, (right - left > 70 ? "step " : "") + number, left, right, 9);
            }
            for (const mark of this.view.marks) {
                context.fillStyle = this.theme.link;
                context.fillRect(this.x(mark) - 0.5, 0, 1, this.shown);
            }
        }

        // ---- the overview: all of the run, and what of it is shown ----

        paintOverview() {
            const canvas = document.createElement("canvas"), rows = this.groups.slice(0, 8).map(group => group.rows[0]).filter(Boolean);
            const painter = new ptk.RowPainter(this.data);
            painter.resize(this.overview.width, rows.length);
            painter.begin({ from: 0, to: this.view.end, marked: null }, this.theme.papers);
            rows.forEach((row, i) => painter.paintRow(row, i));
            painter.finish();
            canvas.width = this.overview.width;
            canvas.height = this.overview.height;
            const context = canvas.getContext("2d");
            context.imageSmoothingEnabled = false;
            if (rows.length) context.drawImage(painter.canvas, 0, 0, canvas.width, canvas.height);
            else for (const series of this.data.series.slice(0, 1)) {
                context.fillStyle = css(AREA);
                ptk.drawArea(context, series, [0, this.view.end], { x: 0, y: 2, width: canvas.width, height: canvas.height - 2 });
            }
            this.overviewPicture = canvas;
            this.isOverviewStale = false;
        }

        drawOverview() {
            if (this.isOverviewStale) this.paintOverview();
            const context = this.overview.getContext("2d", { alpha: false }), { ratio } = this;
            context.setTransform(1, 0, 0, 1, 0, 0);
            context.fillStyle = this.theme.paper;
            context.fillRect(0, 0, this.overview.width, this.overview.height);
            context.drawImage(this.overviewPicture, 0, 0);
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            const left = this.view.from / this.view.end * this.width, right = this.view.to / this.view.end * this.width;
            context.fillStyle = this.theme.paper;
            context.globalAlpha = 0.65;
            context.fillRect(0, 0, left, OVERVIEW);
            context.fillRect(right, 0, this.width - right, OVERVIEW);
            context.globalAlpha = 1;
            context.strokeStyle = this.theme.link;
            context.lineWidth = 2;
            context.strokeRect(left + 1, 1, Math.max(2, right - left - 2), OVERVIEW - 2);
        }
    }

    ptk.Timeline = Timeline;
})();
