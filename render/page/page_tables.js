// page_tables.js — tables that sort and search; callers and callees of a function; the page is complete without
(function () {
    "use strict";

    const { make, button } = ptk;

    // ---- sorting ----

    // A cell's figure where it has one, the first number of a text that stands at the right, or the
    // text.
    function keyOf(row, column) {
        const cell = row.cells[column];
        if ("value" in cell.dataset) return Number(cell.dataset.value);
        const number = parseFloat(cell.textContent.replace(/[<,]/g, ""));
        return cell.className === "right" && !isNaN(number) ? number : cell.textContent.toLowerCase();
    }

    // Figures come before texts.
    function compare(a, b) {
        if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
        return a < b ? -1 : a > b ? 1 : 0;
    }

    // ---- the rows that a table shows: those that match, in order, the first of them until all are asked for ----

    const FIRST = 20, LONG = 12;
    const isLimited = document.getElementById("answer") !== null;
    const listings = new Map(); // by table

    class Listing {
        constructor(box, table) {
            this.table = table;
            this.rows = Array.from(table.tBodies[0].rows);
            this.matching = this.rows;
            this.showsAll = !isLimited;
            for (const sorter of table.querySelectorAll("th button"))
                sorter.addEventListener("click", () => this.sort(sorter.parentNode));
            if (this.rows.length > LONG) this.addSearch(box);
            if (isLimited && this.rows.length > FIRST) {
                this.more = button(null, "", () => { this.showsAll = true; this.show(); });
                box.after(this.more);
            }
            this.show();
        }

        addSearch(box) {
            const input = make("input", null, { type: "search", placeholder: `search ${this.rows.length} rows` });
            input.setAttribute("aria-label", input.placeholder);
            input.addEventListener("input", () => {
                const wanted = input.value.toLowerCase();
                this.matching = this.rows.filter(row => row.textContent.toLowerCase().includes(wanted));
                this.show();
            });
            box.before(input);
        }

        // The first click puts the largest figure, or the first text, on top.
        sort(heading) {
            const column = heading.cellIndex, headings = this.table.tHead.rows[0].cells;
            const starts = this.rows.some(row => typeof keyOf(row, column) === "number") ? "descending" : "ascending";
            const order = heading.getAttribute("aria-sort") !== starts ? starts
                        : starts === "ascending" ? "descending" : "ascending";
            const sign = order === "ascending" ? 1 : -1, keys = new Map(this.rows.map(row => [row, keyOf(row, column)]));
            const matching = new Set(this.matching);
            this.rows = [...this.rows].sort((a, b) => sign * compare(keys.get(a), keys.get(b)));
            this.matching = this.rows.filter(row => matching.has(row));
            for (const other of headings) other.removeAttribute("aria-sort");
            heading.setAttribute("aria-sort", order);
            this.show();
        }

        show() {
            const shown = this.showsAll ? this.matching : this.matching.slice(0, FIRST);
            this.table.tBodies[0].replaceChildren(...shown);
            this.table.querySelectorAll("td:not(.right, .code), td button, .name > button").forEach(ptk.letBreak);
            if (!this.more) return;
            this.more.hidden = shown.length === this.matching.length;
            this.more.textContent = `Show all ${this.matching.length} rows`;
        }

        reveal(row) {
            if (row.isConnected || this.table.tBodies[0].contains(row)) return;
            this.matching = this.rows;
            this.showsAll = true;
            this.show();
        }
    }

    for (const box of document.querySelectorAll(".table")) {
        const table = box.querySelector("table");
        listings.set(table, new Listing(box, table));
    }

    ptk.listingOf = table => listings.get(table);

    // ---- names in a narrow window: they come first, and stay while the figures scroll past them ----

    const narrow = matchMedia("(max-width: 56rem)"), AT_BEGIN = 2;

    function placeName(row, at) {
        const cell = row.querySelector(".name");
        cell.remove();
        row.insertBefore(cell, row.cells[at] || null);
    }

    ptk.placeNames = function () {
        for (const { table, rows } of listings.values()) {
            const heading = table.tHead.rows[0], name = heading.querySelector(".name"), at = name ? name.cellIndex : 0;
            if (at < AT_BEGIN) continue;
            const place = () => [heading, ...rows].forEach(row => placeName(row, narrow.matches ? 0 : at));
            if (narrow.matches) place();
            narrow.addEventListener("change", place);
        }
    };

    // ---- callers and callees ----

    function readCalls(list) {
        return list.textContent.split("\n").filter(Boolean).map(line => {
            const part = line.split("|");
            return { caller: Number(part[0]), callee: Number(part[1]), cum: Number(part[2]),
                     calls: part[3], time: part[4] };
        });
    }

    function showRelatives(place, title, calls, end, names, show) {
        const column = make("div", place);
        make("h4", column, title);
        if (calls.length === 0) make("p", column, "none in this table");
        const table = calls.length ? make("table", column) : null;
        for (const call of calls.sort((a, b) => b.cum - a.cum)) {
            const row = make("tr", table);
            make("td", row, call.calls && call.calls + "×").className = "right";
            make("td", row, call.time).className = "right";
            ptk.letBreak(button(make("td", row), names[call[end]], () => show(call[end])));
        }
    }

    function addRelatives(list) {
        const section = list.closest("section");
        const table = section.querySelector("table"), listing = listings.get(table), rows = listing.rows;
        const name = table.tHead.rows[0].cells.length - 1;
        const names = rows.map(row => row.cells[name].textContent);
        const calls = readCalls(list);
        const panel = make("div", null);
        panel.className = "relatives";
        panel.setAttribute("aria-live", "polite");
        table.closest(".table").after(panel);

        function show(at) {
            panel.replaceChildren();
            make("h3", panel, names[at]);
            const place = make("div", panel);
            showRelatives(place, "called by", calls.filter(call => call.callee === at), "caller", names, show);
            showRelatives(place, "calls", calls.filter(call => call.caller === at), "callee", names, show);
            for (const row of rows) row.classList.toggle("chosen", row === rows[at]);
            listing.reveal(rows[at]);
        }

        rows.forEach((row, at) => {
            row.cells[name].textContent = "";
            const opener = button(row.cells[name], names[at], () => show(at));
            opener.className = "function";
            ptk.letBreak(opener);
        });
        panel.append(make("p", null, "Choose a function to see who calls it, and whom it calls."));
    }

    document.querySelectorAll(".calls").forEach(addRelatives);
})();
