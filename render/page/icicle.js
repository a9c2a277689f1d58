// icicle.js — a tab: what a selection's time is made of, each box as wide as its time, below the box that it is in
(function () {
    "use strict";

    const { make, button } = ptk;
    const ROW = 18, DEPTH = 60, LETTER = 6;

    function newNode(name, first) { return { name, first, time: 0, count: 0, children: new Map() }; }

    // Events that are in each other, joined where they have the same names around them.
    function treeOf(data, tracks, stretch) {
        const root = newNode(-1, 0), nodes = new Map(); // by event, of the track at hand
        let current = null;
        ptk.walk(data, tracks, stretch, (event, around, track) => {
            if (track !== current) nodes.clear();
            current = track;
            const parent = nodes.get(around) || root, name = data.name[event];
            let node = parent.children.get(name);
            if (!node) parent.children.set(name, node = newNode(name, data.start[event]));
            if (data.depth[event] + 1 < track.rows.length) nodes.set(event, node);
            node.time += ptk.lengthWithin(data, event, stretch);
            node.count++;
        });
        for (const child of root.children.values()) root.time += child.time;
        return root;
    }

    class Icicle {
        constructor(view, place) {
            this.view = view;
            const row = make("div", place, { className: "buttons" });
            this.sorter = button(row, "", () => { this.isInTime = !this.isInTime; this.draw(); });
            button(row, "Show all", () => { this.focus = null; this.draw(); });
            this.facts = make("p", place, { className: "facts" });
            this.facts.setAttribute("role", "status");
            this.canvas = make("canvas", place, { className: "icicle" });
            this.canvas.setAttribute("role", "img");
            this.canvas.setAttribute("aria-label", "icicle: width is time, what is called is below its caller; " +
                "the same figures are in the table of events by name");
            this.canvas.addEventListener("click", event => this.click(event));
            this.canvas.addEventListener("pointermove", event => this.tell(this.boxAt(event)));
            new ResizeObserver(() => this.root && this.draw()).observe(place);
        }

        // Threads, where there are some: a device's work is in no other.
        update() {
            const { data, track } = this.view, all = ptk.tracksOf(this.view);
            const hosts = track < 0 ? all.filter(each => each.kind === "thread" || each.kind === "samples") : all;
            this.root = treeOf(data, hosts.length ? hosts : all, ptk.stretchOf(this.view));
            this.focus = null;
            this.draw();
        }

        ordered(node) {
            return [...node.children.values()].sort((a, b) => this.isInTime ? a.first - b.first : b.time - a.time);
        }

        // Boxes of at least a pixel, level by level.
        layOut(width) {
            this.boxes = [];
            const top = this.focus || this.root;
            let level = [{ node: top, x: 0 }];
            for (let depth = 0; level.length && depth < DEPTH; depth++) {
                const next = [];
                for (const { node, x } of level) {
                    let at = x;
                    for (const child of this.ordered(node)) {
                        const size = child.time / top.time * width;
                        if (size >= 1) {
                            this.boxes.push({ node: child, x: at, y: depth * ROW, width: size });
                            next.push({ node: child, x: at });
                        }
                        at += size;
                    }
                }
                level = next;
            }
        }

        draw() {
            const width = this.canvas.parentNode.clientWidth;
            this.sorter.textContent = this.isInTime ? "Largest first" : "In order of time";
            this.layOut(width);
            const height = Math.max(ROW, ...this.boxes.map(box => box.y + ROW));
            const context = ptk.contextOf(this.canvas, width, height);
            for (const box of this.boxes) this.drawBox(context, box);
            this.tell(null);
        }

        drawBox(context, { node, x, y, width }) {
            const { data } = this.view, chosen = this.view.name, name = ptk.nameOf(data, node.name);
            const [r, g, b] = ptk.colorOfName(data, node.name), room = Math.floor((width - 8) / LETTER);
            context.globalAlpha = chosen < 0 || chosen === node.name ? 1 : 0.4;
            context.fillStyle = `rgb(${r},${g},${b})`;
            context.fillRect(x, y, Math.max(1, width - 1), ROW - 1);
            context.globalAlpha = 1;
            context.fillStyle = chosen < 0 || chosen === node.name ? "#14171b" : ptk.timeline.theme.ink;
            if (room > 2) context.fillText(name.length > room ? name.slice(0, room - 1) + "…" : name, x + 3, y + ROW / 2);
        }

        boxAt(event) {
            return this.boxes.find(box => event.offsetX >= box.x && event.offsetX < box.x + box.width &&
                                          event.offsetY >= box.y && event.offsetY < box.y + ROW) || null;
        }

        tell(box) {
            const { data } = this.view, node = box ? box.node : this.focus;
            this.facts.textContent = node
                ? `${ptk.nameOf(data, node.name)}: ${ptk.duration(node.time * data.unit)}, ` +
                  `${ptk.share(node.time, this.root.time)}, ${ptk.count(node.count)} ${node.count === 1 ? "event" : "events"}`
                : this.root.time ? "A click on a box widens it." : "No event is in this selection.";
        }

        click(event) {
            const box = this.boxAt(event);
            if (!box) return;
            this.focus = box.node;
            this.draw();
        }
    }

    ptk.selectedTabs.push({
        id: "flame", title: "Flame graph", replaces: true,
        isThere: data => data.tracks.some(track => track.rows.length > 1),
        build: (view, place) => {
            const icicle = new Icicle(view, place);
            return () => icicle.update();
        },
    });
})();
