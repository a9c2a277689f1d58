// selected_tabs.js — tabs over one selection, a stretch of time on a track, and the line above them that says which
(function () {
    "use strict";

    const { make, button } = ptk;
    const DELAY = 150; // ms that a reader rests

    // What the tabs are about: the range, else what is shown; on the chosen track, else on all.
    ptk.stretchOf = view => view.range || [view.from, view.to];
    ptk.tracksOf = view => view.track < 0 ? view.data.tracks : ptk.withLanes(view.data, view.track);
    ptk.nameInFocus = view => view.name >= 0 ? view.name : view.selected >= 0 ? view.data.name[view.selected] : -1;

    // A track and the rows of what overlaps on it.
    ptk.withLanes = function (data, at) {
        let past = at + 1;
        while (past < data.tracks.length && data.tracks[past].lane && data.tracks[past].rank === data.tracks[at].rank && data.tracks[past].kind === data.tracks[at].kind) past++;
        return data.tracks.slice(at, past);
    };

    // Of a track or a counter.
    ptk.titleOf = track => (track.rank >= 0 ? `rank ${track.rank} · ` : "") +
        (track.process && track.process !== track.name ? track.process + " · " : "") + track.name;

    // Of a tab: `id` of its chapter or of none, `title`, whether it is there for such `data`, and `build`, which
    // fills its element and returns what brings it up to date.
    ptk.selectedTabs = [];

    // Calls once the reader rests, and only where the tab is open.
    function follow(view, section, update) {
        let timer = 0;
        const later = () => {
            clearTimeout(timer);
            timer = setTimeout(() => { if (section.isConnected) update(); }, DELAY);
        };
        view.onChange(later);
        section.addEventListener("shown", later);
    }

    function sectionOf(tab, chapters) {
        const there = chapters.find(each => each.id === tab.id);
        const section = there || make("section", null, { id: tab.id });
        section.dataset.title = tab.title;
        if (!there) make("h2", section, { textContent: tab.title });
        if (tab.replaces) [...section.children].slice(1).forEach(each => each.classList.add("still")); // for paper
        return section;
    }

    // The sections of tabs, in order; those that are chapters, too, have what is selected above the whole run's figures.
    ptk.addSelectedTabs = function (view, chapters) {
        return ptk.selectedTabs.filter(tab => tab.isThere(view.data)).map(tab => {
            const section = sectionOf(tab, chapters), place = make("div", null, { className: "selected" });
            section.querySelector("h2").after(place);
            if (place.nextElementSibling && !tab.replaces)
                place.after(make("h3", null, { textContent: tab.rest || "The whole run", className: "whole" }));
            follow(view, section, tab.build(view, place));
            return section;
        });
    };

    // ---- the line above the tabs ----

    function addPart(line, text, clears, act) {
        const part = make("span", line, { className: "part" });
        part.append(text + " ");
        if (act) button(part, "×", act).setAttribute("aria-label", clears);
    }

    ptk.addScope = function (view) {
        const line = make("div", null, { className: "scope" });
        line.setAttribute("role", "status");
        const update = () => {
            const { data } = view, [from, to] = ptk.stretchOf(view), name = view.name;
            line.replaceChildren("Selected: ");
            addPart(line, `${view.range ? "the range" : "what the timeline shows"}, ${ptk.duration((to - from) * data.unit)} from ` +
                `${ptk.moment(data, from)} on`, "no range", view.range && (() => view.setRange(null)));
            if (!data.events) return;
            addPart(line, view.track < 0 ? "all tracks" : ptk.titleOf(data.tracks[view.track]), "all tracks",
                view.track >= 0 && (() => view.choose({ track: -1 })));
            addPart(line, name < 0 ? "all names" : ptk.nameOf(data, name), "all names",
                name >= 0 && (() => view.choose({ name: -1 })));
        };
        view.onChange(update);
        update();
        return line;
    };
})();
