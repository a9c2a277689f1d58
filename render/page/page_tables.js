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

    // The first click puts the largest figure, or the first text, on top.
    function sortBy(table, heading) {
        const column = heading.cellIndex, body = table.tBodies[0];
        const rows = Array.from(body.rows);
        const starts = rows.some(row => typeof keyOf(row, column) === "number") ? "descending" : "ascending";
        const order = heading.getAttribute("aria-sort") !== starts ? starts
                    : starts === "ascending" ? "descending" : "ascending";
        const sign = order === "ascending" ? 1 : -1;
        rows.sort((a, b) => sign * compare(keyOf(a, column), keyOf(b, column)));
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", order);
        body.append(...rows);
    }

    // ---- searching ----

    const LONG = 12;

    function addSearch(box, table) {
        const input = document.createElement("input");
        input.type = "search";
        input.placeholder = "search " + table.tBodies[0].rows.length + " rows";
        input.setAttribute("aria-label", input.placeholder);
        input.addEventListener("input", () => {
            const wanted = input.value.toLowerCase();
            for (const row of table.tBodies[0].rows)
                row.hidden = !row.textContent.toLowerCase().includes(wanted);
        });
        box.before(input);
    }

    for (const box of document.querySelectorAll(".table")) {
        const table = box.querySelector("table");
        for (const sorter of table.querySelectorAll("th button"))
            sorter.addEventListener("click", () => sortBy(table, sorter.parentNode));
        if (table.tBodies[0].rows.length > LONG) addSearch(box, table);
    }

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
            button(make("td", row), names[call[end]], () => show(call[end]));
        }
    }

    function addRelatives(list) {
        const section = list.closest("section");
        const table = section.querySelector("table"), rows = Array.from(table.tBodies[0].rows);
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
        }

        rows.forEach((row, at) => {
            row.cells[name].textContent = "";
            button(row.cells[name], names[at], () => show(at)).className = "function";
        });
        panel.append(make("p", null, "Choose a function to see who calls it, and whom it calls."));
    }

    document.querySelectorAll(".calls").forEach(addRelatives);

    ptk.sortBy = sortBy;
})();
