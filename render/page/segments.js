// segments.js — an allocator's memory: a bar for each segment, cut into blocks; what a block is, and who allocated it
(function () {
    "use strict";

    const { make } = ptk;
    const ROW = 20, BAR = 14, NAME = 78, LENS = 30, SHOWN = 18.5; // pixels, rows
    const USED = 0, AWAITED = 1, FREE = 2, SEVERAL = 3;
    const OWNERS = [[92, 186, 138], [137, 181, 230], [222, 140, 195], [240, 190, 110], [142, 196, 216], [178, 170, 226], [232, 142, 106], [190, 200, 110]];
    const OTHERS = [176, 183, 191], WAITING = [222, 205, 80];

    const css = ([r, g, b]) => `rgb(${r},${g},${b})`;
    const bytes = size => ptk.figureOf({ unit: "bytes" }, size);

    // ---- what the page has of them ----

    // Pieces with where they begin; several short blocks may be one piece.
    function read(script) {
        const data = JSON.parse(script.textContent), sums = new Map();
        for (const segment of data.segments) {
            let start = 0;
            segment.pieces = segment.pieces.map(([size, state, first, awaited, blocks]) => {
                const piece = state === SEVERAL ? { size, state, start, used: first, awaited, blocks } : { size, state, start, place: first };
                if (state === USED) sums.set(first, (sums.get(first) || 0) + size);
                start += size;
                return piece;
            });
            segment.extent = Math.max(segment.size, start, 1);
        }
        data.owners = [...sums].filter(([place]) => place).sort((a, b) => b[1] - a[1]).slice(0, OWNERS.length);
        data.others = [...sums].reduce((sum, [, size]) => sum + size, 0) - data.owners.reduce((sum, [, size]) => sum + size, 0);
        data.colors = new Map(data.owners.map(([place], i) => [place, css(OWNERS[i])]));
        return data;
    }

    // ---- in words ----

    const placeOf = (data, place) => place ? data.places[place - 1] : "";

    function textOfPiece(data, segment, piece) {
        const { size, state } = piece, by = placeOf(data, piece.place);
        if (state === USED) return `Block of ${bytes(size)}, in use` + (by ? `, allocated by ${by}.` : ". The file does not name what allocated it.");
        if (state === AWAITED) return `Block of ${bytes(size)}, freed. Another stream may still use it.`;
        if (state === SEVERAL) return `${ptk.count(piece.blocks)} short blocks of ${bytes(size)} together, ${bytes(piece.used)} of it in use.`;
        return `Free block of ${bytes(size)}` + (segment.used ? ", beside blocks in use." : ".");
    }

    function textOfSegment(segment) {
        const kinds = [segment.private && "private pool", segment.small ? "small blocks" : "large blocks", segment.expandable && "expandable",
                       segment.stream !== "0" && "stream " + segment.stream].filter(Boolean).join(", ");
        const waits = segment.awaited ? `, ${bytes(segment.awaited)} awaited` : "";
        const text = `Segment of ${bytes(segment.size)} at ${segment.address} (${kinds}): ${bytes(segment.used)} in use${waits}, ${bytes(segment.free)} free.`;
        if (!segment.free) return text;
        const fits = segment.largest < segment.free ? ` No free block is larger than ${bytes(segment.largest)}.` : "";
        return text + fits + (segment.trapped ? " The free memory cannot be returned to the driver." : " The free memory can be returned to the driver.");
    }

    // ---- the picture ----

    class SegmentMap {
        constructor(place, data) {
            this.data = data;
            this.hovered = null;
            this.makeRows();
            const most = data.segments.reduce((best, each) => each.trapped > best.trapped ? each : best, data.segments[0]);
            this.selected = { segment: most, piece: -1 };
            this.build(place);
            document.addEventListener("theme", () => this.draw());
            new ResizeObserver(() => this.draw()).observe(this.scroller);
        }

        // Of several devices each has a heading.
        makeRows() {
            const { segments } = this.data, devices = new Set(segments.map(each => each.device));
            this.rows = [];
            let device = null;
            for (const segment of segments) {
                if (devices.size > 1 && segment.device !== device) this.rows.push({ heading: "GPU " + segment.device });
                this.rows.push({ segment });
                ({ device } = segment);
            }
            this.most = segments.reduce((most, each) => Math.max(most, each.extent), 1);
        }

        build(place) {
            this.facts = make("p", place, { className: "facts" });
            this.facts.setAttribute("role", "status");
            this.lens = make("canvas", place, { className: "lens" });
            this.lens.setAttribute("aria-hidden", "true");
            this.lens.addEventListener("pointermove", event => this.hover(this.selected.segment, event.offsetX / this.width));
            this.scroller = make("div", place, { className: "scroller" });
            this.spacer = make("div", this.scroller, { className: "spacer" });
            this.canvas = make("canvas", this.spacer, { tabIndex: 0 });
            this.canvas.setAttribute("role", "application");
            this.canvas.setAttribute("aria-label", "Segments of the allocator, the largest first. Up and down choose a segment, left and right a block.");
            this.scroller.addEventListener("scroll", () => this.draw());
            this.canvas.addEventListener("pointermove", event => this.hoverAt(event));
            for (const canvas of [this.canvas, this.lens]) canvas.addEventListener("pointerleave", () => this.hover(null));
            for (const canvas of [this.canvas, this.lens]) canvas.addEventListener("click", () => this.hovered && this.select(this.hovered));
            this.canvas.addEventListener("keydown", event => this.move(event));
            addColors(place, this.data);
        }

        // ---- what is pointed at, and what is chosen ----

        hover(segment, share) {
            const at = segment ? share * segment.extent : -1;
            const piece = segment ? segment.pieces.findIndex(each => at >= each.start && at < each.start + each.size) : -1;
            this.hovered = segment && { segment, piece };
            this.tell();
        }

        barOf(segment) { return Math.max(3, segment.extent / this.most * (this.width - NAME - 2)); }

        hoverAt(event) {
            const row = this.rows[Math.floor((event.offsetY + this.scroller.scrollTop) / ROW)], segment = row && row.segment;
            this.hover(segment || null, segment ? (event.offsetX - NAME) / this.barOf(segment) : 0);
        }

        select(selected) {
            this.selected = selected;
            const y = this.rows.findIndex(row => row.segment === selected.segment) * ROW, { scroller } = this;
            if (y < scroller.scrollTop) scroller.scrollTop = y;
            else if (y + ROW > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = y + ROW - scroller.clientHeight;
            this.draw();
            this.tell();
        }

        move(event) {
            const { segments } = this.data, { segment, piece } = this.selected, at = segments.indexOf(segment);
            const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] || [0, 0];
            if (!down && !right) return;
            event.preventDefault();
            this.hovered = null;
            if (down) this.select({ segment: segments[Math.max(0, Math.min(segments.length - 1, at + down))], piece: -1 });
            else this.select({ segment, piece: Math.max(0, Math.min(segment.pieces.length - 1, piece + right)) });
        }

        tell() {
            const { segment, piece } = this.hovered || this.selected;
            this.facts.textContent = textOfSegment(segment) + (piece >= 0 ? " " + textOfPiece(this.data, segment, segment.pieces[piece]) : "");
        }

        // ---- drawing ----

        draw() {
            const width = this.scroller.clientWidth;
            if (!width) return;
            this.width = width;
            this.theme = ptk.themeColors();
            const height = Math.min(this.rows.length, SHOWN) * ROW;
            this.spacer.style.height = this.rows.length * ROW + "px";
            this.scroller.style.height = height + 1 + "px";
            const context = ptk.contextOf(this.canvas, width, height), top = this.scroller.scrollTop;
            for (let at = Math.floor(top / ROW); at < this.rows.length && at * ROW < top + height; at++) this.drawRow(context, this.rows[at], at * ROW - top);
            this.drawLens();
            this.tell();
        }

        drawRow(context, { heading, segment }, y) {
            const isChosen = segment && segment === this.selected.segment;
            if (isChosen) {
                context.fillStyle = this.theme.chosen;
                context.fillRect(0, y, this.width, ROW);
            }
            context.fillStyle = this.theme.ink;
            context.fillText(heading || bytes(segment.size), 4, y + ROW / 2, segment ? NAME - 8 : this.width);
            if (segment) this.drawBar(context, segment, { x: NAME, y: y + (ROW - BAR) / 2, width: this.barOf(segment), height: BAR });
        }

        drawLens() {
            const { segment, piece } = this.selected, context = ptk.contextOf(this.lens, this.width, LENS);
            this.drawBar(context, segment, { x: 1, y: 4, width: this.width - 2, height: LENS - 8 });
            if (piece < 0) return;
            const { start, size } = segment.pieces[piece], scale = (this.width - 2) / segment.extent;
            context.strokeStyle = this.theme.ink;
            context.lineWidth = 2;
            context.strokeRect(1 + start * scale, 2, Math.max(2, size * scale), LENS - 4);
        }

        drawBar(context, segment, box) {
            const scale = box.width / segment.extent;
            for (const piece of segment.pieces) this.drawPiece(context, segment, piece, { ...box, x: box.x + piece.start * scale, width: piece.size * scale });
            context.strokeStyle = this.theme.pale;
            context.lineWidth = 1;
            context.strokeRect(box.x + 0.5, box.y + 0.5, Math.max(1, box.width - 1), box.height - 1);
        }

        // Between blocks that are wide enough is a line of paper.
        drawPiece(context, segment, piece, box) {
            const { state, size } = piece;
            if (state === SEVERAL) {
                const used = piece.used / size * box.width, awaited = piece.awaited / size * box.width;
                this.fill(context, css(OTHERS), { ...box, width: used });
                this.fill(context, css(WAITING), { ...box, x: box.x + used, width: awaited });
                this.fill(context, this.freeStyle(context, segment), { ...box, x: box.x + used + awaited, width: box.width - used - awaited });
            } else {
                const color = state === USED ? this.data.colors.get(piece.place) || css(OTHERS) : state === AWAITED ? css(WAITING) : this.freeStyle(context, segment);
                this.fill(context, color, { ...box, width: box.width > 3 ? box.width - 1 : box.width });
            }
        }

        fill(context, style, box) {
            if (!style || box.width <= 0) return;
            context.fillStyle = style;
            context.fillRect(box.x, box.y, box.width, box.height);
        }

        // What cannot be returned is hatched; what can is empty.
        freeStyle(context, segment) {
            if (!segment.trapped) return null;
            if (this.hatch && this.hatchOf === this.theme.pale) return this.hatch;
            const tile = make("canvas", null, { width: 6, height: 6 }), lines = tile.getContext("2d");
            lines.strokeStyle = this.hatchOf = this.theme.pale;
            for (const shift of [-6, 0, 6]) {
                lines.moveTo(shift - 1, 7);
                lines.lineTo(shift + 7, -1);
            }
            lines.stroke();
            return this.hatch = context.createPattern(tile, "repeat");
        }
    }

    // ---- what the colours mean ----

    function addColors(place, data) {
        const list = make("ul", place, { className: "colors" }), states = new Set(data.segments.flatMap(each => each.pieces.map(piece => piece.state)));
        const add = (background, text, name = "key") => {
            const item = make("li", list);
            make("span", item, { className: name }).style.background = background;
            item.append(text);
            ptk.letBreak(item);
        };
        data.owners.forEach(([at, size]) => add(data.colors.get(at), `${placeOf(data, at)} (${bytes(size)})`));
        if (data.others > 0 || states.has(SEVERAL)) add(css(OTHERS), data.owners.length ? "in use by others" : "in use");
        if (states.has(AWAITED)) add(css(WAITING), "freed, awaited by another stream");
        if (data.segments.some(each => each.trapped)) add("", "free beside blocks in use: fragmented, cannot be returned", "key hatched");
        if (data.segments.some(each => each.free && !each.trapped)) add("", "free, can be returned", "key empty");
    }

    function noteOf({ all, least, segments }) {
        return [all > segments.length && `The ${ptk.count(segments.length)} largest of ${ptk.count(all)} segments are drawn.`,
                least > 0 && `Blocks shorter than ${bytes(least)} that lie beside each other are drawn as one.`].filter(Boolean).join(" ");
    }

    ptk.addSegments = function (chapters) {
        const section = chapters.find(each => each.id === "memory"), script = section && section.querySelector("script.segments");
        if (!script) return;
        const data = read(script), place = make("div", null, { className: "segments" });
        script.remove();
        if (!data.segments.length) return;
        section.querySelector(".table, input[type=search]").before(place);
        ptk.segments = new SegmentMap(place, data);
        const note = noteOf(data);
        if (note) make("p", place, { textContent: note });
    };
})();
