// event_tabs.js — tabs over what is on the timeline: a table by name, and an icicle of who called whom
(function () {
    "use strict";

    const { make, button } = ptk;
    const ROW = 26, SHOWN = 480, DELAY = 150;

    // What the tabs are about: the range, else what is shown.
    const stretchOf = view => view.range || [view.from, view.to];

    function section(id, title, view) {
        const made = make("section", null, { id });
        made.dataset.title = title;
        make("h2", made, { textContent: title });
        made.about = make("p", made);
        made.tell = () => {
            const [from, to] = stretchOf(view);
            made.about.textContent = `${view.range ? "In the range" : "In what the timeline shows"}: ` +
                `${ptk.duration((to - from) * view.data.unit)} from ${ptk.duration(from * view.data.unit)} on.`;
        };
        return made;
    }

    // Calls once the reader rests, and only where the tab is open.
    function follow(view, made, update) {
        let timer = 0;
        const later = () => {
            clearTimeout(timer);
            timer = setTimeout(() => { if (made.isConnected) { made.tell(); update(); } }, DELAY);
        };
        view.onChange(later);
        made.addEventListener("shown", later);
    }

    // ---- a table of names: only the rows that are seen are there ----

    const COLUMNS = [
        { title: "name", of: (data, sum) => ptk.nameOf(data, sum.name) },
        { title: "kind", of: (data, sum) => ptk.kindOf(data, sum.name) },
        { title: "time", right: true, value: sum => sum.time, of: (data, sum) => ptk.duration(sum.time * data.unit) },
        { title: "events", right: true, value: sum => sum.count, of: (data, sum) => ptk.count(sum.count) },
        { title: "longest", right: true, value: sum => sum.longest, of: (data, sum) => ptk.duration(sum.longest * data.unit) },
    ];

    class NameTable {
        constructor(view, made) {
            this.view = view;
            this.sums = [];
            this.order = { column: COLUMNS[2], sign: -1 };
            this.search = make("input", made, { type: "search", placeholder: "search names" });
            this.search.setAttribute("aria-label", "search names");
            this.search.addEventListener("input", () => this.arrange());
            this.box = make("div", made, { className: "table virtual", tabIndex: 0 });
            this.box.setAttribute("role", "region");
            this.box.setAttribute("aria-label", "events by name");
            const table = make("table", this.box);
            this.heading = make("tr", make("thead", table));
            COLUMNS.forEach(column => this.addHeading(column));
            this.body = make("tbody", table);
            this.box.addEventListener("scroll", () => this.fill());
        }

        addHeading(column) {
            const cell = make("th", this.heading, { scope: "col", className: column.right ? "right" : "" });
            button(cell, column.title, () => {
                const isSame = this.order.column === column;
                this.order = { column, sign: isSame ? -this.order.sign : column.value ? -1 : 1 };
                this.arrange();
            });
            column.cell = cell;
        }

        update() {
            this.sums = ptk.sumRange(this.view.data, ...stretchOf(this.view));
            this.arrange();
        }

        arrange() {
            const { column, sign } = this.order, data = this.view.data, wanted = this.search.value.toLowerCase();
            const key = sum => column.value ? column.value(sum) : column.of(data, sum).toLowerCase();
            const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
            this.rows = this.sums.filter(sum => !wanted || ptk.fullName(data, sum.name).toLowerCase().includes(wanted) ||
                                                ptk.nameOf(data, sum.name).toLowerCase().includes(wanted));
            this.rows.sort((a, b) => sign * order(key(a), key(b)));
            for (const each of COLUMNS) each.cell.removeAttribute("aria-sort");
            column.cell.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
            this.fill();
        }

        // The rows around the scroll's place, between two empty ones that are as high as the others.
        fill() {
            const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 5);
            const past = Math.min(this.rows.length, first + Math.ceil(SHOWN / ROW) + 10);
            this.body.replaceChildren();
            this.addSpace(first);
            for (const sum of this.rows.slice(first, past)) this.addRow(sum);
            this.addSpace(this.rows.length - past);
        }

        addSpace(rows) {
            if (rows <= 0) return;
            const cell = make("td", make("tr", this.body, { className: "space" }), { colSpan: COLUMNS.length });
            cell.style.height = rows * ROW + "px";
        }

        addRow(sum) {
            const { view } = this, row = make("tr", this.body);
            if (view.selected >= 0 && view.data.name[view.selected] === sum.name) row.className = "chosen";
            COLUMNS.forEach((column, i) => {
                const cell = make("td", row, { className: column.right ? "right" : "" }), text = column.of(view.data, sum);
                if (i) cell.textContent = text;
                else button(cell, text, () => ptk.showEvent(ptk.timeline, sum.event, false)).title = ptk.fullName(view.data, sum.name);
            });
        }
    }

    // ---- an icicle: the events of a stretch by who was around them ----

    function newNode(name) { return { name, time: 0, count: 0, children: new Map() }; }

    // Of the tracks of one kind; left heavy.
    function treeOf(data, from, to, kinds) {
        const root = newNode(-1), path = [];
        for (const track of data.tracks.filter(each => kinds.includes(each.kind))) {
            const until = [];
            path.length = 0;
            for (let event = track.first; event < track.first + track.events; event++) {
                const start = data.start[event], end = data.end[event];
                if (start >= to) break;
                while (until.length && until[until.length - 1] <= start) { until.pop(); path.pop(); }
                const parent = path.length ? path[path.length - 1] : root;
                let node = parent.children.get(data.name[event]);
                if (!node) parent.children.set(data.name[event], node = newNode(data.name[event]));
                until.push(end);
                path.push(node);
                if (end <= from) continue;
                node.time += Math.min(end, to) - Math.max(start, from);
                node.count++;
            }
        }
        for (const child of root.children.values()) root.time += child.time;
        return root;
    }

    class Icicle {
        constructor(view, made) {
            this.view = view;
            this.facts = make("p", made, { className: "facts" });
            this.facts.setAttribute("role", "status");
            this.canvas = make("canvas", made, { className: "icicle", tabIndex: 0 });
            this.canvas.setAttribute("role", "img");
            this.canvas.setAttribute("aria-label", "icicle of host threads: width is time, children below their callers; " +
                "the same figures are in the table of events");
            this.canvas.addEventListener("click", event => this.click(event));
            this.canvas.addEventListener("pointermove", event => this.tell(this.boxAt(event)));
            this.canvas.addEventListener("dblclick", () => { this.focus = null; this.draw(); });
        }

        update() {
            const { data } = this.view, stretch = stretchOf(this.view);
            this.root = treeOf(data, ...stretch, ["thread", "samples"]);
            if (!this.root.time) this.root = treeOf(data, ...stretch, ["stream"]);
            this.focus = null;
            this.draw();
        }

        // Boxes of at least a pixel, level by level.
        layOut(width) {
            this.boxes = [];
            const top = this.focus || this.root;
            let level = [{ node: top, x: 0 }];
            for (let depth = 0; level.length && depth < 60; depth++) {
                const next = [];
                for (const { node, x } of level) {
                    let at = x;
                    for (const child of [...node.children.values()].sort((a, b) => b.time - a.time)) {
                        const size = child.time / top.time * width;
                        if (size >= 1) {
                            this.boxes.push({ node: child, x: at, y: depth * 18, width: size });
                            next.push({ node: child, x: at });
                        }
                        at += size;
                    }
                }
                level = next;
            }
        }

        draw() {
            const ratio = devicePixelRatio || 1, width = this.canvas.parentNode.clientWidth, { data } = this.view;
            this.layOut(width);
            const height = Math.max(18, ...this.boxes.map(box => box.y + 18));
            this.canvas.width = Math.round(width * ratio);
            this.canvas.height = Math.round(height * ratio);
            this.canvas.style.width = width + "px";
            this.canvas.style.height = height + "px";
            const context = this.canvas.getContext("2d");
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            context.font = "11px system-ui, sans-serif";
            context.textBaseline = "middle";
            for (const box of this.boxes) {
                const [r, g, b] = ptk.colorOfKind(ptk.kindOf(data, box.node.name));
                context.fillStyle = `rgb(${r},${g},${b})`;
                context.fillRect(box.x, box.y, Math.max(1, box.width - 1), 17);
                const room = Math.floor((box.width - 8) / 6), name = ptk.nameOf(data, box.node.name);
                context.fillStyle = "#14171b";
                if (room > 2) context.fillText(name.length > room ? name.slice(0, room - 1) + "…" : name, box.x + 3, box.y + 9);
            }
            this.tell(null);
        }

        boxAt(event) {
            return this.boxes.find(box => event.offsetX >= box.x && event.offsetX < box.x + box.width &&
                                          event.offsetY >= box.y && event.offsetY < box.y + 18) || null;
        }

        tell(box) {
            const { data } = this.view, node = box ? box.node : this.focus;
            this.facts.textContent = node
                ? `${ptk.nameOf(data, node.name)}: ${ptk.duration(node.time * data.unit)}, ` +
                  `${ptk.share(node.time, this.root.time)}, ${ptk.count(node.count)} events`
                : "Click a box to widen it; double click shows all again.";
        }

        click(event) {
            const box = this.boxAt(event);
            if (!box) return;
            this.focus = box.node;
            this.draw();
        }
    }

    ptk.addEventTabs = function (view, list) {
        const table = section("names", "Events by name", view), flame = section("icicle", "Calls", view);
        list.after(table, flame);
        const names = new NameTable(view, table);
        follow(view, table, () => names.update());
        if (!view.data.tracks.some(track => track.rows.length > 1)) {
            flame.remove();
            return [table];
        }
        const icicle = new Icicle(view, flame);
        follow(view, flame, () => icicle.update());
        return [table, flame];
    };
})();
