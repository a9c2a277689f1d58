// flame.js — zoom, search and keyboard of a flame graph; the picture is complete without it
(function () {
    "use strict";
    const SVG = "http://www.w3.org/2000/svg", HTML = "http://www.w3.org/1999/xhtml";
    const PAD = 4;
    const svg = document.currentScript.closest("svg");
    const facts = svg.querySelector(".facts");
    const plainFacts = facts.textContent;
    const pen = document.createElementNS(HTML, "canvas").getContext("2d");
    const boxes = Array.from(svg.querySelectorAll(".box"), readBox);
    const left = boxes[0].x, drawnWidth = svg.viewBox.baseVal.width;
    const title = svg.querySelector(".title"), wholeTitle = title.textContent;
    let width = boxes[0].width, zoomed = boxes[0], current = boxes[0], pattern = "", matched = "";

    function readBox(g, index) {
        const shape = g.querySelector("rect");
        return {
            g, index, shapes: g.querySelectorAll("rect"), text: g.querySelector("text"),
            details: g.querySelector("title").textContent.split("\n").join("  ·  "),
            name: g.dataset.name, shown: g.dataset.shown || g.dataset.name, at: Number(g.dataset.at), total: Number(g.dataset.total),
            level: Number(g.dataset.level), x: Number(shape.getAttribute("x")),
            y: Number(shape.getAttribute("y")), width: Number(shape.getAttribute("width")),
        };
    }

    // Boxes come parents first: the one below is the last that was seen a level lower.
    const lastOfLevel = [];
    for (const box of boxes) {
        box.below = lastOfLevel[box.level - 1] || null;
        box.above = [];
        if (box.below) box.below.above.push(box);
        lastOfLevel[box.level] = box;
        box.g.setAttribute("tabindex", "-1");
        box.g.setAttribute("role", "button");
    }

    // ---- text ----

    function fit(name, room, font = "11px") {
        const characters = Array.from(name);
        let keep = characters.length;
        pen.font = font + " " + getComputedStyle(svg).fontFamily;
        if (pen.measureText(name).width <= room) return name;
        keep = Math.min(keep, Math.ceil(room / 2));
        for (; keep >= 3; keep--) {
            const head = Math.ceil(keep / 2);
            const cut = characters.slice(0, head).join("") + "…" +
                        characters.slice(characters.length - (keep - head)).join("");
            if (pen.measureText(cut).width <= room) return cut;
        }
        return "";
    }

    function letter(box, x, boxWidth) {
        const words = boxWidth > 3 * PAD ? fit(box.shown, boxWidth - 2 * PAD) : "";
        if (!words && !box.text) return;
        if (!box.text) {
            box.text = document.createElementNS(SVG, "text");
            box.text.setAttribute("y", box.y + 12);
            box.g.append(box.text);
        }
        box.text.setAttribute("x", x + PAD);
        box.text.textContent = words;
    }

    // ---- zoom ----

    function place(box) {
        const isBelow = box.level < zoomed.level && box.at <= zoomed.at &&
                        box.at + box.total >= zoomed.at + zoomed.total;
        const scale = zoomed.total ? width / zoomed.total : 0;
        const isInside = box.level >= zoomed.level && box.at >= zoomed.at &&
                         box.at + box.total <= zoomed.at + zoomed.total;
        const x = isBelow ? left : left + (box.at - zoomed.at) * scale;
        const boxWidth = isBelow ? width : box.total * scale;
        const isAway = !isBelow && (!isInside || boxWidth < 0.1);
        box.g.classList.toggle("above", isBelow);
        box.g.classList.toggle("away", isAway);
        if (isAway) return;
        for (const shape of box.shapes) {
            shape.setAttribute("x", x);
            shape.setAttribute("width", boxWidth);
        }
        letter(box, x, boxWidth);
    }

    function zoom(box) {
        zoomed = box;
        boxes.forEach(place);
        remember();
    }

    // ---- search ----

    function matcher(text) {
        try {
            return new RegExp(text, "i");
        } catch (_) {
            return { test: (name) => name.toLowerCase().includes(text.toLowerCase()) };
        }
    }

    // Matches within matches are counted once.
    function search(text) {
        const wanted = text ? matcher(text) : null;
        let sum = 0;
        pattern = text;
        for (const box of boxes) {
            const isMatch = wanted !== null && box.level > 0 && (wanted.test(box.name) || wanted.test(box.shown));
            box.isCovered = isMatch || (box.below !== null && box.below.isCovered);
            box.g.classList.toggle("match", isMatch);
            if (isMatch && !box.below.isCovered) sum += box.total;
        }
        matched = text ? `matched ${(100 * sum / (boxes[0].total || 1)).toFixed(2)}%` : "";
        tell(null);
        remember();
    }

    function tell(box) {
        facts.textContent = fit(box ? box.details : matched || plainFacts, width);
    }

    // ---- the address, so that a view can be sent to somebody ----

    function remember() {
        const parts = [];
        if (zoomed !== boxes[0]) parts.push("zoom=" + zoomed.index);
        if (pattern) parts.push("search=" + encodeURIComponent(pattern));
        const isOurs = /^$|^#(zoom|search)=/.test(location.hash); // or a chapter's, on a page
        if (parts.join("&") !== location.hash.slice(1) && (parts.length || isOurs))
            history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname);
    }

    function recall() {
        const wanted = new URLSearchParams(location.hash.slice(1));
        const text = wanted.get("search") || "";
        const box = boxes[Number(wanted.get("zoom") || 0)] || boxes[0];
        field.value = text;
        search(text);
        zoom(box);
        current = box;
    }

    // ---- pointer and keyboard ----

    function reset() {
        field.value = "";
        search("");
        go(boxes[0]);
        zoom(boxes[0]);
    }

    function go(box) {
        if (!box || box.g.classList.contains("away")) return;
        current.g.setAttribute("tabindex", "-1");
        current = box;
        box.g.setAttribute("tabindex", "0");
        box.g.focus();
        tell(box);
    }

    function beside(box, step) {
        const row = box.below ? box.below.above : [box];
        return row[row.indexOf(box) + step];
    }

    const isIcicle = boxes.length > 1 && boxes[1].y > boxes[0].y;
    const keys = {
        ArrowUp: () => go(isIcicle ? current.below : current.above[0]),
        ArrowDown: () => go(isIcicle ? current.above[0] : current.below),
        ArrowLeft: () => go(beside(current, -1)),
        ArrowRight: () => go(beside(current, 1)),
        Enter: () => zoom(current),
        " ": () => zoom(current),
        Home: () => go(boxes[0]),
    };

    function onKey(event) {
        if (event.key === "Escape") {
            reset();
        } else if (event.target === field) {
            return;
        } else if (event.key === "/") {
            field.focus();
        } else if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key] ||
                   event.target.tagName === "button") {
            return;
        } else {
            keys[event.key]();
        }
        event.preventDefault();
    }

    function boxOf(event) {
        const g = event.target.closest(".box");
        return g ? boxes.find((box) => box.g === g) : null;
    }

    // ---- narrow windows: alone in one, the picture is as wide as that ----

    function flowLegend(room) {
        const keys = Array.from(svg.querySelectorAll(".legend > rect"));
        const top = keys.length ? Number(keys[0].getAttribute("y")) : 0;
        let x = 0, y = 0;
        for (const key of keys) {
            const text = key.nextElementSibling, hasText = text !== null && text.tagName === "text";
            const length = hasText ? 16 + text.getComputedTextLength() : 11;
            if (x > 0 && x + length > room) [x, y] = [0, y + 18];
            key.setAttribute("x", left + x);
            key.setAttribute("y", top + y);
            if (hasText) {
                text.setAttribute("x", left + x + 16);
                text.setAttribute("y", top + y + 9.5);
            }
            x += length + (hasText ? 14 : 2);
        }
        return keys.length ? top + y + 22 : svg.viewBox.baseVal.height;
    }

    function adapt() {
        const room = Math.max(300, Math.min(drawnWidth, svg.clientWidth));
        if (svg !== document.documentElement || room === width + 2 * left) return;
        width = room - 2 * left;
        const height = flowLegend(width);
        for (const shape of [svg, svg.querySelector(".paper")]) {
            shape.setAttribute("width", room);
            shape.setAttribute("height", height);
        }
        svg.setAttribute("viewBox", `0 0 ${room} ${height}`);
        placeTools();
        title.textContent = fit(wholeTitle, width - toolsWidth() - 10, "bold 15px");
        boxes.forEach(place);
        tell(null);
    }

    const toolsWidth = () => Math.min(230, width / 2);

    function placeTools() {
        const frame = svg.querySelector("foreignObject"), room = toolsWidth();
        for (const [name, value] of [["x", left + width - room], ["y", 4], ["width", room], ["height", 26]])
            frame.setAttribute(name, value);
    }

    function makeTools() {
        const frame = document.createElementNS(SVG, "foreignObject");
        const tools = document.createElementNS(HTML, "div");
        const input = document.createElementNS(HTML, "input");
        const button = document.createElementNS(HTML, "button");
        tools.className = "tools";
        input.type = "search";
        input.placeholder = "Search ( / )";
        input.setAttribute("aria-label", "Search names by regular expression");
        button.type = "button";
        button.textContent = "Reset";
        input.addEventListener("input", () => search(input.value));
        button.addEventListener("click", reset);
        tools.append(input, button);
        frame.append(tools);
        svg.append(frame);
        placeTools();
        return input;
    }

    const field = makeTools();
    const group = svg.querySelector(".boxes");
    group.addEventListener("click", (event) => {
        const box = boxOf(event);
        if (!box) return;
        zoom(box);
        go(box);
    });
    group.addEventListener("mouseover", (event) => tell(boxOf(event)));
    group.addEventListener("mouseleave", () => tell(null));
    svg.addEventListener("keydown", onKey);
    window.addEventListener("hashchange", recall);
    window.addEventListener("resize", adapt);
    boxes[0].g.setAttribute("tabindex", "0");
    adapt();
    recall();
})();
