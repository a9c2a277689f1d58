// page_slider.js — the slider of Amdahl's law: how much faster the whole gets when a part does
(function () {
    "use strict";

    const { make, button } = ptk;

    function columnOf(table, key) {
        return Array.from(table.tHead.rows[0].cells).findIndex(cell => cell.dataset.key === key);
    }

    function speedup(share, factor) {
        return 1 / (1 - share + share / factor);
    }

    // The slider's ends are 1 and 100 times, in equal steps of the logarithm.
    const FACTOR_MOST = 200, FACTOR_FIRST = 60;

    // "12.5%", or "10-12.5%" where only bounds are known.
    function sharesOf(cell) {
        return cell.textContent.match(/[\d.]+/g).map(number => Number(number) / 100);
    }

    function addSlider(section) {
        const table = section.querySelector("table");
        const share = table ? columnOf(table, "share") : -1;
        if (share < 0) return;
        const label = make("label", null);
        const slider = make("input", label), words = make("output", label);
        const heading = make("th", null);
        const title = button(heading, "", () => ptk.listingOf(table).sort(heading));
        const cells = ptk.listingOf(table).rows.map(row => {
            const cell = make("td", null);
            cell.className = "right";
            row.cells[row.cells.length - 1].before(cell);
            return { cell, shares: sharesOf(row.cells[share]) };
        });

        function update() {
            const factor = Math.pow(10, slider.value * 2 / FACTOR_MOST);
            words.textContent = "when a part gets " + factor.toPrecision(3) + "× faster";
            title.textContent = "at " + factor.toPrecision(3) + "×";
            for (const { cell, shares } of cells) {
                const gains = shares.map(part => speedup(part, factor));
                cell.textContent = gains.map(gain => gain.toFixed(3)).join("-") + "×";
                cell.dataset.value = gains[gains.length - 1];
            }
        }

        heading.className = "right";
        table.tHead.rows[0].cells[table.tHead.rows[0].cells.length - 1].before(heading);
        slider.type = "range";
        slider.max = FACTOR_MOST;
        slider.value = FACTOR_FIRST;
        slider.setAttribute("aria-label", "how much faster a part gets");
        slider.addEventListener("input", update);
        table.closest(".table").before(label);
        update();
    }

    document.querySelectorAll("#amdahl").forEach(addSlider);
})();
