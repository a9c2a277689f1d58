// page_actions.js — what stands at the right of the head: a link to what the page shows, and light or dark
(function () {
    "use strict";

    const { make, button } = ptk;
    const KEPT = "ptk theme", THEMES = ["system", "light", "dark"], TOLD = 1500; // ms that an answer stands

    // ---- light or dark ----

    const dark = new WeakSet(); // rules for dark screens, whose condition may have been replaced

    // In the style of the page and of the pictures in the chapter that is open.
    function darkRules() {
        const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).filter(rule => rule instanceof CSSMediaRule);
        rules.filter(rule => rule.media.mediaText.includes("prefers-color-scheme: dark")).forEach(rule => dark.add(rule));
        return rules.filter(rule => dark.has(rule));
    }

    // Pages from a disk may have no place to keep anything.
    function keep(theme) {
        try { localStorage.setItem(KEPT, theme); } catch { /* it holds until the page is closed */ }
    }

    function kept() {
        try { return localStorage.getItem(KEPT) || "system"; } catch { return "system"; }
    }

    function addTheme(place) {
        const system = "(prefers-color-scheme: dark)";
        let theme = THEMES.includes(kept()) ? kept() : "system";
        const choice = button(place, "", () => {
            theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
            keep(theme);
            use();
        });
        function use() {
            choice.textContent = "Theme: " + theme;
            for (const rule of darkRules()) rule.media.mediaText = theme === "system" ? system : theme === "dark" ? "all" : "not all";
            document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
            document.dispatchEvent(new Event("theme"));
        }
        document.addEventListener("chapter", use);
        matchMedia(system).addEventListener("change", use);
        use();
    }

    // ---- the link ----

    // Where the clipboard is not for pages from a disk, the text is selected to be copied.
    async function copy(text) {
        try {
            await navigator.clipboard.writeText(text);
            return true;
        } catch {
            const field = make("textarea", document.body, { value: text });
            field.select();
            const isDone = document.execCommand("copy");
            field.remove();
            return isDone;
        }
    }

    function addLink(place) {
        const link = button(place, "Copy link", async () => {
            link.textContent = await copy(location.href) ? "Copied" : "The address bar has it";
            setTimeout(() => { link.textContent = "Copy link"; }, TOLD);
        });
        link.title = "a link to this page with what it shows now";
        link.setAttribute("aria-live", "polite");
    }

    ptk.addActions = function () {
        const place = make("div", document.querySelector("header"), { className: "actions" });
        addLink(place);
        addTheme(place);
    };
})();
