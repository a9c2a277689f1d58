// page_elements.js — elements of the page, and the names that all of its scripts share
const ptk = {};

(function () {
    "use strict";

    // `properties`: its text, or what else it has.
    ptk.make = function (name, parent, properties = {}) {
        const element = document.createElement(name);
        Object.assign(element, typeof properties === "string" ? { textContent: properties } : properties);
        if (parent) parent.append(element);
        return element;
    };

    ptk.button = function (parent, text, act) {
        const element = ptk.make("button", parent, { type: "button", textContent: text });
        element.addEventListener("click", act);
        return element;
    };

    // The canvas's context for text of the page's size, once the canvas has this size on the screen.
    ptk.contextOf = function (canvas, width, height, settings) {
        const ratio = devicePixelRatio || 1, context = canvas.getContext("2d", settings);
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        canvas.style.width = width + "px";
        canvas.style.height = height + "px";
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        return context;
    };

    // Of the style, for canvases; `papers`: the paper's red, green and blue.
    ptk.themeColors = function () {
        const style = getComputedStyle(document.documentElement);
        const color = name => style.getPropertyValue(name).trim();
        const parse = text => text.length === 4 ? [1, 2, 3].map(i => parseInt(text[i] + text[i], 16))
                                                : [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16));
        return { paper: color("--paper"), ink: color("--ink"), pale: color("--pale"), line: color("--line"), band: color("--row"),
                 link: color("--link"), chosen: color("--chosen"), papers: parse(color("--paper")) };
    };

    const BEHIND_MARKS = /(?<=\S{6}(?:[./:#,-]|[A-Za-z0-9]_(?!_)|\((?=<)))(?!(?<=\.)\w{1,4}\b)(?=_*[^\s\d_./:#,-]\S{5})/;
    const BEHIND_BRACKETS = /(?<=[([{<,=])(?=[^\s)\]}>,=]\S{3})|(?<=[a-z\d])(?=[A-Z][a-z]{2})/;

    // Long names may break after their marks, not within a word, nor before the ending of a file. What is then still
    // too long for a column, or for a line, may break after brackets, and before capitals.
    ptk.letBreak = function (element) {
        const most = element.closest("td, th") ? 18 : 30; // characters
        const parted = word => word.length > most ? word.split(BEHIND_BRACKETS).join("\n") : word;
        const partsOf = text => text.split(BEHIND_MARKS).flatMap(part => part.replace(/\S+/g, parted).split("\n"));
        for (const text of [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE)) {
            const parts = partsOf(text.data);
            if (parts.length > 1) text.replaceWith(...parts.flatMap((part, i) => i ? [document.createElement("wbr"), part] : [part]));
        }
    };
})();
