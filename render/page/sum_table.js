// sum_table.js — tables of what a selection comes to, by name, by line and by track: only the rows that are seen are there
(function () {
    "use strict";

    const { make, button } = ptk;
    const ROW = 26, SHOWN = 480;

    // `kind` of sums: `label`, `columns` (title, text of a sum, value of one where it is a figure), `collect` the
    // sums, `choose` one, whether one `isChosen`.
    class SumTable {
        constructor(view, place, kind) {
            this.view = view;
            this.kind = kind;
            this.sums = [];
            this.order = { column: kind.columns.find(column => column.value), sign: -1 };
            this.cells = new Map();
            this.search = make("input", place, { type: "search", placeholder: "search " + kind.label });
            this.search.setAttribute("aria-label", "search " + kind.label);
            this.search.addEventListener("input", () => this.arrange());
            this.box = make("div", place, { className: "table virtual", tabIndex: 0 });
            this.box.setAttribute("role", "region");
            this.box.setAttribute("aria-label", kind.label);
            const table = make("table", this.box);
            this.heading = make("tr", make("thead", table));
            kind.columns.forEach(column => this.addHeading(column));
            this.body = make("tbody", table);
            this.box.addEventListener("scroll", () => this.fill());
        }

        addHeading(column) {
            const cell = make("th", this.heading, { scope: "col", className: column.value ? "right" : "" });
            button(cell, column.title, () => {
                const isSame = this.order.column === column;
                this.order = { column, sign: isSame ? -this.order.sign : column.value ? -1 : 1 };
                this.arrange();
            });
            this.cells.set(column, cell);
        }

        update() {
            this.sums = this.kind.collect(this.view);
            this.arrange();
        }

        arrange() {
            const { column, sign } = this.order, { view, kind } = this, wanted = this.search.value.toLowerCase();
            const key = sum => column.value ? column.value(sum) : column.of(view.data, sum, view).toLowerCase();
            const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
            this.rows = this.sums.filter(sum => !wanted || kind.textOf(view.data, sum).toLowerCase().includes(wanted));
            this.rows.sort((a, b) => sign * order(key(a), key(b)));
            for (const cell of this.cells.values()) cell.removeAttribute("aria-sort");
            this.cells.get(column).setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
            this.scrollToChosen();
            this.fill();
        }

        // Only when another one has been chosen: a reader may have scrolled away.
        scrollToChosen() {
            const at = this.rows.findIndex(sum => this.kind.isChosen(this.view, sum));
            const chosen = at < 0 ? null : this.rows[at].key;
            if (chosen !== null && chosen !== this.chosen && (at * ROW < this.box.scrollTop || at * ROW > this.box.scrollTop + SHOWN - 3 * ROW))
                this.box.scrollTop = Math.max(0, at * ROW - SHOWN / 2);
            this.chosen = chosen;
        }

        // The rows around the scroll's place, between two empty ones that are as high as the others.
        fill() {
            const first = Math.min(this.rows.length, Math.max(0, Math.floor(this.box.scrollTop / ROW) - 5));
            const past = Math.min(this.rows.length, first + Math.ceil(SHOWN / ROW) + 10);
            this.body.replaceChildren();
            this.addSpace(first);
            for (const sum of this.rows.slice(first, past)) this.addRow(sum);
            this.addSpace(this.rows.length - past);
        }

        addSpace(rows) {
            if (rows <= 0) return;
            const cell = make("td", make("tr", this.body, { className: "space" }), { colSpan: this.kind.columns.length });
            cell.style.height = rows * ROW + "px";
        }

        addRow(sum) {
            const { view, kind } = this, row = make("tr", this.body);
            if (kind.isChosen(view, sum)) row.className = "chosen";
            kind.columns.forEach((column, i) => {
                const cell = make("td", row, { className: column.value ? "right" : "" }), text = column.of(view.data, sum, view);
                if (i) cell.textContent = text;
                else button(cell, text, () => kind.choose(view, sum)).title = kind.textOf(view.data, sum);
            });
        }
    }

    ptk.SumTable = SumTable;

    const figure = (title, value) => ({ title, value, of: (data, sum) => ptk.duration(value(sum) * data.unit) });
    const figures = {
        time: figure("time", sum => sum.time), self: figure("own time", sum => sum.self), longest: figure("longest", sum => sum.longest),
        share: { title: "share", value: sum => sum.time, of: (data, sum, view) => {
            const [from, to] = ptk.stretchOf(view);
            return ptk.share(sum.time, to - from);
        } },
        count: { title: "events", value: sum => sum.count, of: (data, sum) => ptk.count(sum.count) },
    };

    function addTable(id, title, kind, isThere) {
        ptk.selectedTabs.push({ id, title, isThere, build: (view, place) => {
            const table = new SumTable(view, place, kind);
            return () => table.update();
        } });
    }

    // ---- by name ----

    addTable("names", "Events by name", {
        label: "events by name",
        columns: [
            { title: "name", of: (data, sum) => ptk.nameOf(data, sum.key) },
            figures.time, figures.self, figures.count, figures.longest,
            { title: "kind", of: (data, sum) => ptk.kindOf(data, sum.key) },
        ],
        textOf: (data, sum) => ptk.fullName(data, sum.key) + " " + ptk.nameOf(data, sum.key),
        collect: view => ptk.sumRange(view.data, ...ptk.stretchOf(view), ptk.tracksOf(view)),
        choose: (view, sum) => ptk.chooseName(view, sum.key, sum.event),
        isChosen: (view, sum) => ptk.nameInFocus(view) === sum.key,
    }, data => data.events > 0);

    // A name that is chosen is marked on the timeline; its longest event of the stretch is selected.
    ptk.chooseName = function (view, name, event) {
        view.choose({ name: view.name === name ? -1 : name });
        if (view.name >= 0 && event >= 0) ptk.showEvent(ptk.timeline, event, false);
    };

    // ---- by track ----

    ptk.trackTable = {
        label: "tracks",
        columns: [
            { title: "track", of: (data, sum) => ptk.titleOf(sum.key) },
            figures.time, figures.share, figures.count, figures.longest,
            { title: "kind", of: (data, sum) => sum.key.kind },
        ],
        textOf: (data, sum) => ptk.titleOf(sum.key),
        collect: view => ptk.sumsOf(view.data, view.data.tracks, ptk.stretchOf(view), (event, track) => track),
        choose: (view, sum) => {
            const at = view.data.tracks.indexOf(sum.key);
            view.choose({ track: view.track === at ? -1 : at });
        },
        isChosen: (view, sum) => view.data.tracks[view.track] === sum.key,
    };
    addTable("tracks", "Tracks", ptk.trackTable, data => data.tracks.length > 1);

    // ---- by line of source ----

    addTable("places", "Source", {
        label: "places in the source",
        columns: [
            { title: "place", of: (data, sum) => sum.key },
            { title: "name", of: (data, sum) => ptk.nameOf(data, data.name[sum.event]) },
            figures.time, figures.self, figures.count, figures.longest,
        ],
        textOf: (data, sum) => sum.key + " " + ptk.fullName(data, data.name[sum.event]),
        collect: view => ptk.sumsOf(view.data, ptk.tracksOf(view), ptk.stretchOf(view),
                                    event => ptk.placeOf(view.data, view.data.name[event])).filter(sum => sum.key),
        choose: (view, sum) => ptk.chooseName(view, view.data.name[sum.event], sum.event),
        isChosen: (view, sum) => ptk.placeOf(view.data, ptk.nameInFocus(view)) === sum.key,
    }, data => data.names.some(each => each[3]));
})();
