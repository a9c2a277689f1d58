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
})();
