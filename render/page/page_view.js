// page_view.js — what the reader looks at: a stretch of time, a selected event, a range, a search; and its address
(function () {
    "use strict";

    const LEAST = 20;      // units of time that are still shown
    const GLIDE = 350;     // ms that a jump takes

    // Whoever shows something asks to be told of changes: "view", "selection", "range" or "scope".
    class View {
        constructor(data) {
            this.data = data;
            this.from = 0;
            this.to = this.end = Math.max(data.span, 1);
            this.selected = -1;
            this.range = null;
            this.track = -1;   // that is chosen; -1: all
            this.name = -1;
            this.found = null; // by name: whether the search finds it
            this.marked = null; // by name: what the timeline shows in full colour; null: all
            this.marks = [];
            this.listeners = [];
            this.glide = null;
            window.addEventListener("hashchange", () => this.readAddress(location.hash));
        }

        onChange(listener) { this.listeners.push(listener); }
        tell(what) { this.listeners.forEach(listener => listener(what)); }

        // ---- time ----

        show(from, to) {
            const width = Math.min(this.end, Math.max(Math.min(LEAST, this.end), to - from));
            this.from = Math.max(0, Math.min(this.end - width, from));
            this.to = this.from + width;
            this.tell("view");
        }

        zoom(factor, at = (this.from + this.to) / 2) {
            this.glide = null;
            const width = Math.min(this.end, Math.max(LEAST, (this.to - this.from) * factor));
            const share = (at - this.from) / (this.to - this.from);
            this.show(at - share * width, at - share * width + width);
        }

        pan(shift) {
            this.glide = null;
            const width = this.to - this.from;
            const from = Math.max(0, Math.min(this.end - width, this.from + shift));
            this.show(from, from + width);
        }

        // Glides there, so that the reader sees where it is.
        go(from, to) {
            const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
            const width = Math.min(this.end, Math.max(LEAST, to - from));
            const target = Math.max(0, Math.min(this.end - width, (from + to - width) / 2));
            if (still) {
                this.show(target, target + width);
                this.writeAddress();
                return;
            }
            this.glide = { began: performance.now(), from: this.from, to: this.to, target, width };
            requestAnimationFrame(() => this.glideOn());
        }

        glideOn() {
            const glide = this.glide;
            if (!glide) return;
            const passed = Math.min(1, (performance.now() - glide.began) / GLIDE);
            const eased = passed < 0.5 ? 2 * passed * passed : 1 - 2 * (1 - passed) * (1 - passed);
            const before = glide.to - glide.from;
            const width = Math.exp(Math.log(before) + (Math.log(glide.width) - Math.log(before)) * eased);
            const moved = Math.abs(before - glide.width) < 1e-9 * before ? eased : (before - width) / (before - glide.width);
            const from = glide.from + (glide.target - glide.from) * moved;
            if (passed >= 1) {
                this.glide = null;
                this.show(glide.target, glide.target + glide.width);
                this.writeAddress();
                return;
            }
            this.show(from, from + width);
            requestAnimationFrame(() => this.glideOn());
        }

        whole() { this.go(0, this.end); }

        // ---- what is selected ----

        select(event) {
            this.selected = event;
            this.tell("selection");
            this.writeAddress();
        }

        // With as much around it as it is long.
        fit(event = this.selected) {
            if (event < 0) return this.range ? this.go(...this.range) : this.whole();
            const from = this.data.start[event], to = this.data.end[event], length = Math.max(to - from, LEAST / 2);
            this.go(from - length, to + length);
        }

        setRange(range) {
            this.range = range;
            this.tell("range");
            this.writeAddress();
        }

        // A name, a track or both, which the tabs follow.
        choose({ name = this.name, track = this.track }) {
            this.name = name;
            this.track = track;
            this.mark();
            this.tell("scope");
            this.writeAddress();
        }

        // A mark of the middle of what is shown; one that is there goes.
        toggleMark() {
            const middle = Math.round((this.from + this.to) / 2), near = (this.to - this.from) / 100;
            const there = this.marks.findIndex(each => Math.abs(each - middle) <= near);
            if (there >= 0) this.marks.splice(there, 1);
            else this.marks.push(middle);
            this.tell("view");
            this.writeAddress();
        }

        mark() {
            this.marked = this.found || (this.name < 0 ? null : this.data.names.map((_, name) => name === this.name));
        }

        search(text) {
            const wanted = text.toLowerCase();
            this.found = wanted ? this.data.names.map(([brief, , full]) =>
                (full || brief).toLowerCase().includes(wanted) || brief.toLowerCase().includes(wanted)) : null;
            this.mark();
            this.tell("view");
        }

        clear() {
            this.select(-1);
            this.setRange(null);
            this.choose({ name: -1, track: -1 });
        }

        // The next event of the selected one's name, or the one before, by start; -1: none.
        neighbour(step) {
            const data = this.data, event = this.selected;
            if (event < 0) return -1;
            const name = data.name[event];
            const isAfter = (a, b) => data.start[a] > data.start[b] || (data.start[a] === data.start[b] && a > b);
            let best = -1;
            for (let i = 0; i < data.events; i++)
                if (data.name[i] === name && i !== event && isAfter(i, event) === step > 0 &&
                    (best < 0 || isAfter(i, best) !== step > 0))
                    best = i;
            return best;
        }

        // The longest event that the test is true of; -1: none.
        longest(test) {
            const data = this.data;
            let best = -1;
            for (let i = 0; i < data.events; i++)
                if (test(i) && (best < 0 || data.end[i] - data.start[i] > data.end[best] - data.start[best])) best = i;
            return best;
        }

        // ---- the address: "#t=FROM,TO&sel=EVENT&range=FROM,TO&track=NUMBER&name=NUMBER&marks=TIME,…&tab=NAME" ----

        writeAddress() {
            const parts = [];
            if (this.from > 0 || this.to < this.end) parts.push("t=" + Math.floor(this.from) + "," + Math.ceil(this.to));
            if (this.selected >= 0) parts.push("sel=" + this.selected);
            if (this.range) parts.push("range=" + this.range.map(Math.round).join(","));
            if (this.track >= 0) parts.push("track=" + this.track);
            if (this.name >= 0) parts.push("name=" + this.name);
            if (this.marks.length) parts.push("marks=" + this.marks.join(","));
            if (ptk.tab) parts.push("tab=" + ptk.tab);
            history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
        }

        readAddress(address) {
            const parts = new URLSearchParams(address.slice(1));
            const pair = text => text.split(",").map(Number);
            const isPair = ([from, to]) => Number.isFinite(from) && Number.isFinite(to) && to > from;
            const place = (key, count) => {
                const at = parts.has(key) ? Number(parts.get(key)) : -1;
                return Number.isInteger(at) && at < count ? at : -1;
            };
            const selected = place("sel", this.data.events);
            if (parts.has("t") && isPair(pair(parts.get("t")))) this.show(...pair(parts.get("t")));
            if (selected >= 0) {
                this.selected = selected;
                this.tell("selection");
            }
            if (parts.has("range") && isPair(pair(parts.get("range")))) {
                this.range = pair(parts.get("range"));
                this.tell("range");
            }
            this.name = place("name", this.data.names.length);
            this.track = place("track", this.data.tracks.length);
            this.marks = parts.has("marks") ? parts.get("marks").split(",").map(Number).filter(at => at >= 0 && at <= this.end) : [];
            this.mark();
            this.tell("scope");
        }
    }

    ptk.View = View;
})();
