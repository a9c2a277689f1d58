// chapter_names.js — functions in the tables and pictures of chapters, and the same on the timeline: one leads to the other
(function () {
    "use strict";

    const { button } = ptk;
    const NAMED = ["name", "what", "where", "what ended", "what began"]; // columns that hold functions

    function numbersOf(data) {
        const numbers = new Map(); // by short name, by full one
        data.names.forEach(([brief], name) => numbers.set(brief, name));
        data.names.forEach(([, , full], name) => full && !numbers.has(full) && numbers.set(full, name));
        return numbers;
    }

    function join(view, cell, name) {
        const show = () => ptk.chooseName(view, name, view.longest(event => view.data.name[event] === name));
        const there = cell.querySelector("button");
        if (there) return there.addEventListener("click", show);
        const text = cell.textContent;
        cell.textContent = "";
        const opener = button(cell, text, show);
        opener.title = cell.title;
        ptk.letBreak(opener);
    }

    // Rows of the chapters' tables that name what is on the timeline, by name.
    function joinRows(view, chapters) {
        const numbers = numbersOf(view.data), joined = new Map();
        for (const table of chapters.flatMap(chapter => [...chapter.querySelectorAll(".table table")])) {
            const listing = ptk.listingOf(table), headings = listing ? [...table.tHead.rows[0].cells] : [];
            const columns = headings.filter(heading => NAMED.includes(heading.dataset.key)).map(heading => heading.cellIndex);
            for (const row of columns.length ? listing.rows : [])
                for (const cell of columns.map(column => row.cells[column])) {
                    const name = numbers.get(cell.title) ?? numbers.get(cell.textContent);
                    if (name === undefined) continue;
                    if (!joined.has(name)) joined.set(name, []);
                    joined.get(name).push({ listing, row });
                    join(view, cell, name);
                }
        }
        return joined;
    }

    // Dots of a roofline: "3: NAME" is the third row of its table.
    function joinDots(chapters) {
        const dots = new Map(); // by row
        for (const dot of chapters.flatMap(chapter => [...chapter.querySelectorAll("#roofline .dot")])) {
            const table = dot.closest("section").querySelector(".table table"), listing = table && ptk.listingOf(table);
            const row = listing && listing.rows[parseInt(dot.querySelector("title").textContent, 10) - 1];
            const found = row && row.querySelector("td button");
            if (!found) continue;
            dots.set(row, dot);
            dot.classList.add("leads");
            dot.addEventListener("click", () => found.click());
        }
        return dots;
    }

    ptk.joinChapters = function (view, chapters) {
        const joined = joinRows(view, chapters), dots = joinDots(chapters);
        let marked = [];
        const mark = isOn => marked.forEach(({ row }) => {
            row.classList.toggle("chosen", isOn);
            if (dots.has(row)) dots.get(row).classList.toggle("chosen", isOn);
        });
        view.onChange(what => {
            if (what !== "scope" && what !== "selection") return;
            mark(false);
            marked = joined.get(ptk.nameInFocus(view)) || [];
            mark(true);
            if (view.name >= 0) marked.forEach(({ listing, row }) => listing.reveal(row));
        });
    };
})();
