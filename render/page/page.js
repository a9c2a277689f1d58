// page.js — starts the page: chapters become tabs, findings lead to their place, the timeline is drawn
(function () {
    "use strict";

    const { make, button } = ptk;
    const PEEK = 40; // pixels of the tab before the chosen one

    document.documentElement.classList.add("scripted");

    // ---- tabs ----

    const chapters = Array.from(document.querySelectorAll("main > section[id]"))
        .filter(section => !["answer", "findings", "events"].includes(section.id));
    const tabs = new Map(); // by the chapter's id

    // In a narrow window the list scrolls, and the page stays.
    function bringIntoView(tab) {
        const [place, shown] = [tab, tabs.list].map(element => element.getBoundingClientRect());
        if (place.left < shown.left || place.right > shown.right) tabs.list.scrollLeft += place.left - shown.left - PEEK;
    }

    // Only the chapter that is open is in the document: the others would be thousands of elements.
    function choose(id, view) {
        if (!tabs.has(id)) return;
        ptk.tab = id;
        for (const [each, { tab, section }] of tabs) {
            const isChosen = each === id;
            tab.setAttribute("aria-selected", String(isChosen));
            tab.tabIndex = isChosen ? 0 : -1;
            if (isChosen) tabs.list.after(section);
            else section.remove();
        }
        bringIntoView(tabs.get(id).tab);
        tabs.get(id).section.dispatchEvent(new Event("shown"));
        document.dispatchEvent(new Event("chapter"));
        if (view) view.writeAddress();
        else history.replaceState(null, "", "#tab=" + id);
    }

    // On paper all chapters stand one below the other.
    function printWhole() {
        window.addEventListener("beforeprint", () => chapters.forEach(section => document.querySelector("main").append(section)));
        window.addEventListener("afterprint", () => chapters.forEach(section => ptk.tab !== section.id && section.remove()));
    }

    function moveTab(event, view) {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        const ids = [...tabs.keys()], next = ids[(ids.indexOf(ptk.tab) + by + ids.length) % ids.length];
        event.preventDefault();
        choose(next, view);
        tabs.get(next).tab.focus();
    }

    function addTab(list, section, title, view) {
        const tab = button(list, title, () => choose(section.id, view));
        tab.setAttribute("role", "tab");
        tab.id = "tab-" + section.id;
        tab.setAttribute("aria-controls", section.id);
        section.setAttribute("role", "tabpanel");
        section.setAttribute("aria-labelledby", tab.id);
        section.tabIndex = 0;
        tabs.set(section.id, { tab, section });
    }

    // The first that says more than the answer, the cards and the timeline above do.
    function firstTab(view) {
        const isSaid = id => id === "advice" || id === "bound" || ((id === "counters" || id === "memory") && !view.data.events);
        return [...tabs.keys()].find(id => !isSaid(id)) || [...tabs.keys()][0];
    }

    function makeTabs(view, address) {
        const list = make("div", null, { className: "tabs" });
        list.setAttribute("role", "tablist");
        list.setAttribute("aria-label", "chapters");
        chapters[0].before(list);
        tabs.list = list;
        const selected = view ? ptk.addSelectedTabs(view, chapters) : [];
        if (view) list.before(ptk.addScope(view));
        for (const section of selected) addTab(list, section, section.dataset.title, view);
        for (const section of chapters.filter(each => !selected.includes(each)))
            addTab(list, section, section.querySelector("h2").textContent, view);
        list.addEventListener("keydown", event => moveTab(event, view));
        const wanted = new URLSearchParams(address.slice(1)).get("tab");
        printWhole();
        choose(tabs.has(wanted) ? wanted : firstTab(view), view);
    }

    // ---- findings ----

    function showFunction(name, view) {
        if (!tabs.has("hotspots")) return;
        choose("hotspots", view);
        const table = tabs.get("hotspots").section.querySelector("table");
        const row = ptk.listingOf(table).rows.find(each => each.querySelector(".name").textContent === name);
        const found = row && row.querySelector("button");
        if (!found) return;
        found.click();
        found.scrollIntoView({ block: "center" });
        found.focus();
    }

    function showChapter(id, view) {
        choose(id, view);
        tabs.get(id).tab.focus({ preventScroll: true });
        const above = document.getElementById("events"), isSticky = above && getComputedStyle(above).position === "sticky";
        tabs.list.style.scrollMarginTop = isSticky ? above.offsetHeight + "px" : "";
        tabs.list.scrollIntoView();
    }

    function bringToLife(show, timeline) {
        const { chapter } = show.dataset, leads = "event" in show.dataset ? timeline : tabs.get(chapter || "hotspots");
        if (!leads) return;
        show.hidden = false;
        show.addEventListener("click", () => {
            if (chapter) return showChapter(chapter, timeline && timeline.view);
            if (!("event" in show.dataset)) return showFunction(show.dataset.function, timeline && timeline.view);
            ptk.showEvent(timeline, Number(show.dataset.event));
            timeline.canvas.focus({ preventScroll: true });
            timeline.frame.scrollIntoView({ block: "nearest" });
        });
    }

    // ---- pictures that are wider than the window ----

    function letScroll(figure) {
        new ResizeObserver(() => {
            if (figure.scrollWidth > figure.clientWidth) figure.tabIndex = 0; // keys scroll it, too
            else figure.removeAttribute("tabindex");
        }).observe(figure);
    }

    // ---- all of it ----

    async function start() {
        const address = location.hash; // which opening a tab writes
        const section = document.getElementById("events");
        const data = section && await ptk.readData();
        let view = null, timeline = null;
        if (data) {
            section.hidden = false;
            view = new ptk.View(data);
            timeline = new ptk.Timeline(section, view);
            ptk.timeline = timeline;
            ptk.addTools(timeline);
            ptk.addPanel(timeline);
            const still = document.getElementById("timeline");
            if (still) chapters.splice(chapters.indexOf(still), 1)[0].remove();
        }
        ptk.addSegments(chapters);
        if (view) ptk.joinChapters(view, chapters);
        if (chapters.length) makeTabs(view, address);
        ptk.placeNames();
        document.querySelectorAll(".show").forEach(show => bringToLife(show, timeline));
        for (const part of [document, ...chapters])
            part.querySelectorAll("h1, h3, p, li, figcaption").forEach(text => ptk.letBreak(text));
        document.querySelectorAll("figure").forEach(letScroll);
        if (view) {
            view.readAddress(address);
            view.writeAddress();
        }
        ptk.addActions();
        document.documentElement.dataset.ready = String(Math.round(performance.now()));
    }

    start();
})();
